"""The door that gives a session as a file, and `manage.py export`, which gives the same bytes."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.management import CommandError, call_command
from django.test import AsyncClient
from django.utils import timezone

from playground.reads import Head, Read
from playground.recordings.exporting import KINDS
from playground.recordings.masking import Mask
from playground.recordings.models import Session
from tests.support.lanes import ENDED, REQUEST
from tests.support.taken import exported, golden, keep_lanes

pytestmark = pytest.mark.django_db(transaction=True)

CASES = ("ref-chat-text", "ref-msg-text")


async def got(path: str) -> tuple[Any, bytes]:
    answer = await AsyncClient().get(path)
    if not answer.streaming:
        return answer, answer.content
    return answer, b"".join([piece async for piece in answer])


@pytest.mark.parametrize("kind", KINDS)
async def test_the_door_gives_the_file_under_its_name(kind: str) -> None:
    session = await _aside(keep_lanes, *map(golden, CASES), title='Two "words" 京')
    answer, text = await got(f"/sessions/{session}/export/{kind}")
    name, wanted = await _aside(exported, session, kind)
    assert answer.status_code == 200
    if kind != "html":  # which says when it was made
        assert text == wanted or zipfile.is_zipfile(io.BytesIO(text))
    assert "two-words-%E4%BA%AC" in answer["Content-Disposition"]
    assert answer["Content-Disposition"].startswith("attachment;")
    assert name.startswith("two-words-京.")
    assert answer["X-Content-Type-Options"] == "nosniff"


async def test_a_lane_may_be_chosen() -> None:
    session = await _aside(keep_lanes, *map(golden, CASES))
    _, text = await got(f"/sessions/{session}/export/sse?lane=1")
    assert text.startswith(b"event: message_start")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/sessions/nothing/export/har", 404, "no-such-session"),
        ("/sessions/nothing/export/docx", 404, "no-such-export"),
        ("/sessions/nothing/export/har?lane=x", 400, "invalid"),
    ],
)
async def test_what_is_not_there_is_said(path: str, status: int, code: str) -> None:
    answer, text = await got(path)
    said = json.loads(text)
    assert (answer.status_code, said["code"]) == (status, code)
    assert said["message"].endswith(".")


async def test_a_lane_that_is_not_there_is_said() -> None:
    session = await _aside(keep_lanes, golden(CASES[0]))
    answer, _ = await got(f"/sessions/{session}/export/har?lane=7")
    assert answer.status_code == 404


async def test_a_deleted_session_is_said_to_be_gone() -> None:
    session = await _aside(keep_lanes, golden(CASES[0]))
    await _aside(Session.objects.filter(pk=session).update, deleted=timezone.now())
    answer, text = await got(f"/sessions/{session}/export/har")
    assert answer.status_code == 404
    assert "deleted" in json.loads(text)["message"]


KEY = "sk-planted-0123456789abcdefXYZ"


def planted() -> str:
    """A session whose request has a key in every place and whose answer repeats it, kept as a run keeps it."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": f"my key is {KEY}"}]}).encode()
    headers = (("Authorization", f"Bearer {KEY}"), ("X-Other", KEY), ("Content-Type", "application/json"))
    url = f"http://upstream.example/v1?api_key={KEY}"
    mask = Mask(key=KEY, url=url, headers=headers, body=body)
    head = mask.request(Head("POST", url, headers, body))
    answer = mask.head(replace(head, status=200, headers=(("content-type", "text/event-stream"), ("x-echo", KEY))))
    event = b'data: {"choices":[{"index":0,"delta":{"content":"%s"}}]}\n\n' % KEY.encode()
    pieces = [mask.feed(event[:70]), mask.feed(event[70:]) + mask.end()]
    return keep_lanes((answer, [Read(number, number, piece) for number, piece in enumerate(pieces, 1)], ENDED))


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_key_is_in_no_export(kind: str) -> None:
    _, text = exported(planted(), kind)
    if zipfile.is_zipfile(io.BytesIO(text)):
        archive = zipfile.ZipFile(io.BytesIO(text))
        text = b"".join(archive.read(name) for name in archive.namelist())
    assert KEY.encode() not in text
    assert b"planted" not in text


def test_the_command_writes_a_file_named_by_the_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = keep_lanes(golden(CASES[0]))
    said = io.StringIO()
    call_command("export", session, "recording", stderr=said)
    assert (tmp_path / "a-session.recording.jsonl").read_bytes() == exported(session, "recording")[1]
    assert "a-session.recording.jsonl: " in said.getvalue()
    call_command("export", session, "sse", "--lane", "0", "-o", "b.sse", stderr=said)
    assert (tmp_path / "b.sse").read_bytes() == exported(session, "sse")[1]


def test_the_command_says_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no session nothing here"):
        call_command("export", "nothing", "har")
    session = keep_lanes((REQUEST, [], ENDED))
    with pytest.raises(CommandError, match="lane 4"):
        call_command("export", session, "har", "--lane", "4")
    with pytest.raises(CommandError, match="No such file"):
        call_command("export", session, "har", "-o", str(tmp_path / "no" / "file"))


def test_the_command_prints_and_leaves_quietly_when_nobody_reads(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    session = keep_lanes(golden(CASES[0]))
    call_command("export", session, "sse", "-o", "-")
    assert capfdbinary.readouterr().out == exported(session, "sse")[1]


async def _aside(function: Any, *arguments: Any, **named: Any) -> Any:
    return await database_sync_to_async(function)(*arguments, **named)
