"""A request's body -> what it asks for, the same for the three formats; what is wrong with it is Refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playground.formats.interface import compact
from playground.gateway.catalogue import MODELS, Model
from playground.gateway.fields import Fields
from playground.gateway.refused import Refused
from playground.gateway.routes import named, routed

# The fields that cap an answer's tokens, and where the messages are, by format.
_LIMITS = {
    "chat": ("max_completion_tokens", "max_tokens"),
    "messages": ("max_tokens",),
    "responses": ("max_output_tokens",),
}
# Types of the tools that the client runs, where the type does not nest them.
_OWN_TOOLS: dict[str, tuple[str | None, ...]] = {"messages": (None, "custom"), "responses": ("function",)}
# Fields that change how an answer is sent, not what it says.
_TRANSPORT = ("stream", "stream_options")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that is offered; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool of the client answered: the call's id, the tool's name ("" when unknown), the output as text."""

    id: str
    name: str
    output: str


@dataclass(frozen=True, slots=True)
class Ask:
    """`format` is the address's, `name` the model as it was asked for. `scenario` is "" when the name has none.

    `prompt` is what the user said last. `tools` are those that may be called, none when the caller forbade it;
    `must_call` names the one that has to be. `parallel`: several may be called in one turn. `called`: the names of the
    calls made since the user spoke last. `results` are not empty when the last turn answers calls. `seen` is all text
    that the model reads. `digest`: 64 hex digits that depend on what was asked alone; made-up ids and signatures come
    from it.
    """

    format: str
    name: str
    model: Model
    scenario: str
    body: dict[str, Any]
    stream: bool
    usage: bool
    prompt: str
    tools: tuple[Tool, ...]
    must_call: str
    parallel: bool
    called: tuple[str, ...]
    results: tuple[Result, ...]
    max_tokens: int | None
    seen: str
    digest: str


def read(format: str, body: dict[str, Any]) -> Ask:
    """What the body asks for. Refused when a field is missing or wrong, or nobody has the model."""
    fields = Fields(body, format)
    _no_memory(format, body)
    name = fields.text("model")
    model, scenario = _model(name)
    turns = list(_turns(format, fields))
    stream = fields.flag("stream")
    options = fields.mapping("stream_options")
    results = _results(turns)
    tools, must_call = _tools(format, fields)
    system = _text(body.get("system") or body.get("instructions"))
    return Ask(
        format=format,
        name=name,
        model=model,
        scenario=scenario,
        body=body,
        stream=stream,
        usage=model.usage_always or options.get("include_usage") is True,
        prompt=next((_text(turn.get("content")) for turn in reversed(turns) if _is_prompt(turn)), ""),
        tools=tools,
        must_call=must_call,
        parallel=_may_call_several(body),
        called=tuple(name for _, name in _calls(turns[_last_prompt(turns) :])),
        results=results,
        max_tokens=_max_tokens(format, fields),
        seen="\n".join([system, *(_text(turn.get("content", turn.get("output"))) for turn in turns), *_told(tools)]),
        digest=_digest(body),
    )


def _no_memory(format: str, body: dict[str, Any]) -> None:
    """Refuse a request that goes on from an earlier answer: nothing of it is kept here, so half of it would be lost."""
    if format == "messages" and body.get("thread") is not None:
        details = {"error_code": "thread_unsupported_request", "unsupported": ["thread"]}
        told = "This gateway keeps no threads: send the whole conversation."
        raise Refused("invalid", told, "thread", details=details)
    if format == "responses":
        for field in ("previous_response_id", "conversation"):
            if body.get(field) is not None:
                raise Refused("invalid", "This gateway keeps no conversations: send all of it as input.", field)


def _digest(body: dict[str, Any]) -> str:
    asked = {name: value for name, value in body.items() if name not in _TRANSPORT}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _model(name: str) -> tuple[Model, str]:
    model = routed(name)
    if model is not None:
        return model, ""
    base, _, scenario = name.partition(":")
    if base not in MODELS:
        there = ", ".join([*MODELS, *(model.name for model in named())])
        raise Refused("model", f"The model `{name}` does not exist. There are: {there}.", "model")
    return MODELS[base], scenario


def _turns(format: str, fields: Fields) -> Iterator[dict[str, Any]]:
    """The conversation, a turn a message; what Responses has beside messages counts as a turn too."""
    if format == "responses":
        given = fields.required("input")
        if isinstance(given, str):
            yield {"role": "user", "content": given}
            return
        yield from fields.objects("input", given)
        return
    turns = fields.objects("messages", fields.required("messages"))
    if not turns:
        raise Refused("invalid", "There must be at least one message.", "messages")
    for number, turn in enumerate(turns):
        if not isinstance(turn.get("role"), str):
            raise Refused("missing", f"Message {number} needs a role.", f"messages.{number}.role")
    yield from turns


def _max_tokens(format: str, fields: Fields) -> int | None:
    for name in _LIMITS[format]:
        if (limit := fields.positive(name)) is not None:
            return limit
    if format == "messages":
        raise Refused("missing", "Field required", "max_tokens")
    return None


def _is_prompt(turn: dict[str, Any]) -> bool:
    return turn.get("role") == "user" and bool(_text(turn.get("content")))


def _last_prompt(turns: list[dict[str, Any]]) -> int:
    return next((at for at in reversed(range(len(turns))) if _is_prompt(turns[at])), 0)


def _may_call_several(body: dict[str, Any]) -> bool:
    choice = body.get("tool_choice")
    alone = isinstance(choice, dict) and choice.get("disable_parallel_tool_use") is True
    return body.get("parallel_tool_calls") is not False and not alone


def _text(content: Any) -> str:
    """All text of a content, whatever the format calls its parts; results of tools are no text of the user's."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _results(turns: list[dict[str, Any]]) -> tuple[Result, ...]:
    """The tools' answers that stand at the end of the conversation."""
    names = dict(_calls(turns))
    results: list[Result] = []
    for turn in reversed(turns):
        if turn.get("role") == "tool":
            results.insert(0, _result(turn.get("tool_call_id"), turn.get("content"), names))
        elif turn.get("type") == "function_call_output":
            results.insert(0, _result(turn.get("call_id"), turn.get("output"), names))
        else:
            content = turn.get("content")
            blocks = content if turn.get("role") == "user" and isinstance(content, list) else []
            mine = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_result"]
            results[:0] = [_result(block.get("tool_use_id"), block.get("content"), names) for block in mine]
            break
    return tuple(results)


def _result(id: Any, output: Any, names: dict[str, str]) -> Result:
    text = _text(output) if isinstance(output, str | list) else compact(output)
    return Result(str(id or ""), names.get(str(id), ""), text)


def _calls(turns: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Ids and names of the calls that earlier turns made."""
    for turn in turns:
        if turn.get("type") == "function_call":
            yield str(turn.get("call_id")), str(turn.get("name"))
        calls, content = turn.get("tool_calls"), turn.get("content")
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, dict) and isinstance(call.get("function"), dict):
                yield str(call.get("id")), str(call["function"].get("name"))
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                yield str(block.get("id")), str(block.get("name"))


def _tools(format: str, fields: Fields) -> tuple[tuple[Tool, ...], str]:
    """The functions that may be called, and the one that must be. Tools that the server runs itself are left out."""
    tools = _offered(format, fields)
    choice = fields.body.get("tool_choice")
    kind = choice.get("type") if isinstance(choice, dict) else choice
    if kind == "none":
        return (), ""
    name = ""
    if isinstance(choice, dict):
        nested = choice.get("function")
        name = str((nested if isinstance(nested, dict) else choice).get("name") or "")
        if name and name not in {tool.name for tool in tools}:
            raise Refused("invalid", f"tool_choice names `{name}`, which is not among the tools.", "tool_choice")
    return tools, name


def tools_of(format: str, body: dict[str, Any]) -> tuple[Tool, ...]:
    """All functions that are offered, whether they may be called or not."""
    return _offered(format, Fields(body, format))


def _offered(format: str, fields: Fields) -> tuple[Tool, ...]:
    tools = [_tool(format, tool, number) for number, tool in enumerate(fields.objects("tools"))]
    return tuple(tool for tool in tools if tool is not None)


def _tool(format: str, tool: dict[str, Any], number: int) -> Tool | None:
    if format == "chat":
        if tool.get("type") != "function":
            return None
        tool = tool["function"] if isinstance(tool.get("function"), dict) else {}
    elif tool.get("type") not in _OWN_TOOLS[format]:
        return None
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        raise Refused("missing", f"Tool {number} needs a name.", f"tools.{number}.name")
    schema = tool.get("input_schema" if format == "messages" else "parameters")
    return Tool(name, str(tool.get("description") or ""), schema if isinstance(schema, dict) else {})


def _told(tools: tuple[Tool, ...]) -> list[str]:
    return [f"{tool.name} {tool.description} {compact(tool.schema)}" for tool in tools]
