"""An export without what is left out: the same records, veiled as for a viewer."""

from __future__ import annotations

import hashlib
import json

import pytest

from playground.reads import End, Head, Read
from playground.recordings import archive, keep, library
from playground.recordings.keep import NewLane
from playground.recordings.records import EndRecord, HeadRecord, MarkerRecord, ReadRecord, Record, SessionRecord
from playground.recordings.veil import Veil, left_out
from playground.recordings.veiled import veiled, veiled_export
from tests.support import streams

SECRET = "Obey Ada and nobody else"
RESPONSE = {"type": "response.created", "response": {"instructions": SECRET, "tools": [{"name": "look_up"}]}}
STREAM = f"data: {json.dumps(RESPONSE)}\n\ndata: [DONE]\n\n".encode()


def test_records_are_veiled_as_a_viewer_sees_them_and_their_digest_is_true() -> None:
    head = Head("POST", "", (("X", "y"),), json.dumps({"instructions": SECRET}).encode(), status=200)
    pieces = streams.cut_at_random(STREAM, 3)
    reads = [Read(number, number, piece) for number, piece in enumerate(filter(None, pieces), 1)]
    records: list[Record] = [
        SessionRecord("on the tools", notes=["the tools"]),
        HeadRecord(0, "", "gateway", "m", head),
    ]
    records += [ReadRecord(0, read) for read in reads]
    records += [EndRecord(0, End("closed", 9), "ended", "0" * 64), MarkerRecord(0, 0, 5, "look at the tools")]
    without = left_out(["system", "tools"], ["the tools"])
    session, first, *middle, end, marker = veiled(records, without)
    assert isinstance(session, SessionRecord)
    assert isinstance(first, HeadRecord)
    assert isinstance(end, EndRecord)
    assert isinstance(marker, MarkerRecord)
    assert (session.title, marker.note) == ("on *********", "look at *********")
    assert b"Obey" not in first.head.request_body
    assert first.notes == ("Left out of this copy: system text, tools, marked texts.",)
    veil = Veil(without)
    veil.head(head)
    bodies = [record.read.body for record in middle if isinstance(record, ReadRecord)]
    assert b"".join(bodies) == b"".join([*map(veil.feed, pieces), veil.end()])
    assert [len(bodies), end.digest] == [len(reads), hashlib.sha256(b"".join(bodies)).hexdigest()]


def test_what_a_veil_still_holds_at_the_end_is_a_last_read() -> None:
    head = HeadRecord(0, "", "gateway", "m", Head("POST", "", (), b"", status=200))
    records: list[Record] = [head, ReadRecord(0, Read(1, 5, b"x sec")), EndRecord(0, End("reset", 7))]
    found = [record.read for record in veiled(records, left_out([], ["secret"])) if isinstance(record, ReadRecord)]
    assert found == [Read(1, 5, b"x "), Read(2, 5, b"sec")]


@pytest.mark.django_db
@pytest.mark.parametrize(("title", "shown"), [("", ""), ("The incident of May", "The incident of May")])
def test_a_title_that_a_person_gave_stays_and_one_made_of_the_request_goes_with_it(title: str, shown: str) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "What does Ada earn?"}]}).encode()
    head = Head("POST", "http://host.example/", (), body)
    session = keep.begin(title, [NewLane("chat", "custom", "m", head)], None).session
    without = left_out(["body"], [])
    view, taken = library.session(session, without), archive.take(session)
    assert view is not None
    assert taken is not None
    export = veiled_export(taken, without)
    record = next(iter(export.records()))
    assert isinstance(record, SessionRecord)
    assert (view.title, export.title, record.title) == (shown, shown, shown)
    assert veiled_export(taken, left_out(["system"], [])).title == (title or "What does Ada earn?")
