"""A reference stream written in another format and back again says what it said, but for what was named as lost."""

from __future__ import annotations

import pytest

from playground.lens import WRITERS
from tests.lens.test_converted import REFERENCES, STREAMS, converted
from tests.support.read_back import meaning, said_in
from tests.support.streams import expected

WAYS = [
    (case, target)
    for case in REFERENCES
    for target in WRITERS
    if not expected(case)["errors"]
    if target != expected(case)["format"]
]


@pytest.mark.parametrize(("case", "target"), WAYS)
def test_there_and_back_again(case: str, target: str) -> None:
    source = expected(case)["format"]
    there, first = converted(source, (STREAMS / case / "stream.sse").read_bytes(), target)
    back, second = converted(target, there, source)
    lost = {loss.element for loss in [*first.lost, *second.lost]}
    own, read = said_in(source, (STREAMS / case / "stream.sse").read_bytes()), said_in(source, back)
    assert read["complete"]
    if "refusal" not in lost:
        assert (read["text"], read["refusal"]) == (own["text"], own["refusal"])
    if "reasoning" not in lost:
        assert read["reasoning"] == own["reasoning"]
    if not {"tool_call", "choice"} & lost:
        fields = ("id", "name", "arguments")
        assert [[one[field] for field in fields] for one in read["tool_calls"]] == [
            [one[field] for field in fields] for one in own["tool_calls"]
        ]
    if not {"finish", "refusal"} & lost:
        assert meaning(source, back, read) == first.finish_class
    if own["usage"] and "usage" not in lost:
        for count in ("output", "input"):
            assert read["usage"][count] == own["usage"][count], count
