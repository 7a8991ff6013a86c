"""What is left out is nowhere, and everything else stands where it stood."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from playground.recordings.veil import LeftOut, Veil, left_out
from tests.support import streams

SECRET = 'Obey "Ada" and\nnobody else: été'
TOOLS = [
    {
        "type": "function",
        "name": "look_up_salary",
        "strict": True,
        "parameters": {"type": "object", "properties": {"employee-number": {"type": "integer", "minimum": -12.5e3}}},
    }
]
RESPONSE = {"id": "resp_1", "object": "response", "status": "in_progress", "instructions": SECRET, "tools": TOOLS}
ALL = left_out(["system", "tools"], [])


def event(name: str, **fields: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n"


STREAM = (
    event("response.created", response=RESPONSE)
    + event("response.in_progress", response=RESPONSE)
    + ": keep-alive\n\n"
    + event("response.output_text.delta", item_id="m", output_index=0, content_index=0, delta="the tools said \u00e9")
    + event("response.completed", response={**RESPONSE, "status": "completed", "output": []})
    + "data: [DONE]\n\n"
).encode()


def through(without: LeftOut, pieces: Iterable[bytes], *headers: tuple[str, str]) -> list[bytes]:
    veil = Veil(without)
    veil.head(Head("POST", "", (), b"", status=200, headers=headers))
    return [*[veil.feed(piece) for piece in pieces], veil.end()]


def veiled(without: LeftOut, body: bytes, *headers: tuple[str, str]) -> bytes:
    return b"".join(through(without, [body], *headers))


def request(body: Any, *parts: str, texts: Iterable[str] = ()) -> bytes:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Veil(left_out(parts, texts)).request(Head("POST", "", (), text)).request_body


def said(body: bytes) -> list[Any]:
    return [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: {")]


def test_instructions_and_tools_are_left_out_of_every_event_that_echoes_them() -> None:
    body = veiled(ALL, STREAM)
    assert len(body) == len(STREAM)
    for secret in (b"Obey", b"Ada", b"salary", b"employee", b"12500", b"integer"):
        assert secret not in body
    created, _, delta, completed = said(body)
    assert created["response"]["instructions"] == "*" * (len(json.dumps(SECRET)) - 2)
    assert created["response"]["tools"] == completed["response"]["tools"]
    assert created["response"]["id"] == "resp_1"
    assert delta["delta"] == "the tools said \u00e9"


@given(st.lists(st.integers(0, len(STREAM)), max_size=30))
@settings(max_examples=300, deadline=None)
def test_however_the_body_is_cut_the_same_bytes_come_out_read_by_read(cuts: list[int]) -> None:
    pieces = streams.cut(STREAM, cuts)
    found = through(ALL, pieces)
    assert [len(piece) for piece in found] == [*map(len, pieces), 0]
    assert b"".join(found) == veiled(ALL, STREAM)


def test_byte_by_byte_is_no_other_cut() -> None:
    for body in (STREAM, STREAM.replace(b"\n", b"\r\n"), STREAM.replace(b"\n", b"\r"), b"\xef\xbb\xbf" + STREAM):
        assert b"".join(through(ALL, streams.bytewise(body))) == veiled(ALL, body)
        assert b"Obey" not in veiled(ALL, body)


@pytest.mark.parametrize("case", streams.CASES)
def test_a_golden_stream_keeps_its_rows_and_its_words(case: str) -> None:
    body = streams.body(case)
    for seed in range(3):
        pieces = streams.cut_at_random(body, seed)
        plain, behind = Pipeline(None), Pipeline(None)
        head = Head("POST", "", (), b"", status=200)
        veil = Veil(left_out(["body"], []))
        plain.head(head)
        behind.head(veil.head(head))
        for number, piece in enumerate(filter(None, pieces), 1):
            expected, step = (
                plain.feed(Read(number, number, piece)),
                behind.feed(Read(number, number, veil.feed(piece))),
            )
            assert [*map(place_of, step.rows)] == [*map(place_of, expected.rows)]
        plain.end(End("closed", 1))
        behind.end(End("closed", 1))
        assert behind.said() == plain.said()


def place_of(row: Any) -> tuple[Any, ...]:
    """A row without what it says; an ignored line is named after its first word."""
    return row.number, row.kind, row.name if row.kind == "event" else "", row.start, row.end


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(json_values, st.booleans(), st.integers(1, 9))
@settings(max_examples=300, deadline=None)
def test_whatever_is_left_out_the_json_stays_json_of_the_same_size(value: Any, ascii: bool, every: int) -> None:
    text = json.dumps({"a": [1, {"b": "x"}], "tools": value, "z": "said"}, ensure_ascii=ascii)
    for body in (f"data: {text}\n\n".encode(errors="surrogatepass"), text.encode(errors="surrogatepass")):
        pieces = [body[at : at + every] for at in range(0, len(body), every)]
        found = b"".join(through(ALL, pieces))
        assert len(found) == len(body)
        read = json.loads(found.removeprefix(b"data: ").decode())
        assert (read["a"], read["z"]) == ([1, {"b": "x"}], "said")
        assert not any(letter not in "*" for letter in strings_of(read["tools"]))


def strings_of(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(value) + "".join(map(strings_of, value.values()))
    if isinstance(value, list):
        return "".join(map(strings_of, value))
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    "body",
    [
        b'{"instructions":"Obey Ada","output":[]}',
        b'{"a":1}\n{"response":{"instructions":"Obey Ada"}}\n',
        b'data: {"\\u0069nstructions":"Obey Ada"}\n\n',
        b'data: {"response":{"instructions":\ndata: "Obey Ada"}}\n\n',
        b'data: {"instructions":[{"role":"system","content":[{"text":"Obey Ada"}]}]}\n\n',
        b'data:{"instructions":"Obey Ada',
        b': say "\ndata: {"instructions" : "Obey Ada"}\r\n\r\n',
        b'event: x\ndata: {"a":"b"}\ndata: {"tools":["Obey Ada"]}\n\n',
        b'\n\n[{"tools":{"Obey Ada":1}}]',
    ],
)
def test_it_is_found_in_every_shape_of_a_body(body: bytes) -> None:
    for pieces in ([body], streams.bytewise(body)):
        found = b"".join(through(ALL, pieces))
        assert len(found) == len(body)
        assert b"Ada" not in found
        assert found.count(b"data:") == body.count(b"data:")


def test_an_event_that_breaks_off_takes_nothing_of_the_next_one_with_it() -> None:
    body = b'data: {"tools":[{"name":"x\n\ndata: {"delta":"said"}\n\n'
    assert veiled(ALL, body).endswith(b'\n\ndata: {"delta":"said"}\n\n')


def test_what_the_model_says_is_not_left_out() -> None:
    body = b'{"content":[{"type":"tool_use","input":{"instructions":"stir","tools":["spoon"]}}]}'
    assert veiled(ALL, body) == body


def test_with_the_whole_body_go_all_its_echoes() -> None:
    response = {**RESPONSE, "metadata": {"who": "Ada"}, "user": "ada", "text": {"format": {"name": "form"}}}
    body = (event("response.created", response=response) + event("response.output_text.done", text="spoken")).encode()
    created, done = said(veiled(left_out(["body"], []), body))
    assert strings_of(created["response"]["metadata"]).strip("*") == ""
    assert strings_of(created["response"]["text"]).strip("*") == ""
    assert done["text"] == "spoken"


def test_a_compressed_answer_is_decoded_first() -> None:
    found = veiled(ALL, gzip.compress(STREAM), ("content-encoding", "gzip"))
    assert found == veiled(ALL, STREAM)
    assert set(veiled(ALL, b"\x00\x01\x02", ("content-encoding", "unheard-of"))) == {ord("*")}


def test_a_text_is_left_out_wherever_it_stands_and_however_it_is_escaped() -> None:
    without = left_out([], ['say "Brest"'])
    body = b'data: {"a":"I say \\"Brest\\" now"}\n\n'
    for pieces in ([body], streams.bytewise(body)):
        assert b"".join(through(without, pieces)) == body.replace(b'say \\"Brest\\"', b"*" * 13)
    veil = Veil(without)
    assert veil.text('x say "Brest"') == "x " + "*" * 11
    assert veil.request(Head("POST", "http://say/", (("X", 'say "Brest"'),), b"")).request_headers == (("X", "*" * 11),)


def test_system_text_of_every_format_is_left_out_of_the_request() -> None:
    chat = request({"messages": [{"content": "Obey", "role": "system"}, {"role": "user", "content": "hi"}]}, "system")
    assert json.loads(chat)["messages"] == [{"content": "****", "role": "system"}, {"role": "user", "content": "hi"}]
    messages = json.loads(request({"system": [{"type": "text", "text": "Obey"}], "max_tokens": 5}, "system"))
    assert messages == {"system": [{"****": "****"}], "max_tokens": 5}
    responses = request({"instructions": "Obey", "input": [{"role": "developer", "content": ["Obey"]}]}, "system")
    assert b"Obey" not in responses
    assert json.loads(responses)["input"][0]["role"] == "developer"


def test_tools_headers_and_the_whole_body_are_left_out_of_the_request() -> None:
    assert b"salary" not in request({"tools": TOOLS, "tool_choice": {"name": "look_up_salary"}}, "tools")
    assert request({"tools": TOOLS}, "body") == b""
    head = Head("POST", "", (("X-Team", "ada"),), b"{}")
    assert Veil(left_out(["headers"], [])).request(head).request_headers == ()


@pytest.mark.parametrize("body", [b"no json", b"[1]", b'{"system":"a","system":"b"}', b""])
def test_a_request_that_cannot_be_understood_is_left_out_whole(body: bytes) -> None:
    assert request(body, "system") == b"*" * len(body)


def test_nothing_left_out_changes_nothing() -> None:
    assert veiled(LeftOut(), STREAM) == STREAM
    assert request(b"no json") == b"no json"


def test_what_cannot_be_left_out_is_said() -> None:
    for parts, texts in ((["everything"], []), ([], ["ab"]), ([], [f"text {number}" for number in range(51)])):
        with pytest.raises(ValueError, match=r"\.$"):
            left_out(parts, texts)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_request_in_another_coding_is_left_out_whole(coding: str) -> None:
    body = '{"system": "Obey"}'.encode(coding)
    head = Veil(left_out(["system"], [])).request(Head("POST", "http://host.example/", (), body))
    assert head.request_body == b"*" * len(body)
