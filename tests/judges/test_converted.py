"""The official clients read a reference stream that was written in another format: it says what it said."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import openai
import pytest

from tests.lens.test_converted import REFERENCES, converted
from tests.support import streams
from tests.support.official import JUDGES
from tests.support.read_back import meaning, said_in

FORMATS = ("chat", "messages", "responses")
WAYS = [(case, target) for case in REFERENCES for target in FORMATS if target != streams.expected(case)["format"]]
WHOLE = [way for way in WAYS if not streams.expected(way[0])["errors"]]
FAILED = [way for way in WAYS if streams.expected(way[0])["errors"]]


def called(calls: list[dict[str, Any]], target: str) -> list[tuple[str, str, Any]]:
    """Id, name and arguments; the Messages client keeps the parsed input and not its text."""
    return [
        (call["id"], call["name"], parsed(call["arguments"]) if target == "messages" else call["arguments"])
        for call in calls
    ]


def parsed(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


@pytest.mark.parametrize(("case", "target"), WHOLE)
def test_a_converted_reference_says_the_same_to_the_official_client(case: str, target: str) -> None:
    meant, source = streams.expected(case), streams.body(case)
    body, writer = converted(meant["format"], source, target)
    lost = {loss.element for loss in writer.lost}
    theirs = JUDGES[target](body)
    if "refusal" not in lost:
        assert (theirs["text"], theirs["refusal"]) == (meant["text"], meant["refusal"])
    if "reasoning" not in lost:
        assert theirs["reasoning"] == meant["reasoning"]
    if not {"tool_call", "choice"} & lost:
        assert called(theirs["tool_calls"], target) == called(meant["tool_calls"], target)
    if not {"finish", "refusal"} & lost:
        assert meaning(target, body, {**said_in(target, body), "finish": theirs["finish"]}) == writer.finish_class
    if meant["usage"]:
        ours, counted = whole_prompt(meant["usage"], meant["format"]), whole_prompt(theirs["usage"], target)
        for count in ("input", "output", "reasoning", "cached"):
            assert (counted[count] or 0) == (ours[count] or 0), count


def whole_prompt(usage: dict[str, Any], format: str) -> dict[str, Any]:
    """Messages counts the cached part of a prompt apart from the rest."""
    return {**usage, "input": usage["input"] + (usage["cached"] or 0)} if format == "messages" else usage


@pytest.mark.parametrize(("case", "target"), FAILED)
def test_a_converted_error_is_an_error_to_the_official_client(case: str, target: str) -> None:
    meant = streams.expected(case)
    body, _ = converted(meant["format"], streams.body(case), target)
    with pytest.raises((openai.APIError, anthropic.APIError), match=meant["errors"][0]):
        JUDGES[target](body)


@pytest.mark.parametrize(
    ("target", "arguments"), [("chat", '{"input":"select 1"}'), ("messages", {"input": "select 1"})]
)
def test_a_call_with_free_text_is_told_as_an_object_and_said_to_be(target: str, arguments: Any) -> None:
    body, writer = converted("responses", streams.body("ref-resp-custom-tool"), target)
    assert [call["arguments"] for call in JUDGES[target](body)["tool_calls"]] == [arguments]
    assert "tool_call" in {loss.element for loss in writer.lost}
