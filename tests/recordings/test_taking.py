"""What an import becomes in the tables: masked, whole, and the same bytes again when it is exported."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError

from playground.reads import End, Head, Read
from playground.recordings import archive, taking
from playground.recordings.exporting.events import EVENTS
from playground.recordings.exporting.interface import Taken
from playground.recordings.importing import ImportRefused, read
from playground.recordings.models import Lane, Session, Writer
from playground.recordings.recording_file import recording_file
from playground.recordings.records import EndRecord, HeadRecord, OpenRecord, ReadRecord, Record, SessionRecord, Trouble
from playground.recordings.taking import take_in
from tests.support.imported import imported, zipped
from tests.support.streams import CASES, FOLDER

pytestmark = pytest.mark.django_db

KEY = "sk-planted-0123456789abcdef"
EVENT = b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"low "}}]}\n\n'


def head(**more: Any) -> HeadRecord:
    fields: dict[str, Any] = {"method": "POST", "url": "", "request_headers": (), "request_body": b"", **more}
    return HeadRecord(0, "", "import", "", Head(**fields))


def taken(*bodies: bytes, before: HeadRecord | None = None) -> tuple[Session, Lane, bytes]:
    records: list[Record] = [before or head()]
    records += [ReadRecord(0, Read(number, None, body)) for number, body in enumerate(bodies, 1)]
    session = Session.objects.get(pk=take_in([*records, EndRecord(0, End("closed"))]))
    lane = session.lanes.get()
    return session, lane, kept(session.pk)


def kept(session: str) -> bytes:
    return b"".join(record.read.body for record in archive.records(session) if isinstance(record, ReadRecord))


def exported(session: str) -> bytes:
    return b"".join(recording_file(archive.records(session)))


def test_an_import_is_a_session_like_any_other() -> None:
    session, lane, body = taken(EVENT, EVENT, b"data: [DONE]\n\n")
    assert (session.origin, session.deleted, session.writer) == ("import", None, None)
    assert body == EVENT + EVENT + b"data: [DONE]\n\n"
    assert (lane.reads, lane.size, lane.how, lane.summary["format"]) == (3, len(body), "closed", "chat")
    assert session.events == 3
    assert not Writer.objects.exists()


@pytest.mark.parametrize("case", CASES)
def test_what_is_exported_is_the_same_after_it_was_imported(case: str) -> None:
    files = {path.name: path.read_bytes() for path in (FOLDER / case).iterdir()}
    first = exported(take_in(read("case.zip", io.BytesIO(zipped(files)))))
    again = exported(take_in(read("a.recording.jsonl", io.BytesIO(first))))
    assert again == first


def test_exported_events_come_back_with_their_times() -> None:
    session = take_in([head(), ReadRecord(0, Read(1, 40, EVENT + EVENT)), OpenRecord(0)])
    taken = Taken("", None, [], lambda lane: archive.records(session))
    found = imported(b"".join(EVENTS.write(taken)), "a.events.jsonl")
    assert found.times[0] == [40, 40]
    assert found.body == EVENT + EVENT


def test_times_heads_and_several_lanes_come_back_bit_for_bit() -> None:
    lanes: list[Record] = [SessionRecord("Two tides", 1_772_359_200.25)]
    for lane in (0, 1):
        request = Head("POST", "https://t.example/v1/x", (("authorization", f"Bearer {KEY}"),), b'{"model":"m"}', 7.5)
        lanes.append(HeadRecord(lane, "chat", "custom", "m", request, ("A note.",)))
    lanes += [ReadRecord(lane, Read(1, 40 + lane, EVENT)) for lane in (1, 0)]
    lanes += [ReadRecord(0, Read(2, None, b"\xff\xfe")), EndRecord(1, End("reset", 90, "It broke.")), OpenRecord(0)]
    session = take_in(lanes)
    first = exported(session)
    assert KEY.encode() not in first
    assert exported(take_in(read("", io.BytesIO(first)))) == first
    assert Session.objects.get(pk=session).created.timestamp() == 1_772_359_200.25


def test_keys_are_masked_wherever_they_stand() -> None:
    request = (
        f"> POST /v1/x?api_key={KEY}x HTTP/1.1\r\n> Host: t.example\r\n"
        f"> Authorization: Bearer {KEY}\r\n> Cookie: s={KEY}c\r\n> \r\n"
    )
    answer = f"< HTTP/1.1 401 No\r\n< set-cookie: s=1\r\n< x-echo: {KEY}\r\n< \r\n"
    body = f'data: {{"error":{{"message":"bad key {KEY} or gsk_{"q" * 30}"}}}}\n\n'
    content = f"* Connected to t.example (1.1.1.1) port 443\n{request}{answer}{body}".encode()
    session = take_in(read("", io.BytesIO(content)))
    found = exported(session)
    assert b"planted" not in found
    assert b"qqqq" not in found
    assert len(kept(session)) == len(body)
    notes = " ".join(Lane.objects.get(session=session).notes)
    assert "set-cookie" in notes
    assert "came back and was masked" in notes
    assert "looks like a key" in notes


@pytest.mark.parametrize("at", range(1, len(KEY), 3))
def test_a_key_cut_over_two_reads_is_masked(at: int) -> None:
    whole = f"data: {KEY} \n\n".encode()
    _, _, body = taken(whole[: 6 + at], whole[6 + at :])
    assert body == whole.replace(KEY.encode(), b"*" * len(KEY))


def test_what_is_damaged_is_kept_with_a_note() -> None:
    records: list[Record] = [head(), ReadRecord(0, Read(1, 5, EVENT)), Trouble("line 3", "It is damaged.")]
    lane = Lane.objects.get(session=take_in(records))
    assert (lane.how, lane.detail, lane.end_time) == ("interrupted", taking.BROKEN_OFF, 5)
    assert lane.notes == ["line 3: It is damaged."]


def test_nobody_sees_it_before_it_is_whole_and_nothing_stays_of_what_is_refused() -> None:
    def records() -> Iterator[Record]:
        yield head()
        yield ReadRecord(0, Read(1, None, b":" + b" " * taking.AT_ONCE))
        assert Session.objects.get().deleted is not None
        raise ImportRefused("too-large", "It is too large.")

    with pytest.raises(ImportRefused):
        take_in(records())
    assert not Session.objects.exists()
    assert not Writer.objects.exists()


def test_a_database_that_refuses_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(batches: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(taking.keep, "write", full)
    with pytest.raises(ImportRefused, match="disk is full"):
        taken(EVENT)
    assert not Session.objects.exists()


def test_the_title_is_what_was_asked_or_the_files_name() -> None:
    asked = b'{"model":"m","messages":[{"role":"user","content":"When is low tide?"}]}'
    assert taken(EVENT, before=head(request_body=asked))[0].title == "When is low tide?"
    assert Session.objects.get(pk=take_in(read("", io.BytesIO(EVENT)), "tide.sse")).title == "tide.sse"


def test_a_file_without_a_lane_is_refused() -> None:
    with pytest.raises(ImportRefused, match="no stream in it"):
        take_in(read("", io.BytesIO(b"".join(recording_file([SessionRecord("Nothing")])))))
