"""The veil fails closed: whatever is wrong with a body, what is left out does not come through in the clear."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable

import pytest

from playground.reads import Head
from playground.recordings import wire_veil
from playground.recordings.filling import DEEPEST, Filler
from playground.recordings.veil import Veil, left_out
from tests.support import streams

SECRET = b"Obey Ada"
PARTS = ["system", "tools", "body"]


def through(pieces: Iterable[bytes], parts: Iterable[str] = PARTS) -> bytes:
    veil = Veil(left_out(parts, []))
    veil.head(Head("POST", "", (), b"", status=200))
    return b"".join([*map(veil.feed, pieces), veil.end()])


def cuts(body: bytes, seeds: int = 6) -> list[list[bytes]]:
    return [[body], streams.bytewise(body), *(streams.cut_at_random(body, seed) for seed in range(seeds))]


BROKEN = [
    # A document that breaks off, and what comes behind it.
    b'{"partial\n\ndata: {"response":{"instructions":"Obey Ada"}}\n\n',
    b'{"partial\r\ndata: {"response":{"instructions":"Obey Ada"}}\r\n\r\n',
    b'{"a":1}\n{"partial":"x\n{"instructions":"Obey Ada"}\n',
    b'{"a":\n{"b":"x\n"instructions":"Obey Ada"}\n',
    b'{\n "a": "x,\n "instructions": "Obey Ada"\n}\n',
    b'{\n "a": "x,\n "input": [\n{"role":"system","content":"Obey Ada"}\n]}\n',
    b'{"a":1}}\n{"instructions":"Obey Ada"}',
    b'{"a":1} , "instructions":"Obey Ada"}',
    b'[{"a":1]}, {"instructions":"Obey Ada"}]',
    b"{'instructions':'Obey Ada'}",
    b'{instructions:"Obey Ada"}',
    b" " * 100 + b'{"instructions":"Obey Ada"}',
    b'\xef\xbb\xbf{"instructions":"Obey Ada"}',
    # JSON that is none, in a line of data.
    b'data: {"a":"b"c","instructions":"Obey Ada"}\n\n',
    b'data: {"a":1]},"instructions":"Obey Ada"}\n\n',
    b'data: {"a":1}},"instructions":"Obey Ada"}\n\n',
    b'data: {"a":"b,"instructions":"Obey Ada"}\n\n',
    b'data: {"a:"b","instructions":"Obey Ada"}\n\n',
    b'data: {"a""b","instructions":"Obey Ada"}\n\n',
    b'data: {"a":"b""instructions":"Obey Ada"}\n\n',
    b'data: {"a":"b" "instructions":"Obey Ada"}\n\n',
    b'data: {"instructions" "Obey Ada"}\n\n',
    b'data: {"instructions":"x"Obey Ada"}\n\n',
    b'data: {"instructions":"x"} Obey Ada"}\n\n',
    b'data: {"instructions":"x"} "Obey Ada"}\n\n',
    b'data: {"instructions":Obey Ada}\n\n',
    b"data: {'instructions':'Obey Ada'}\n\n",
    b'data: {instructions:"Obey Ada"}\n\n',
    b'data: {"instr\\uctions":"Obey Ada"}\n\n',
    b'data: {"Instructions":"Obey Ada"}\n\n',
    b'data: {"instructions":1,"instructions":"Obey Ada"}\n\n',
    b'data: // {\ndata: "instructions":"Obey Ada"}\n\n',
    b'data: [DONE] {"instructions":"Obey Ada"}\n\n',
    b'data: [DONE]\ndata: {"instructions":"Obey Ada"}\n\n',
    b'data: data: {"instructions":"Obey Ada"}\n\n',
    b'data: {"instructions":"one\n\nObey Ada\n\ndata: {"a":1}\n\n',
    b'data: {"instr\ndata: uctions":"Obey Ada"}\n\n',
    b"data: instructions=Obey Ada\n\n",
    b"data: Obey Ada instructions: \n\n",
    # Where no reader looks.
    b': {"instructions":"Obey Ada"}\n\n',
    b": the system prompt is Obey Ada\n\n",
    b": OPENROUTER PROCESSING Obey Ada\n\n",
    b'{"instructions":"Obey Ada"}\ndata: {"a":1}\n\n',
    b'debug: {"instructions":"Obey Ada"}\n\n',
    b"instructions Obey Ada\n\n",
    b'error: {"instructions":"Obey Ada"}\n\n',
    b'\xef\xbb\xbf\xef\xbb\xbfdata: {"instructions":"Obey Ada"}\n\n',
    b"<html><body>Obey Ada</body></html>",
    b"Bad request: instructions Obey Ada",
    # Other places for the request.
    b'data: {"response":{"input":[{"role":"system","content":"Obey Ada"}]}}\n\n',
    b'data: {"response":{"input":"Obey Ada"}}\n\n',
    b'data: {"input":[{"role":"system","content":"Obey Ada"}]}\n\n',
    b'data: {"messages":[{"role":"system","content":"Obey Ada"}]}\n\n',
    b'data: {"request":{"x":"Obey Ada"}}\n\n',
    b'data: {"choices":[],"debug":{"echo_upstream_body":{"x":"Obey Ada"}}}\n\n',
    b'{"input":"Obey Ada","output":[]}',
    b'data: {"system_instruction":{"parts":[{"text":"Obey Ada"}]}}\n\n',
    b'data: {"systemInstruction":{"parts":[{"text":"Obey Ada"}]}}\n\n',
    b'data: {"mcp_servers":[{"url":"Obey Ada"}]}\n\n',
    b'data: {"response":{"a_new_field":"Obey Ada"}}\n\n',
    b'{"detail":[{"loc":["body","messages"],"msg":"missing","input":{"model":"Obey Ada"}}],"body":"Obey Ada"}',
    b'data: {"error":{"detail":[{"input":"Obey Ada"}]}}\n\n',
    b'data: {"type":"response.created","input":"Obey Ada"}\n\n',
    b'data: {"input":"Obey Ada","type":"response.custom_tool_call_input.done"}\n\n',
    b'data: {"response":{"function_call":{"name":"Obey Ada"}}}\n\n',
    b'data: {"in\\xstructions":"Obey Ada"}\n\n',
    b'data: {"response[":{"metadata":{"who":"Obey Ada"}}}\n\n',
    b'data: [{"response":{"metadata":{"who":"Obey Ada"}}}]\n\n',
    b'data: {"choices":[{"delta":{}},{"messages":["Obey Ada"]}]}\n\n',
]


@pytest.mark.parametrize("body", BROKEN)
def test_nothing_comes_through_however_it_is_cut(body: bytes) -> None:
    for pieces in cuts(body):
        found = through(pieces)
        assert b"Ada" not in found
        assert len(found) == len(body)
        assert [at for at, byte in enumerate(found) if byte in b"\r\n"] == [
            at for at, byte in enumerate(body) if byte in b"\r\n"
        ]


@pytest.mark.parametrize(
    ("part", "body"),
    [
        ("system", b'{"a":1}\n{"messages":\n"Obey Ada"}\n'),
        ("system", b'{"a":1}\n{"messages":\n[{"content":"Obey Ada"}]}\n'),
        ("system", b'data: {"input":"Obey Ada"}\n\n'),
        ("system", b'data: {"type":"response.created","input":"Obey Ada"}\n\n'),
        ("system", b'{"detail":[{"loc":["body","x"],"input":{"messages":[{"content":"Obey Ada"}]}}]}'),
        ("system", b'data: {"response":{"prompt":{"variables":{"a":"Obey Ada"}}}}\n\n'),
        ("system", b'data: {"__verbose":{"prompt":"Obey Ada"}}\n\n'),
        ("system", b'data: {"contents":[{"parts":[{"text":"Obey Ada"}]}]}\n\n'),
        ("system", b'data: {"data":{"response":{"input":"Obey Ada"}}}\n\n'),
        ("system", b'[{"system-instruction":"Obey Ada"}]'),
        ("tools", b'data: {"function_call":{"name":"Obey Ada"}}\n\n'),
        ("tools", b'data: {"response":{"function_call":{"name":"Obey Ada"}}}\n\n'),
        ("tools", b'{"detail":[],"body":{"tools":"Obey Ada"}}'),
        ("body", b'[{"input":"x","user":"Obey Ada"}]'),
        ("body", b'data: {"data":{"metadata":"Obey Ada"}}\n\n'),
        ("body", b'data: {"tools":\n\ndata: "Obey Ada"}\n\n'),
    ],
)
def test_each_part_goes_from_all_its_places(part: str, body: bytes) -> None:
    for pieces in cuts(body):
        assert b"Ada" not in through(pieces, [part])


SYSTEM = [
    body for body in BROKEN if re.search(rb'"(?:input|messages|request|echo_upstream_body|system\w+)":', body, re.I)
]
"""Of these what goes with the system text alone, too."""


@pytest.mark.parametrize("parts", [["system"], ["body"]])
def test_system_messages_go_with_the_system_text_as_with_the_body(parts: list[str]) -> None:
    for body in SYSTEM:
        assert b"Ada" not in through([body], parts)


@pytest.mark.parametrize(
    "body",
    [
        b'data: {"type":"response.custom_tool_call_input.done","input":"stir"}\n\n',
        b'data: {"type":"content_block_start","content_block":{"type":"tool_use","input":{"tools":["spoon"]}}}\n\n',
        b'data: {"item":{"type":"custom_tool_call","input":"stir"}}\n\n',
        b'data: {"choices":[{"delta":{"content":"my instructions: \\"stir\\"","function_call":{"name":"x"}}}]}\n\n',
        b'data: {"choices":[{"message":{"content":"stir"}}],"n":NaN,"m":-Infinity,"k":-1.5e-3}\n\n',
        b"data: [DONE]\n\n",
        b"data:[DONE]\n\n",
        b": OPENROUTER PROCESSING\n\n:\n\n: keep-alive\n\n",
        b"event: ping\nid: 7\nretry: 10\ndata: {}\n\n",
        b'data: {\ndata:   "delta": "stir"\ndata: }\n\n',
        b'data: {"a":1}{"b":2}\n\n',
        b'{\n  "output": [\n    {"text": "stir"}\n  ]\n}\n',
        b'{"response":"stir","done":false}\n{"response":" it","done":true}\n',
        b'error: {"message":"too long"}\n\n',
    ],
)
def test_what_is_said_comes_through_however_it_is_cut(body: bytes) -> None:
    for pieces in cuts(body):
        assert through(pieces) == body


def test_a_broken_event_takes_nothing_of_the_next_one_with_it() -> None:
    body = b'data: {"a":"b"c","instructions":"Obey Ada"}\n\ndata: {"delta":"said"}\n\n'
    for pieces in cuts(body):
        assert through(pieces).endswith(b'\n\ndata: {"delta":"said"}\n\n')


def test_what_breaks_off_in_its_second_line_takes_all_with_it_until_an_event_has_a_name() -> None:
    broken_off = b'data: {"tools":\ndata: [\n\ndata: {"a":"Obey Ada"}\n\n'
    said = b'event: x\ndata: {"b":"said"}\n\ndata: {"c":"said"}\n\n'
    for pieces in cuts(broken_off + said):
        found = through(pieces)
        assert b"Ada" not in found
        assert found.endswith(said)


def test_a_line_that_breaks_off_takes_nothing_of_the_next_one_with_it() -> None:
    body = b'{"a":"said"}\n{"b":"x\n{"c":"said, too"}\n'
    for pieces in cuts(body):
        assert through(pieces).endswith(b'\n{"c":"said, too"}\n')


def mutated(text: bytes, secret: bytes, chance: random.Random) -> bytes:
    """The text with one to three changes outside of the name and of the secret."""
    for _ in range(chance.randint(1, 3)):
        name, value = text.index(b"instructions"), text.index(secret)
        # A letter beside the name makes another one.
        kept = [range(name - 1, name + 13), range(value, value + len(secret))]
        places = [at for at in range(len(text)) if not any(at in each for each in kept)]
        at = chance.choice(places)
        letter = chance.choice([b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b" ", b"'", b"x", b"1"])
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:at] + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + letter + text[at:]
        elif kind == 2:
            text = text[:at] + letter + text[at + 1 :]
        else:
            text = text[:at] + text[at : at + 1] + text[at:]
    return text


def one(chance: random.Random) -> bytes:
    """An event, or a body, that tells the instructions somewhere in it."""
    around = {
        "type": "response.created",
        "response": {"id": "r", "n": [1, -2.5, {"k": "v"}], "instructions": SECRET.decode(), "output": []},
        "sequence_number": 3,
    }
    value = chance.choice([around, around["response"], {"a": [{"tools": []}], "instructions": SECRET.decode()}])
    text = json.dumps(value, indent=chance.choice([None, None, 1]), separators=chance.choice([None, (",", ":")]))
    if chance.random() < 0.7:
        lines = "".join(f"data: {line}\n" for line in text.split("\n"))
        return f"event: x\n{lines}\ndata: [DONE]\n\n".encode()
    return f'{text}\n{{"done":true}}\n'.encode()


def leaks(seed: int) -> bytes | None:
    """The changed body, when it lets the secret through."""
    chance = random.Random(seed)
    body = mutated(one(chance), SECRET, chance)
    pieces = chance.choice([[body], streams.bytewise(body), streams.cut_at_random(body, seed)])
    return body if SECRET in through(pieces) else None


@pytest.mark.parametrize("seed", range(0, 2000, 100))
def test_no_few_changes_bring_the_secret_out(seed: int) -> None:
    found = [body for each in range(seed, seed + 100) if (body := leaks(each))]
    assert not found


def test_a_deep_text_is_filled_and_costs_no_more_than_its_bytes() -> None:
    filler = Filler(lambda path: False)
    assert filler.feed(b"[" * 5000) == b"[" * (DEEPEST + 1) + b"*" * (4999 - DEEPEST)


class Counting:
    """A pattern that counts the bytes over which it was led."""

    def __init__(self, pattern: re.Pattern[bytes]) -> None:
        self.pattern = pattern
        self.bytes = 0

    def match(self, body: bytes, start: int) -> re.Match[bytes] | None:
        found = self.pattern.match(body, start)
        rest = body[start : start + 200]
        self.bytes += len(rest) if found is None else found.end() - start
        return found


@pytest.mark.parametrize(
    "event",
    [
        *(
            b'data: {"user":"x"}\n\n',
            b": unheard of\n\n",
            b'data: {"a":1}\r\r',
            b'data: {"a":1}\n\n',
            b"data: x\r\n\r\n",
        ),
        *(b"event: x\n", b"id: 1\r\n", b'data: {"a":1}\n', b'event: x\ndata: {"user":1}\n\n'),
    ],
)
def test_the_short_way_is_tried_once_a_line(event: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    body = event * 2000
    tried = Counting(wire_veil._EVENT)
    monkeypatch.setattr(wire_veil, "_EVENT", tried)
    veil = wire_veil.WireVeil(frozenset(PARTS))
    assert len(veil.feed(body)) == len(body)
    assert tried.bytes <= 200 * 2 * body.count(event)
