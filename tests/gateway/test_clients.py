"""The official clients as judges: they read every healthy scenario, streamed and whole, to what this project reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest
from pydantic import BaseModel

from playground.gateway.catalogue import MODELS
from tests.support.daphne import Daphne
from tests.support.read_back import said_in, said_whole
from tests.support.requests import FULL_SPEED, HEALTHY, NATIVE, answered, body, whole

CONVERTED = ["", "reasoning", "tools", "web-search", "refusal"]


def places(format: str) -> list[tuple[str, str]]:
    """All scenarios of the format's own model, and of the others those whose conversion is of interest.

    The clients' stream helpers take seconds for a long answer: once a format is enough.
    """
    own = NATIVE[format]
    others = [(model, scenario) for model in MODELS if model != own for scenario in CONVERTED]
    return [*((own, scenario) for scenario in [*HEALTHY, "long"]), *others]


@pytest.fixture(scope="module")
def openai_client(daphne: Daphne) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        base_url=f"{daphne.url}/v1", api_key="any", default_headers=FULL_SPEED, max_retries=0, timeout=30
    ) as client:
        yield client


@pytest.fixture(scope="module")
def anthropic_client(daphne: Daphne) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(
        base_url=daphne.url, api_key="any", default_headers=FULL_SPEED, max_retries=0, timeout=30
    ) as client:
        yield client


def sent(format: str, model: str, scenario: str, **fields: Any) -> dict[str, Any]:
    request = body(format, scenario, model=model, **fields)
    del request["stream"]
    return request


def calls_of(said: dict[str, Any]) -> list[tuple[str, str, Any]]:
    return [(call["id"], call["name"], json.loads(call["arguments"])) for call in said["tool_calls"]]


@pytest.mark.parametrize(("model", "scenario"), places("chat"))
def test_openai_reads_chat(openai_client: openai.OpenAI, model: str, scenario: str) -> None:
    expected = said_in("chat", answered("chat", scenario, model=model)[0])
    request = sent("chat", model, scenario)
    with openai_client.chat.completions.stream(**request) as stream:
        for _ in stream:
            pass
        streamed = stream.current_completion_snapshot  # the final one is kept back when the answer was cut short
    del request["stream_options"]
    for completion in (streamed, openai_client.chat.completions.create(**request)):
        (choice,) = completion.choices
        assert (choice.message.content or "") == expected["text"]
        assert (choice.message.refusal or "") == expected["refusal"]
        assert choice.finish_reason == expected["finish"]
        calls = choice.message.tool_calls or []
        assert [(call.id, call.function.name, json.loads(call.function.arguments)) for call in calls] == calls_of(
            expected
        )
        assert completion.usage is not None
        assert completion.usage.prompt_tokens == expected["usage"]["input"]
        assert completion.usage.completion_tokens == expected["usage"]["output"]
        details = (choice.message.model_extra or {}).get("reasoning_details", [])
        assert "".join(one.get("summary") or one.get("text") or "" for one in details) == expected["reasoning"]


@pytest.mark.parametrize(("model", "scenario"), places("responses"))
def test_openai_reads_responses(openai_client: openai.OpenAI, model: str, scenario: str) -> None:
    expected = said_in("responses", answered("responses", scenario, model=model)[0])
    request = sent("responses", model, scenario)
    with openai_client.responses.stream(**request) as stream:
        ends = {"response.completed", "response.incomplete"}
        streamed = next(event.response for event in stream if event.type in ends)
    for response in (streamed, openai_client.responses.create(**request)):
        assert response.output_text == expected["text"]
        assert response.status == expected["finish"]
        calls = [item for item in response.output if item.type == "function_call"]
        assert [(call.call_id, call.name, json.loads(call.arguments)) for call in calls] == calls_of(expected)
        reasoning = [item for item in response.output if item.type == "reasoning"]
        texts = [part.text for item in reasoning for part in [*(item.content or []), *item.summary]]
        assert "".join(texts) == expected["reasoning"]
        assert response.usage is not None
        assert response.usage.input_tokens == expected["usage"]["input"]
        assert response.usage.output_tokens == expected["usage"]["output"]


@pytest.mark.parametrize(("model", "scenario"), places("messages"))
def test_anthropic_reads_messages(anthropic_client: anthropic.Anthropic, model: str, scenario: str) -> None:
    expected = said_in("messages", answered("messages", scenario, model=model, max_tokens=8_000)[0])
    request = sent("messages", model, scenario, max_tokens=8_000)
    with anthropic_client.messages.stream(**request) as stream:
        streamed = stream.get_final_message()
    for message in (streamed, anthropic_client.messages.create(**request)):
        assert "".join(block.text for block in message.content if block.type == "text") == expected["text"]
        assert "".join(block.thinking for block in message.content if block.type == "thinking") == expected["reasoning"]
        calls = [block for block in message.content if block.type == "tool_use"]
        assert [(call.id, call.name, call.input) for call in calls] == calls_of(expected)
        assert message.stop_reason == expected["finish"]
        assert message.usage.input_tokens == expected["usage"]["input"]
        assert message.usage.output_tokens == expected["usage"]["output"]


@pytest.mark.parametrize("scenario", HEALTHY)
def test_whole_answers_have_the_shape_that_the_types_demand(scenario: str) -> None:
    """The clients build their types without checking; here they are checked."""
    from anthropic.types import Message
    from openai.types.chat import ChatCompletion
    from openai.types.responses import Response

    kinds: dict[str, type[BaseModel]] = {"chat": ChatCompletion, "messages": Message, "responses": Response}
    for format, kind in kinds.items():
        document = whole(format, scenario)
        kind.model_validate(document)
        assert said_whole(format, document)["errors"] == []


@pytest.mark.parametrize("scenario", ["error-mid", "error-only"])
def test_the_clients_raise_what_comes_as_an_error_inside_a_stream(
    openai_client: openai.OpenAI, anthropic_client: anthropic.Anthropic, scenario: str
) -> None:
    with pytest.raises(openai.APIError) as chat:
        list(openai_client.chat.completions.create(**sent("chat", "z-ai/glm-5.2", scenario), stream=True))
    assert chat.value.message == said_in("chat", answered("chat", scenario)[0])["errors"][0]
    with pytest.raises(openai.APIError):
        list(openai_client.responses.create(**sent("responses", "gpt-5.2", scenario), stream=True))
    with pytest.raises(anthropic.APIError):
        list(anthropic_client.messages.create(**sent("messages", "claude-sonnet-5", scenario), stream=True))


def test_the_clients_raise_their_own_kind_for_every_refusal(
    openai_client: openai.OpenAI, anthropic_client: anthropic.Anthropic
) -> None:
    with pytest.raises(openai.InternalServerError) as busy:
        openai_client.chat.completions.create(**sent("chat", "z-ai/glm-5.2", "overloaded"))
    assert busy.value.status_code == 503
    assert busy.value.code == "overloaded"
    with pytest.raises(openai.NotFoundError) as unknown:
        openai_client.responses.create(model="gpt-9", input="Hi")
    assert unknown.value.param == "model"
    with pytest.raises(anthropic.APIStatusError) as full:
        anthropic_client.messages.create(**sent("messages", "claude-sonnet-5", "overloaded"))
    assert full.value.status_code == 529
    with pytest.raises(anthropic.NotFoundError) as nobody:
        anthropic_client.messages.create(**sent("messages", "claude-sonnet-5", "nonsense"))
    assert nobody.value.request_id is not None


def test_the_models_are_listed_for_both_clients(
    openai_client: openai.OpenAI, anthropic_client: anthropic.Anthropic
) -> None:
    assert [model.id for model in openai_client.models.list()] == list(MODELS)
    assert [model.id for model in anthropic_client.models.list()] == list(MODELS)


WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "A city"},
        "days": {"type": "integer", "minimum": 1, "maximum": 7},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
    },
    "required": ["city", "days", "unit"],
}
CLOCK = {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]}
PROMPT = "What will the weather in Lisbon be for the next 3 days, in fahrenheit?"


def test_a_tool_loop_over_chat_ends_in_text(openai_client: openai.OpenAI) -> None:
    tools: Any = [
        {"type": "function", "function": {"name": "get_time", "description": "The time of day", "parameters": CLOCK}},
        {"type": "function", "function": {"name": "get_weather", "description": "A forecast", "parameters": WEATHER}},
    ]
    messages: list[Any] = [{"role": "user", "content": PROMPT}]
    with openai_client.chat.completions.stream(model="gpt-5.2", messages=messages, tools=tools) as stream:
        message = stream.get_final_completion().choices[0].message
    (call,) = message.tool_calls or []
    assert call.function.name == "get_weather"
    assert json.loads(call.function.arguments) == {"city": "Lisbon", "days": 3, "unit": "fahrenheit"}
    messages += [
        message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": "70 F, sun"},
    ]
    answer = openai_client.chat.completions.create(model="gpt-5.2", messages=messages, tools=tools).choices[0]
    assert answer.finish_reason == "stop"
    assert "`get_weather` says: 70 F, sun" in (answer.message.content or "")


def test_a_tool_loop_over_messages_runs_by_the_clients_own_runner(anthropic_client: anthropic.Anthropic) -> None:
    asked: list[tuple[str, int]] = []

    @anthropic.beta_tool
    def get_weather(city: str, days: int) -> str:
        """A forecast for a city.

        Args:
            city: The city
            days: How many days
        """
        asked.append((city, days))
        return f"{city}: rain for {days} days"

    runner = anthropic_client.beta.messages.tool_runner(
        model="claude-sonnet-5", max_tokens=2_000, tools=[get_weather], messages=[{"role": "user", "content": PROMPT}]
    )
    last = list(runner)[-1]
    assert asked == [("Lisbon", 3)]
    assert last.stop_reason == "end_turn"
    assert "Lisbon: rain for 3 days" in "".join(block.text for block in last.content if block.type == "text")


def test_a_tool_loop_over_responses_ends_in_text(openai_client: openai.OpenAI) -> None:
    tools: Any = [{"type": "function", "name": "get_weather", "parameters": WEATHER, "strict": False}]
    turns: list[Any] = [{"role": "user", "content": PROMPT}]
    first = openai_client.responses.create(model="gpt-5.2", input=turns, tools=tools)
    (call,) = [item for item in first.output if item.type == "function_call"]
    turns += [item.model_dump(exclude_none=True) for item in first.output]
    turns.append({"type": "function_call_output", "call_id": call.call_id, "output": "fog"})
    with openai_client.responses.stream(model="gpt-5.2", input=turns, tools=tools) as stream:
        last = stream.get_final_response()
    assert "`get_weather` says: fog" in last.output_text


@pytest.mark.parametrize("format", ["chat", "messages", "responses"])
def test_two_parallel_calls_are_made_of_the_tools_that_are_offered(format: str) -> None:
    offered = {
        "chat": [{"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}],
        "messages": [{"name": "get_weather", "input_schema": WEATHER}],
        "responses": [{"type": "function", "name": "get_weather", "parameters": WEATHER}],
    }[format]
    said = said_in(format, answered(format, "tools", tools=offered, prompt=PROMPT)[0])
    assert [call["name"] for call in said["tool_calls"]] == ["get_weather", "get_weather"]
    assert len({call["id"] for call in said["tool_calls"]}) == 2
    for call in said["tool_calls"]:
        assert json.loads(call["arguments"])["city"] == "Lisbon"


@pytest.mark.parametrize("model", MODELS)
def test_an_agent_goes_through_its_tools_by_the_clients_own_runner(
    anthropic_client: anthropic.Anthropic, model: str
) -> None:
    """Each model at the Messages address, its calls converted: one call a turn, then the answer."""
    asked: list[str] = []

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """A forecast for a city."""
        asked.append(f"weather {city}")
        return "rain"

    @anthropic.beta_tool
    def get_tides(port: str) -> str:
        """When the sea is high in a port."""
        asked.append(f"tides {port}")
        return "at six"

    prompt = "What will the weather and the tides be in Lisbon?"
    runner = anthropic_client.beta.messages.tool_runner(
        model=f"{model}:agent",
        max_tokens=2_000,
        tools=[get_weather, get_tides],
        messages=[{"role": "user", "content": prompt}],
    )
    turns = list(runner)
    assert sorted(asked) == ["tides Lisbon", "weather Lisbon"]
    assert [turn.stop_reason for turn in turns] == ["tool_use", "tool_use", "end_turn"]
