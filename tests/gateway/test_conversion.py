"""A scripted model at another format's address: its own wire first, then the caller's format, what is lost known."""

from __future__ import annotations

import pytest

from playground.gateway.catalogue import MODELS
from tests.support.daphne import Daphne
from tests.support.http import ask
from tests.support.ledger import charges, own_key
from tests.support.read_back import events_of, said_in
from tests.support.requests import HEALTHY, NATIVE, PATHS, answered, body

FOREIGN = [(format, model) for format in PATHS for model in MODELS if NATIVE[format] != model]


@pytest.mark.parametrize(("format", "model"), FOREIGN)
@pytest.mark.parametrize("scenario", HEALTHY)
def test_a_model_says_the_same_at_every_address(format: str, model: str, scenario: str) -> None:
    native = MODELS[model].native_format
    own, read = (said_in(name, answered(name, scenario, model=model)[0]) for name in (native, format))
    assert read["text"] + read["refusal"] == own["text"] + own["refusal"]
    assert read["reasoning"] == own["reasoning"]
    assert [call["name"] for call in read["tool_calls"]] == [call["name"] for call in own["tool_calls"]]
    assert [call["arguments"] for call in read["tool_calls"]] == [call["arguments"] for call in own["tool_calls"]]
    # The same prompt is counted with the fields around it, which differ; what was said is not.
    assert read["usage"]["output"] == own["usage"]["output"]
    assert read["complete"]


@pytest.mark.parametrize("model", ["claude-sonnet-5", "gpt-5.2"])
@pytest.mark.parametrize("format", PATHS)
def test_a_search_keeps_its_query_and_its_results(format: str, model: str) -> None:
    raw = answered(format, "web-search", model=model)[0]
    text = raw.decode()
    assert text.count("https://html.spec.whatwg.org/multipage/server-sent-events.html") >= 2
    parts = said_in(format, raw)["parts"]
    if format == "chat":
        (search,) = [part["value"] for part in parts if part["kind"] == "extra"]
        assert "specification" in search["queries"][0]
        assert len(search["results"]) == 2
    else:
        (search,) = [part for part in parts if part["kind"] == "server_tool"]
        assert "specification" in (search.get("query") or search.get("input"))
        if format == "messages":
            assert search["results"] == 2


@pytest.mark.parametrize("format", ["chat", "responses"])
def test_a_citation_without_a_place_is_about_the_whole_text(format: str) -> None:
    """Messages tells no offsets."""
    raw = answered(format, "web-search", model="claude-sonnet-5")[0]
    text = said_in(format, raw)["text"]
    if format == "chat":
        deltas = [value["choices"][0]["delta"] for _, value in events_of(raw) if value != "[DONE]" and value["choices"]]
        (annotations,) = [delta["annotations"] for delta in deltas if "annotations" in delta]
        places = [one["url_citation"] for one in annotations]
    else:
        places = [value["annotation"] for name, value in events_of(raw) if name.endswith("annotation.added")]
    assert [(place["start_index"], place["end_index"]) for place in places] == [(0, len(text))] * 2


async def test_the_ledger_says_what_a_conversion_lost(daphne: Daphne) -> None:
    key = own_key()
    await ask(daphne, "messages", body("messages", "reasoning", model="z-ai/glm-5.2"), headers=key)
    await ask(daphne, "messages", body("messages", "reasoning"), headers=key)
    own, converted = await charges(daphne, key)
    assert own["lost"] == []
    assert [loss["element"] for loss in converted["lost"]] == ["reasoning"]
    assert "summary" in converted["lost"][0]["note"]


@pytest.mark.parametrize(("format", "model"), FOREIGN)
async def test_only_an_error_is_not_billed_wherever_it_is_read(daphne: Daphne, format: str, model: str) -> None:
    key = own_key()
    await ask(daphne, format, body(format, "error-only", model=model), headers=key)
    await ask(daphne, format, body(format, "error-mid", model=model), headers=key)
    middle, only = await charges(daphne, key)
    assert (only["cost_micros"], only["ended"]) == (0, "failed")
    assert middle["cost_micros"] > 0
