"""docs/judges.md is what a run says: what the official clients do with each faulty scenario, and what is shown here.

PLAYGROUND_WRITE_JUDGES=1 writes it anew.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playground.gateway.scenarios import SCENARIOS
from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.judging import CLIENTS, Judgement, judge, meant, shown
from tests.support.node_judges import node_judges
from tests.support.requests import HEALTHY, body

TABLE = Path(__file__).resolve().parent.parent.parent / "docs" / "judges.md"
WORST = ["cut", "no-end", "no-finish", "bad-json", "odd-tools"]
FAULTY = [
    "error-only",
    "error-mid",
    "overloaded",
    "cut",
    "no-end",
    "no-finish",
    "bad-json",
    "html",
    "whole",
    "odd-tools",
]
HEAD = """\
# What the official clients do with faulty streams

Each faulty scenario of the built-in gateway, read by the official Python clients through their stream helpers, up to
the final answer that they hand out; and what the playground shows of the same bytes. The worst five are read by the
official Node clients too. "All text" means every character that the model said. This file is made by a test run,
which fails when it no longer holds: see `tests/judges/test_faulty.py`.

| scenario | format | the client | the playground |
|---|---|---|---|
"""

NODE_HEAD = """\

## The Node clients

| scenario | format | the client |
|---|---|---|
"""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daphne]:
    server = Daphne(tmp_path_factory.mktemp("judges"), application=GATEWAY_ALONE)
    yield server
    server.stop()


def of_text(text: str, whole: str) -> str:
    if not whole:
        return ""
    return "all text" if text == whole else f"{len(text)} of {len(whole)} characters" if text else "no text"


def of_client(got: Judgement, format: str, scenario: str) -> str:
    text, calls = meant(format, scenario)
    told = [of_text(got.text, text)]
    if got.raised:
        return f"{told[0]}, then raises `{got.raised}`" if got.text else f"raises `{got.raised}`"
    if calls:
        told.append("the calls as they were meant" if got.calls == calls else f"{len(got.calls)} calls, not as meant")
    told.append(f"finish `{got.finish}`" if got.finish else "no finish")
    return "; ".join(filter(None, told)) + (", and nothing that warns" if scenario in {"no-end", "no-finish"} else "")


def of_playground(said: dict[str, Any], format: str, scenario: str) -> str:
    text, calls = meant(format, scenario)
    told = [f"*{said['word']}*"]
    if said["body"] != "stream":
        told.append(
            {"html": "a page, no answer", "json": "one JSON document"}.get(str(said["body"]), str(said["body"]))
        )
    if said["text"] or (text and said["word"] != "failed"):
        told.append(of_text(said["text"], text))
    if calls:
        shown_calls = [(call["name"], call["arguments"]) for call in said["tool_calls"]]
        told.append("the calls as they were meant" if len(shown_calls) == len(calls) else "other calls")
    if said["finish"]:
        told.append(f"finish `{said['finish']}`")
    if said["errors"]:
        told.append(f"the error: “{said['errors'][0]}”")
    return "; ".join(told)


def node_lines(gateway: Daphne) -> list[str]:
    places = [(scenario, format) for scenario in WORST for format in CLIENTS]
    requests = [body(format, scenario) for scenario, format in places]
    for request in requests:
        del request["stream"]
    cases = [
        {"format": format, "request": request, "whole": False}
        for (_, format), request in zip(places, requests, strict=True)
    ]
    lines = []
    for (scenario, format), told in zip(places, node_judges(gateway, cases), strict=True):
        calls = [(name, arguments) for name, arguments in told["calls"]]
        got = Judgement(told["text"], told["finish"], calls, not told["raised"], told["raised"])
        lines.append(f"| {scenario} | {CLIENTS[format]} | {of_client(got, format, scenario)} |\n")
    return lines


@pytest.mark.node
async def test_the_table_says_what_the_clients_do_today(gateway: Daphne) -> None:
    lines = []
    for scenario in FAULTY:
        for format in CLIENTS:
            got = await asyncio.to_thread(judge, gateway, format, scenario)
            said = await shown(gateway, format, scenario)
            lines.append(
                f"| {scenario} | {CLIENTS[format]} | {of_client(got, format, scenario)} "
                f"| {of_playground(said, format, scenario)} |\n"
            )
    table = HEAD + "".join(lines) + NODE_HEAD + "".join(await asyncio.to_thread(node_lines, gateway))
    if os.environ.get("PLAYGROUND_WRITE_JUDGES"):
        TABLE.write_text(table)
    assert TABLE.read_text() == table


def test_every_scenario_is_healthy_or_in_the_table() -> None:
    assert set(SCENARIOS) == {*HEALTHY[1:], *FAULTY, "long", "flood"}
