"""The official Node clients read every healthy scenario, streamed and whole, to what this project reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.node_judges import node_judges
from tests.support.read_back import said_in
from tests.support.requests import HEALTHY, PATHS, answered, body

pytestmark = pytest.mark.node

# What the clients hand out only as an error: answers that were cut short, and a second response.in_progress.
NOT_HANDED_OUT = {("chat", "length"), ("responses", "length"), ("responses", "usage-everywhere")}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daphne]:
    server = Daphne(tmp_path_factory.mktemp("node"), application=GATEWAY_ALONE)
    yield server
    server.stop()


async def test_the_node_clients_accumulate_what_is_shown(gateway: Daphne) -> None:
    places = [(format, scenario, whole) for format in PATHS for scenario in HEALTHY for whole in (False, True)]
    cases = []
    for format, scenario, whole in places:
        request = body(format, scenario, max_tokens=8_000 if format == "messages" else None)
        del request["stream"]
        if whole:
            request.pop("stream_options", None)
        cases.append({"format": format, "request": request, "whole": whole})
    judged = await asyncio.to_thread(node_judges, gateway, cases)
    for (format, scenario, whole), got in zip(places, judged, strict=True):
        place = (format, scenario, "whole" if whole else "streamed")
        limit = {"max_tokens": 8_000} if format == "messages" else {}
        said = said_in(format, answered(format, scenario, **limit)[0])
        if got["raised"]:
            assert (format, scenario) in NOT_HANDED_OUT, (place, got["raised"])
            assert not whole
            continue
        assert got["text"] == said["text"], place
        assert got["refusal"] == said["refusal"], place
        assert got["finish"] == said["finish"], place
        assert got["usage"] == [said["usage"]["input"], said["usage"]["output"]], place
        assert got["calls"] == [[one["name"], json.loads(one["arguments"])] for one in said["tool_calls"]], place
