"""`manage.py rebuild`: the library's entries come anew out of what is kept."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playground.recordings import keep, rebuild
from playground.recordings.keep import Batch, NewLane, Seal
from playground.recordings.models import Lane, Page, Session
from playground.recordings.summary import summary
from tests.support import streams
from tests.support.lanes import ENDED, REQUEST, head_of, reads_of, walk

pytestmark = pytest.mark.django_db

CASES = ["ref-chat-text", "ref-msg-tools-parallel", "chat-truncated-mid-tool", "resp-truncated"]
DERIVED = ("seen", "host", "prompt", "word", "complete", "summary")
SHOWN = ("duration", "events", "tokens", "findings", "errors", "card", "search")


def sealed(case: str, *, question: str = "Is it warmer in Oslo?") -> str:
    """A golden stream as a session, sealed as the hall does it; its id."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": question}]}).encode()
    request = replace(REQUEST, url="https://api.example/v1/x", request_body=body)
    session, [key] = keep.begin("", [NewLane("", "custom", "a-model", request)], None)
    head = replace(request, status=200, headers=head_of(case).headers, started=1.5e9, time=9)
    reads = reads_of([streams.body(case)[at : at + 100] for at in range(0, len(streams.body(case)), 100)])
    pipeline, _ = walk("", head, reads)
    keep.write([Batch(key, head, reads, Seal(ENDED, pipeline.word, pipeline.complete, summary(pipeline)))])
    return session


def entries() -> list[Any]:
    lanes = list(Lane.objects.order_by("pk").values(*DERIVED))
    return [lanes, list(Session.objects.order_by("pk").values("id", "title", *SHOWN))]


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command("rebuild", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_what_sealing_wrote_comes_back_after_all_of_it_was_damaged() -> None:
    for case in CASES:
        sealed(case)
    before = entries()
    Lane.objects.update(seen="?", host="?", prompt="?", word="?", complete=False, summary={"events": "many"})
    Session.objects.update(duration=1, events=1, tokens=1, findings=1, errors=1, card={}, search="?")
    assert told() == f"4 of 4 sessions, the last is {max(Session.objects.values_list('pk', flat=True))}\n"
    assert entries() == before


def test_an_entry_has_the_figures_of_its_stream() -> None:
    session = Session.objects.get(pk=sealed("ref-msg-tools-parallel"))
    [lane] = session.card["lanes"]
    expected = streams.expected("ref-msg-tools-parallel")
    assert lane == {"format": "messages", "host": "api.example", "model": "a-model", "word": "ended"}
    assert session.title == "Is it warmer in Oslo?"
    assert session.events == expected["events"]
    assert session.tokens == expected["usage"]["input"] + expected["usage"]["output"]
    assert session.duration == ENDED.time
    for word in ("oslo", "a-model", expected["text"].split()[0].casefold()):
        assert word in session.search


def test_a_lane_that_was_kept_before_there_was_an_index_gets_its_entry() -> None:
    session = sealed("ref-chat-text")
    Lane.objects.update(seen="", host="", prompt="", summary={})
    Session.objects.update(card={}, search="")
    told()
    assert Session.objects.get(pk=session).card["lanes"][0]["format"] == "chat"
    assert Lane.objects.get().prompt == "Is it warmer in Oslo?"


def test_a_model_that_no_request_names_is_the_one_that_the_stream_names() -> None:
    session = sealed("ref-chat-text")
    Lane.objects.update(model="")
    told()
    assert Session.objects.get(pk=session).card["lanes"][0]["model"] == Lane.objects.get().summary["model"] != ""


def test_it_goes_on_behind_a_session() -> None:
    ids = sorted(sealed("ref-chat-text") for _ in range(3))
    assert [rebuilt.session for rebuilt in rebuild.rebuild(ids[0])] == ids[1:]
    assert told(f"--after={ids[-1]}") == "There is nothing to rebuild.\n"


def test_a_damaged_recording_is_named_and_the_rest_is_rebuilt() -> None:
    damaged, whole = sorted(sealed(case) for case in CASES[:2])
    Page.objects.filter(lane__session=damaged).update(marks=b"\x01nonsense")
    kept = Session.objects.values(*SHOWN).get(pk=damaged)
    Session.objects.filter(pk=whole).update(events=0)
    with pytest.raises(CommandError, match="one lane that cannot be read"):
        told()
    assert Session.objects.values(*SHOWN).get(pk=damaged) == kept
    assert Session.objects.get(pk=whole).events > 0


def test_a_lane_that_still_streams_keeps_its_beginning() -> None:
    session = keep.begin("Mine", [NewLane("chat", "gateway", "a-model", REQUEST)], None).session
    before = entries()
    told()
    assert entries() == before
    assert Session.objects.get(pk=session).card["lanes"] == [
        {"format": "chat", "host": "gateway", "model": "a-model", "word": ""}
    ]
