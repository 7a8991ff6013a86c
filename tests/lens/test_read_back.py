"""What a writer writes, the decoder of its format reads back to the same parts; streamed and whole."""

from __future__ import annotations

from typing import Any

import pytest

from playground.formats import FORMATS
from playground.gateway.catalogue import MODELS
from playground.gateway.scenarios import SCENARIOS
from playground.lens import finish
from playground.lens.interface import Writer
from playground.transcript import said
from tests.support.read_back import meaning, said_in, said_whole
from tests.support.requests import answered, whole

FAILING = {"error-mid", "error-only"}
CUT = {"cut", "bad-json"}
UNENDED = {"no-end", "no-finish"}
ANSWERING = [
    name
    for name, scenario in SCENARIOS.items()
    if not (scenario.refusal or scenario.page) and name not in {"flood", "long"} | UNENDED
]
HEALTHY = [name for name in ANSWERING if name not in FAILING | CUT]
ALL = [(format, model, name) for format in FORMATS for model in MODELS for name in ["", *ANSWERING]]


def expected(format: str, writer: Writer) -> dict[str, Any]:
    """What was said, as the format can say it."""
    meant = said(writer.transcript, events=0, complete=True)
    parts = [part for part in meant["parts"] if part["kind"] != "extra"]
    extras = [part for part in meant["parts"] if part["kind"] == "extra"]
    told: list[dict[str, Any]] = []
    for part in parts:
        kind = part["kind"]
        if kind == "reasoning" and format == "messages":
            part = {name: value for name, value in part.items() if name not in {"summary", "format"}}
        elif kind == "reasoning" and format == "responses":
            part = {name: value for name, value in part.items() if name not in {"signature", "format"}}
        elif kind == "refusal" and format == "messages":
            part = {"kind": "text", "text": part["text"]}
            meant = {**meant, "text": meant["text"] + part["text"], "refusal": ""}
        if kind != "server_tool":
            told.append(part)
    return {**meant, "parts": told, "extras": extras}


@pytest.mark.parametrize(("format", "model", "scenario"), ALL)
def test_a_stream_reads_back_to_what_the_script_said(format: str, model: str, scenario: str) -> None:
    body, writer, _ = answered(format, scenario, model=model)
    read, meant = said_in(format, body), expected(format, writer)
    if scenario not in CUT:
        assert read["text"] == meant["text"]
        assert read["complete"] is (scenario not in FAILING or format != "messages")
    assert read["reasoning"] == meant["reasoning"]
    assert read["tool_calls"] == meant["tool_calls"]
    assert read["errors"] == meant["errors"]
    parts = [part for part in read["parts"] if part["kind"] not in {"extra", "server_tool"}]
    assert parts == meant["parts"] or scenario in CUT
    if scenario in HEALTHY:
        assert read["usage"] == {**meant["usage"], "cached": 0}
        told = finish.FILTERED if format == "messages" and scenario == "refusal" else writer.finish_class
        assert meaning(format, body, read) == told


@pytest.mark.parametrize(("format", "model", "scenario"), [one for one in ALL if one[2] in HEALTHY])
def test_a_whole_answer_says_what_its_stream_says(format: str, model: str, scenario: str) -> None:
    body, _, _ = answered(format, scenario, model=model)
    streamed, at_once = said_in(format, body), said_whole(format, whole(format, scenario, model=model))
    for field in ("text", "reasoning", "refusal", "finish", "errors"):
        assert at_once[field] == streamed[field], field
    assert [(call["id"], call["name"]) for call in at_once["tool_calls"]] == [
        (call["id"], call["name"]) for call in streamed["tool_calls"]
    ]
    assert at_once["usage"] == streamed["usage"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_search_reads_back_as_the_format_tells_it(format: str) -> None:
    body, _, _ = answered(format, "web-search")
    parts = said_in(format, body)["parts"]
    if format == "chat":
        (search,) = [part for part in parts if part["kind"] == "extra"]
        assert search["name"] == "web_search"
        assert len(search["value"]["results"]) == 2
    else:
        (search,) = [part for part in parts if part["kind"] == "server_tool"]
        assert search["name"] == "web_search"
        assert search.get("results", 2) == 2
        assert "server-sent events" in (search.get("query") or search.get("input"))
    assert [part["kind"] for part in parts if part["kind"] != "extra"][-3:] == ["text", "citation", "citation"]


@pytest.mark.parametrize("format", ["chat", "messages"])
def test_an_extra_object_reads_back(format: str) -> None:
    body, _, _ = answered(format, "free-tier")
    extras = [part for part in said_in(format, body)["parts"] if part["kind"] == "extra"]
    assert extras == [{"kind": "extra", "name": "free_tier", "value": {"plan": "free", "limit": 50, "remaining": 37}}]


@pytest.mark.parametrize("format", FORMATS)
def test_a_flood_is_a_hundred_thousand_fragments(format: str) -> None:
    body, writer, _ = answered(format, "flood")
    read = said_in(format, body)
    assert 100_000 <= read["events"] <= 100_020
    assert read["text"] == said(writer.transcript, events=0, complete=True)["text"]
    assert read["complete"]
