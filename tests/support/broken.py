"""Answers that echo SECRET where it is to be left out, whole and broken in every way. Used by the tests of the veil."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Final

SECRET: Final = "SECRET"

ECHOED: Final = [
    rb'{"response":{"instructions":"SECRET"}}',
    rb'{"a":"b"c","instructions":"SECRET"}',
    rb'{"a":1]},"instructions":"SECRET"}',
    rb'{"a":1}},"instructions":"SECRET"}',
    rb'{"a":"b,"instructions":"SECRET"}',
    rb'{"a":"b\","instructions":"SECRET"}',
    rb'{"a":"b"","instructions":"SECRET"}',
    rb'{"a" "instructions":"SECRET"}',
    rb'{"a":1 "instructions":"SECRET"}',
    rb'{"a":1,,"instructions":"SECRET"}',
    rb'{"instructions" "SECRET"}',
    rb'{"instructions":"SECRET"',
    rb'{"instructions:"SECRET"}',
    rb'{instructions:"SECRET"}',
    rb"{'instructions':'SECRET'}",
    rb'{/* no JSON */"instructions":"SECRET"}',
    rb'{"a":1} // {"instructions":"SECRET"}',
    rb'{"a":1}{"b":2} "SECRET"',
    rb'"instructions":"SECRET"}',
    rb"instructions: SECRET",
    rb'said: {"instructions":"SECRET"}',
    rb"[DONE] SECRET",
    rb"[DONE,SECRET]",
    rb'{"a":trueSECRET}',
    rb'{"a":1SECRET}',
    rb'{"\u0069nstructions":"SECRET"}',
    rb'{"Instructions":"SECRET"}',
    rb'{"instructions":"SECRET","instructions":"SECRET","instructions":1}',
    rb'{"in\xstructions":"SECRET"}',
    rb'{"input":"SECRET"}',
    rb'{"type":"response.created","input":[{"content":"SECRET"}]}',
    rb'{"response":{"input":[{"role":"system","content":"SECRET"}]}}',
    rb'{"messages":[{"role":"system","content":"SECRET"}]}',
    rb'{"request":{"messages":[{"content":"SECRET"}]}}',
    rb'{"detail":[{"loc":["body","messages"],"msg":"missing","input":{"model":"SECRET"}}],"body":"SECRET"}',
    rb'{"response":{"systemInstruction":{"parts":["SECRET"]},"mcp_servers":[{"url":"SECRET"}]}}',
    rb'{"function_call":{"name":"SECRET"}}',
    rb'{"prompt":"SECRET"}',
]
"""What may stand in a data line, or in a line without a field."""

BODIES: Final = [
    *(b"event: x\ndata: %s\n\ndata: [DONE]\n\n" % text for text in ECHOED),
    *(b'data: {"a":1}\n\n%s\n\n' % text for text in ECHOED),
    *(b'data: {"a":1}\n\n: %s\n\n' % text for text in ECHOED),
    *(b'data: {"a":\n%s\ndata: 1}\n\n' % text for text in ECHOED),
    *(b"error: %s\n\n" % text for text in ECHOED),
    *(b"%s\n" % text for text in ECHOED),
    *(b'{"partial\n\ndata: %s\n\n' % text for text in ECHOED),
    *(b'{"a":1}\n{"partial\n%s\n' % text for text in ECHOED),
    *(b'{\n "a": "b"c",\n "tools": [\n%s\n]}' % text for text in ECHOED),
    b'data: {"response":\ndata: {"instructions":\ndata:\ndata: "SECRET"}}\n\n',
    b'data: {"instructions":\n\n"SECRET"}\n\n',
    b'data: {"tools":\n\n{"name":"SECRET"}}\n\n',
    b'data: {"a":"x\nevent: SECRET\n\n',
    b"event: x SECRET\nid: 1 SECRET\nretry: SECRET SECRET\n\n".replace(b"retry: SECRET", b"retry: 12"),
    b"retry: 5000\n\nretry: 5 0\n\nid: a\0b\n\n: keep-alive SECRET\n\n",
    b"\xef\xbb\xbf\xef\xbb\xbfdata: SECRET\n\n",
    '\ufeff{"system":"SECRET"}'.encode(),
    '{"system":"SECRET"}'.encode("utf-16"),
    b'{\n "a": 1,\n: "tools": {\n  "name": "SECRET"\n }\n}\n',
    b'{\n "a": 1,\nid: "tools": {\n  "name": "SECRET"\n }\n}\n',
    b'data: {"a": 1,\n:data: "tools": {\ndata: "name": "SECRET"\ndata: }}\n\n',
    b"<html><body>You sent SECRET</body></html>",
    b"upstream said: SECRET",
]

_RESPONSE: Final[dict[str, Any]] = {
    "id": "resp_1",
    "instructions": SECRET,
    "error": None,
    "tools": [{"type": "function", "name": SECRET, "parameters": {"a": [1, {"b": SECRET}]}}],
    "input": [{"role": "system", "content": [{"type": "input_text", "text": SECRET}]}],
    "metadata": {"who": SECRET},
    "output": [],
    "usage": {"input_tokens": 3},
}
WELL_FORMED: Final = [
    b"event: response.created\ndata: %s\n\n"
    % json.dumps({"type": "response.created", "sequence_number": 0, "response": _RESPONSE}).encode(),
    b"data: %s\n\n" % json.dumps({"id": "x", "choices": [{"delta": {"content": "hi"}}], "messages": [SECRET]}).encode(),
    b"data: %s\n\n" % json.dumps({"a": 'b"\\', "system": {"text": SECRET}, "z": [1.5, None]}).encode(),
    b'data: {"response":\ndata:  {"a": [1, 2],\ndata:  "tools": ["SECRET"], "user": "SECRET"}}\n\n',
    b"".join(b"data: %s\n" % line for line in json.dumps({"response": _RESPONSE}, indent=1).encode().split(b"\n"))
    + b"\n",
    json.dumps(_RESPONSE, indent=1).encode(),
    json.dumps(_RESPONSE).encode() + b"\n" + json.dumps({"request": {"messages": SECRET}}).encode() + b"\n",
]

_STRUCTURE: Final = rb'{}[]:,"\ ' + b"\n"
_KEPT: Final = re.compile(
    rb'"(?:instructions|tools|input|messages|metadata|system|user|request|type|response\.created)"|SECRET'
    rb"|data: |event: "
)


def mutated(body: bytes, seed: int) -> bytes:
    """One to three bytes of structure deleted, inserted, doubled or swapped, none inside a name or SECRET."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        kept = [match.span() for match in _KEPT.finditer(body)]
        at = chance.choice([at for at, byte in enumerate(body) if byte in _STRUCTURE] or [0])
        what = chance.choice(("delete", "insert", "double", "swap"))
        if any(start + (what == "insert") <= at < end for start, end in kept):
            continue
        if what == "delete":
            body = body[:at] + body[at + 1 :]
        elif what == "insert":
            body = body[:at] + bytes([chance.choice(_STRUCTURE)]) + body[at:]
        elif what == "double":
            body = body[: at + 1] + body[at:]
        else:
            body = body[:at] + body[at + 1 : at + 2] + body[at : at + 1] + body[at + 2 :]
    return body
