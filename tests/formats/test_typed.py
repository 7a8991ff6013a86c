"""Messages and Responses: every golden stream comes out as its expect.json says."""

import pytest

from playground.formats.messages import Messages
from playground.formats.responses import Responses
from playground.sse.parser import Parser
from tests.support import streams
from tests.support.reading import Reading

DECODERS = {"messages": Messages, "responses": Responses}
CASES = [case for case in streams.CASES if streams.is_stream(case) and streams.expected(case)["format"] in DECODERS]


@pytest.mark.parametrize("case", CASES)
def test_a_golden_stream_comes_out_as_expected(case):
    expected = streams.expected(case)
    reading = Reading(DECODERS[expected["format"]]())
    parser = Parser()
    for row in [*parser.feed(streams.body(case), 1, None), *parser.end()]:
        if row.kind == "event":
            reading.feed(row.data, name=row.name)
        else:
            reading.line(row.data)
    said = reading.end().said
    assert {name: said[name] for name in expected if name in said} == {
        name: value for name, value in expected.items() if name not in {"format", "note", "findings"}
    }
