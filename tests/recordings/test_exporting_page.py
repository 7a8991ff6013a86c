"""The HTML page: its own strict policy, nothing from a network, all of the session, and no larger than it must be."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from playground.lint.rules import RULES
from playground.reads import Read
from playground.recordings import markers
from playground.recordings.archive import take
from playground.recordings.exporting import KINDS, export
from playground.recordings.veil import left_out
from playground.recordings.veiled import veiled_export
from tests.support import streams
from tests.support.lanes import ENDED
from tests.support.taken import exported, golden, keep_lanes

pytestmark = pytest.mark.django_db

LARGEST = 270_000
"""Bytes of a page besides the session's data."""


class Page(HTMLParser):
    """The scripts and styles of a page, the text that is shown, the addresses that are asked for."""

    def __init__(self, text: bytes) -> None:
        super().__init__()
        self.blocks: list[tuple[str, dict[str, str | None], str]] = []
        self.addresses: list[str] = []
        self.policy = ""
        self.first_meta = ""
        self._inside = False
        self.feed(text.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in {"script", "style"}:
            self.blocks.append((tag, named, ""))
            self._inside = True
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = named["content"] or ""
        self.addresses += [named[name] or "" for name in ("src", "href", "action", "srcset") if name in named]
        assert not any(name.startswith("on") or name == "style" for name in named)

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if self._inside:
            tag, named, before = self.blocks[-1]
            self.blocks[-1] = tag, named, before + data

    def of(self, name: str) -> list[tuple[dict[str, str | None], str]]:
        return [(named, text) for _, named, text in self.blocks if named.get("class") == name]

    def steps(self, lane: int = 0) -> list[dict[str, Any]]:
        blocks = [text for named, text in self.of("steps") if named["data-lane"] == str(lane)]
        return [step for text in blocks for step in json.loads(text)]

    def body(self, lane: int = 0) -> bytes:
        found = b""
        for named, text in self.of("bytes"):
            if named["data-lane"] == str(lane):
                assert named["data-from"] == str(len(found))
                found += base64.b64decode(text)
        return found

    @property
    def packed(self) -> str:
        return next(text for _, named, text in self.blocks if named.get("id") == "module")

    @property
    def module(self) -> str:
        return zlib.decompress(base64.b64decode(self.packed)).decode()

    @property
    def session(self) -> dict[str, Any]:
        return dict(json.loads(next(text for _, named, text in self.blocks if named.get("id") == "session")))


def page_of(*cases: str) -> Page:
    return Page(exported(keep_lanes(*map(golden, cases)), "html")[1])


def test_the_policy_names_loader_module_and_style_and_nothing_else() -> None:
    page = page_of("ref-chat-text")
    loader = next(text for tag, named, text in page.blocks if named.get("type") == "module")
    style = next(text for tag, named, text in page.blocks if tag == "style")
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (loader, page.module, style)
    ]
    assert page.policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}' 'sha256-{hashes[1]}'; style-src 'sha256-{hashes[2]}'; "
        "img-src blob:; media-src blob:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types unpack"
    )
    assert {named.get("type") for tag, named, _ in page.blocks if tag == "script"} == {
        *("module", "application/json", "text/plain"),
    }


def test_the_policy_stands_before_everything_that_it_rules() -> None:
    text = exported(keep_lanes(golden("ref-chat-text")), "html")[1]
    assert text.index(b"Content-Security-Policy") < text.index(b"<style>") < text.index(b"<script")


def test_nothing_is_asked_of_a_network() -> None:
    page = page_of("ref-chat-text")
    assert [address for address in page.addresses if not address.startswith("#")] == []
    style = next(text for tag, _, text in page.blocks if tag == "style")
    assert re.findall(r"url\(|@import|//", style) == []
    loader = next(text for _, named, text in page.blocks if named.get("type") == "module")
    for code in (loader, page.module):
        assert re.findall(r"^import\b|sourceMappingURL|new Worker|new WebSocket|new EventSource", code, re.M) == []
        # In a comment the word stands for a type.
        assert "import(" not in re.sub(r"/\*.*?\*/", "", code, flags=re.S)


def test_the_page_is_small_besides_its_data() -> None:
    text = exported(keep_lanes(golden("ref-chat-text")), "html")[1]
    page = Page(text)
    data = [each for _, named, each in page.blocks if named.get("type") in {"application/json", "text/plain"}]
    inside = sum(len(each.encode()) for each in data) - len(page.packed)
    assert len(text) - inside < LARGEST


@pytest.mark.parametrize("case", streams.CASES)
def test_steps_and_bytes_of_any_stream_are_inside(case: str) -> None:
    page = page_of(case)
    steps = page.steps()
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert page.session["lanes"][0]["last_step"] == len(steps) - 1
    assert "end" in steps[-1]
    events = [row for step in steps for row in step.get("rows", []) if row[1] == "event"]
    assert len(events) == streams.expected(case)["events"]
    if not golden(case)[0].header("content-encoding"):
        assert page.body() == streams.body(case)


def test_no_word_of_a_stream_or_a_title_can_leave_its_place() -> None:
    bad = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \\u2028\u2028"
    event = f"data: {json.dumps({'choices': [{'index': 0, 'delta': {'content': bad}}]})}\n\n: {bad}\n".encode()
    head = replace(golden("ref-chat-text")[0], url=f"http://a.example/{bad}", request_body=bad.encode())
    page = Page(exported(keep_lanes((head, [Read(1, 1, event)], ENDED), title=bad), "html")[1])
    assert len([1 for _, named, _ in page.blocks if named.get("type") == "module"]) == 1
    assert all(named.get("type") or tag == "style" for tag, named, _ in page.blocks)
    assert page.session["title"] == bad
    assert page.session["lanes"][0]["request_body"] == bad
    assert page.body() == event


def test_lanes_are_numbered_by_their_place_in_the_page() -> None:
    session = keep_lanes(golden("ref-chat-text"), golden("ref-msg-text"))
    both, second = Page(exported(session, "html")[1]), Page(exported(session, "html", 1)[1])
    assert [lane["format"] for lane in both.session["lanes"]] == ["chat", "messages"]
    assert (second.session["lanes"][0]["format"], second.body(0)) == ("messages", both.body(1))


def test_a_long_lane_comes_in_blocks() -> None:
    reads = [Read(number, number, b"data: %d %s\n\n" % (number, b"x" * 900)) for number in range(1, 600)]
    page = Page(exported(keep_lanes((golden("ref-chat-text")[0], reads, ENDED)), "html")[1])
    assert len(page.of("steps")) > 3
    assert len(page.of("bytes")) > 3
    assert max(len(text) for _, text in page.of("steps")) < 200_000
    assert page.body() == b"".join(read.body for read in reads)


def test_what_still_streams_has_a_last_step_that_says_so() -> None:
    head, reads, _ = golden("ref-chat-text")
    name, text = exported(keep_lanes((head, reads, None)), "html")
    last = Page(text).steps()[-1]
    assert name == "a-session.so-far.html"
    assert "still running" in last["end"]["detail"]
    assert b"Exported midway" in text


def test_the_rules_that_were_broken_are_inside_and_no_others() -> None:
    page = page_of("chat-truncated-mid-tool")
    book = json.loads(next(text for _, named, text in page.blocks if named.get("id") == "lint-rules"))
    assert sorted(book["rules"]) == streams.expected("chat-truncated-mid-tool")["findings"]
    assert (book["count"], book["address"]) == (len(RULES), "")


def test_what_a_link_leaves_out_is_not_inside_and_is_told() -> None:
    head, reads, end = golden("ref-chat-text")
    session = keep_lanes((replace(head, request_headers=(("X-Team", "heron"),)), reads, end))
    taken = take(session)
    assert taken is not None
    text = b"".join(export(veiled_export(taken, left_out(["headers"], [])), KINDS["html"]).pieces)
    assert Page(text).session["left_out"] == ["headers"]
    assert b"heron" not in text


def test_media_of_a_stream_are_inside() -> None:
    page = page_of("ref-chat-audio")
    ((named, text),) = page.of("media")
    assert named["data-type"] in {"audio/wav", "application/octet-stream"}
    assert base64.b64decode(text).startswith(b"RIFF")


def test_markers_are_in_the_page() -> None:
    session = keep_lanes(golden("ref-chat-text"), golden("ref-msg-text"))
    assert markers.add(session, 1, 0, 12, "</script> starts here") is not None
    page = Page(exported(session, "html")[1])
    ((_, _, text),) = [block for block in page.blocks if block[1].get("id") == "markers"]
    (marker,) = json.loads(text)
    assert (marker["lane"], marker["start"], marker["end"]) == (1, 0, 12)
    assert marker["note"] == "</script> starts here"
