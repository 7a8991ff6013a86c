"""A key goes to the upstream and nowhere else."""

from __future__ import annotations

import gzip
import json
import random
import urllib.parse
import zlib
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.reads import Head
from playground.recordings.masking import Mask, without_keys
from tests.support import streams

KEY = "sk-proj-aA0+/=9zZ_tail-Xy"
SHAPED = "gsk_" + "abcd1234" * 4
URL = "https://api.example/v1/chat/completions"


def mask_of(key: str = KEY, url: str = URL, headers: tuple[tuple[str, str], ...] = (), body: bytes = b"{}") -> Mask:
    return Mask(key=key, url=url, headers=headers, body=body)


def answer(*headers: tuple[str, str]) -> Head:
    return Head("POST", URL, (), b"", status=200, headers=headers)


def through(mask: Mask, pieces: list[bytes], *headers: tuple[str, str]) -> list[bytes]:
    mask.head(answer(*headers))
    return [*[mask.feed(piece) for piece in pieces], mask.end()]


SPELLINGS = {
    "plain": KEY,
    "json": json.dumps(KEY)[1:-1],
    "json with escaped slashes": KEY.replace("/", "\\/"),
    "json in json": json.dumps(KEY.replace("/", "\\/"))[1:-1],
    "ascii only, as .NET writes it": KEY.replace("+", "\\u002B").replace("=", "\\u003d"),
    "all escaped": "".join(f"\\u{ord(character):04x}" for character in KEY),
    "all escaped, upper case, twice": "".join(f"\\\\u{ord(character):04X}" for character in KEY),
    "query": urllib.parse.quote(KEY, safe=""),
    "query in lower case": urllib.parse.quote(KEY, safe="").replace("%2B", "%2b"),
    "html": escape(KEY).replace("+", "&#43;").replace("/", "&#x2F;"),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_the_key_is_masked_however_it_is_spelled_and_cut(spelling: str) -> None:
    text = f'data: {{"error":{{"message":"Incorrect key {spelling}, see docs"}}}}\n\ndata: [DONE]\n\n'.encode()
    expected = text.replace(spelling.encode(), b"*" * len(spelling))
    for pieces in ([text], streams.bytewise(text), *(streams.cut_at_random(text, seed) for seed in range(30))):
        mask = mask_of()
        assert b"".join(through(mask, pieces)) == expected
        assert mask.notes == ["A secret of the request came back and was masked, once."]


@settings(deadline=None)
@given(st.data())
def test_any_mixture_of_text_and_keys_comes_out_the_same_however_it_is_cut(data: st.DataObject) -> None:
    keys = ["abababab-abab", "abababab", "bababababab"]
    headers = tuple(("x-api-key", key) for key in keys[1:])
    text = data.draw(st.lists(st.sampled_from([*keys, "ab", "a", "\\", "%", "x", "\n", "é"]), max_size=30).map("".join))
    raw = text.encode()
    cuts = data.draw(st.lists(st.integers(0, len(raw)), max_size=8))
    whole = b"".join(through(mask_of(keys[0], headers=headers), [raw]))
    cut = b"".join(through(mask_of(keys[0], headers=headers), streams.cut(raw, cuts)))
    assert whole == cut
    assert len(whole) == len(raw)
    assert not any(key.encode() in whole for key in keys)


def test_what_cannot_begin_a_key_is_not_held_back() -> None:
    mask = mask_of()
    mask.head(answer())
    for piece in (b"data: {}\n\n", b'data: {"a":"s"}\n\n', b": sk-\n", b"data: done"):
        assert mask.feed(piece) == piece
    assert mask.feed(b"data: sk-pro") == b"data: "
    assert mask.feed(b"blem ") == b"sk-problem "
    assert Mask().feed(b"a task-") == b"a task-"
    assert mask.end() == b""


def test_golden_streams_pass_as_they_are() -> None:
    for case in streams.CASES[::7]:
        whole = streams.body(case)
        if whole[:2] != b"\x1f\x8b":
            assert b"".join(through(mask_of(), streams.cut_at_random(whole, 5))) == whole


def test_request_headers_lose_their_secrets_and_keep_their_sizes() -> None:
    sent = (
        ("Authorization", f"Bearer {KEY}"),
        ("x-api-key", KEY),
        ("Api-Key", "another-secret"),
        ("Cookie", "session=abcdefgh1234; theme=dark"),
        ("Proxy-Authorization", "Basic dXNlcjpwYXNz"),
        ("X-Goog-Api-Key", "short"),
        ("OpenAI-Project", f"named {KEY}"),
        ("X-Note", f"use {SHAPED} here"),
        ("Accept", "text/event-stream"),
        ("X-Max-Tokens", "100"),
    )
    head = mask_of(headers=sent).request(Head("POST", URL, sent, b"{}"))
    kept = dict(head.request_headers)
    assert kept["Authorization"] == "Bearer " + "*" * len(KEY)
    assert set(kept["x-api-key"]) == set(kept["Api-Key"]) == set(kept["Cookie"]) == set(kept["X-Goog-Api-Key"]) == {"*"}
    assert kept["Proxy-Authorization"] == "Basic ************"
    assert kept["OpenAI-Project"] == "named " + "*" * len(KEY)
    assert kept["X-Note"] == "use " + "*" * len(SHAPED) + " here"
    assert kept["Accept"] == "text/event-stream"
    assert kept["X-Max-Tokens"] == "100"
    assert [len(value) for _, value in head.request_headers] == [len(value) for _, value in sent]


def test_keys_in_the_address_and_in_the_body_are_masked_and_sought_in_the_answer() -> None:
    url = "https://api.example/v1/models?alt=sse&key=AIzaSyA-1234567890abcdefghijklmnopqrs&page=2"
    body = json.dumps({"instructions": "my key is gsk_abcdefghijklmnopqrstuvwx0123", "other": "keep me"}).encode()
    mask = mask_of("", url, body=body)
    head = mask.request(Head("POST", url, (), body))
    assert head.url == f"https://api.example/v1/models?alt=sse&key={'*' * 37}&page=2"
    assert head.request_body == body.replace(b"gsk_abcdefghijklmnopqrstuvwx0123", b"*" * 32)
    echoed = b"data: " + body + b"\n\n: AIzaSyA-1234567890abcdefghijklmnopqrs\n"
    assert b"".join(through(mask, [echoed])) == b"data: " + head.request_body + b"\n\n: " + b"*" * 37 + b"\n"


def test_headers_of_the_answer_lose_account_and_cookies_and_the_key() -> None:
    mask = mask_of()
    head = mask.head(
        answer(("Set-Cookie", "a=b"), ("OpenAI-Organization", "org-1"), ("Location", f"/x?key={KEY}"), ("X-Id", "1"))
    )
    assert head.headers == (("Location", f"/x?key={'*' * len(KEY)}"), ("X-Id", "1"))
    assert mask.notes == ["Headers of the answer that were left out: openai-organization, set-cookie."]


def test_a_sentence_loses_the_key() -> None:
    assert mask_of().text(f"{KEY} was refused") == f"{'*' * len(KEY)} was refused"


@pytest.mark.parametrize("coding", ["gzip", "deflate", ""])
def test_a_coded_answer_is_kept_decoded_so_that_the_key_can_be_masked(coding: str) -> None:
    text = f"data: {KEY}\n\n".encode() * 50
    coded = zlib.compress(text) if coding == "deflate" else gzip.compress(text)
    for pieces in ([coded], streams.bytewise(coded)):
        mask = mask_of()
        head = mask.head(answer(("content-encoding", coding), ("content-type", "text/event-stream")))
        kept = b"".join([*[mask.feed(piece) for piece in pieces], mask.end()])
        assert kept == text.replace(KEY.encode(), b"*" * len(KEY))
        assert head.header("content-encoding") == ""
        assert "kept decoded" in mask.notes[0]


def test_a_coding_that_is_unknown_here_is_kept_as_filler_unless_it_is_text_after_all() -> None:
    mask = mask_of()
    coded = bytes(random.Random(1).randbytes(500))
    assert b"".join(through(mask, [coded], ("content-encoding", "snappy"))) == b"*" * 500
    assert "cannot be undone here" in mask.notes[0]
    assert b"".join(through(mask_of(), [b"data: {}\n\n"], ("content-encoding", "utf-8"))) == b"data: {}\n\n"


def test_without_a_secret_nothing_is_touched() -> None:
    coded = gzip.compress(b"data: {}\n\n")
    mask = mask_of("")
    head = mask.head(answer(("content-encoding", "gzip")))
    assert head.header("content-encoding") == "gzip"
    assert mask.feed(coded) + mask.end() == coded
    assert mask.notes == []


def test_a_key_too_short_to_be_told_from_text_is_said_so() -> None:
    mask = mask_of("test")
    assert b"".join(through(mask, [b"this is a test\n"])) == b"this is a test\n"
    assert "fewer than 8 characters" in mask.notes[0]


def test_a_text_that_a_person_marks_is_masked_however_short() -> None:
    mask = Mask(key=KEY, url=URL, marked=["Ada"])
    assert mask.text(f"Ada sent {KEY}") == "*** sent " + "*" * len(KEY)
    assert b"".join(through(mask, [b"I am A", b"da, not ada"])) == b"I am ***, not ada"
    assert mask.notes == ["A secret of the request came back and was masked, once."]


def test_what_a_person_writes_about_a_session_loses_what_looks_like_a_key() -> None:
    assert without_keys(f"why does {SHAPED} fail?") == f"why does {'*' * len(SHAPED)} fail?"
    assert without_keys("an ordinary title") == "an ordinary title"


TICKET = "eyJ" + "abcdefgh12" * 2 + "." + "x" * 12 + "." + "y" * 12


@pytest.mark.parametrize("key", [SHAPED, "AKIA" + "ABCD1234" * 2, TICKET])
def test_a_key_that_no_request_brought_is_masked_by_its_shape_however_it_is_cut(key: str) -> None:
    filler = "*" * len(key)
    lines = [f'data: {{"error":"key {key} is wrong:\\n{key} or%20{key}, see monkey-{key}"}}', "", key]
    text = expected = "\n".join(lines).encode()
    for before in (" ", "\\n", "%20", "\n"):
        expected = expected.replace(f"{before}{key}".encode(), f"{before}{filler}".encode())
    for pieces in ([text], streams.bytewise(text), *(streams.cut_at_random(text, seed) for seed in range(30))):
        mask = Mask()
        assert b"".join(through(mask, pieces)) == expected
        assert mask.notes == ["What looks like a key was masked in the answer, 4 times."]


def test_a_coded_answer_to_a_request_without_secrets_is_kept_as_it_came() -> None:
    coded = gzip.compress(f"data: {SHAPED}\n\n".encode())
    assert b"".join(through(Mask(), [coded], ("content-encoding", "gzip"))) == coded


def test_a_key_in_the_answers_head_is_masked_by_its_shape() -> None:
    head = Mask().head(answer(("x-debug", f"used {SHAPED}"), ("x-id", "req_1")))
    assert head.headers == (("x-debug", "used " + "*" * len(SHAPED)), ("x-id", "req_1"))
