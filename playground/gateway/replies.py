"""A model whose name has no scenario: it answers the prompt, calls the tool that fits, and reads what the tool said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from playground.gateway import tokens
from playground.gateway.arguments import arguments_for
from playground.gateway.asking import Ask, Tool
from playground.gateway.prose import shortened
from playground.gateway.speaker import Beat, Speaker


class Call(NamedTuple):
    name: str
    arguments: dict[str, Any]


# (words of the prompt that ask for it, what there is to say)
_TOPICS: tuple[tuple[str, str], ...] = (
    (
        "hello hi hey hallo bonjour hola",
        "Hello! You are talking to a script, but the stream that carries these words is as real as any.",
    ),
    (
        "sse event events eventsource stream streaming streams",
        "A stream of server-sent events is plain text. Lines that begin with `data:` carry the payload, a blank line "
        "says *that was one event*, and everything else is optional:\n\n```\nevent: ping\ndata: {}\n\n```\n",
    ),
    (
        "chunk chunks delta deltas fragment fragments",
        "A delta says what is **new**. Append text to text and arguments to arguments, replace what comes as a whole, "
        "and never trust that a fragment is complete in itself.",
    ),
    (
        "token tokens usage cost price billing bill",
        "Tokens are counted once, at the end. Counts that come along the way are running totals: each one *replaces* "
        "the one before, and adding them up bills the reader for the same words again and again.",
    ),
    (
        "tool tools function functions call calls agent",
        "A tool call is a question to your program. The model names the tool and writes the arguments as JSON text, "
        "a few letters at a time; you may parse it when the call is closed, not before.",
    ),
    (
        "latency fast slow speed first ttft",
        "Two numbers say most about speed: the time to the **first token**, and the gaps after it. An average over the "
        "whole answer hides both.",
    ),
    (
        "error errors fail fails failure cut cancel abort stop",
        "A status of 200 promises that an answer begins, not that it ends well. Errors after it travel inside the "
        "stream, and a stream that ends without its closing mark was cut.",
    ),
    (
        "reason reasoning think thinking thought",
        "Reasoning travels beside the answer in a part of its own. What proves it, a signature or an encrypted copy, "
        "goes back with the next turn exactly as it came.",
    ),
    (
        "haiku poem poetry verse",
        "> small words in a row  \n> each one sent before the next  \n> the river says *done*\n",
    ),
)


def answer(say: Speaker, ask: Ask) -> Iterator[Beat]:
    """A call when tools are offered, words once their results are there or when there are none."""
    if ask.results:
        yield from after_results(say, ask)
    elif ask.tools:
        call = _call(_fitting(ask)[0], ask)
        yield from say.call(call.name, call.arguments)
    else:
        yield from say.text(_about(ask))


def after_results(say: Speaker, ask: Ask) -> Iterator[Beat]:
    """What the tools said, in words; no further call, so that a tool loop ends."""
    lines = ["The answer is here, so let me sum it up." if len(ask.results) == 1 else "Both sides have answered:"]
    if len(ask.results) > 2:
        lines = [f"All {len(ask.results)} calls have come back:"]
    for result in ask.results:
        name = f"`{result.name}`" if result.name else "The tool"
        lines.append(f"- {name} says: {shortened(result.output, 300) or '(nothing)'}")
    if ask.prompt:
        lines.append(f"\nThat is what you wanted to know when you wrote \u201c{shortened(ask.prompt, 120)}\u201d.")
    yield from say.text("\n".join(lines))


def two_calls(ask: Ask) -> list[Call]:
    """Two calls of the tools that are offered, or of two that the script makes up; one where only one may be."""
    calls = plan(ask)
    calls = calls * 2 if len(calls) == 1 else calls
    return calls if ask.parallel else calls[:1]


def plan(ask: Ask) -> list[Call]:
    """What an agent calls, one after the other: the two tools that fit best, or two that the script makes up."""
    if not ask.tools:
        return [
            Call("tide_table", {"port": "Brest", "day": "tomorrow"}),
            Call("wind_at", {"port": "Brest", "hour": 6, "unit": "knots"}),
        ]
    return [_call(tool, ask) for tool in _fitting(ask)[:2]]


def _call(tool: Tool, ask: Ask) -> Call:
    return Call(tool.name, arguments_for(tool.schema, ask.prompt))


def _fitting(ask: Ask) -> list[Tool]:
    """The tools, the one that shares most words with the prompt first; the one that must be called before all."""
    asked = _words(ask.prompt)

    def rank(tool: Tool) -> tuple[bool, int]:
        named = len(_words(tool.name) & asked)
        described = len((_words(tool.description) | _words(" ".join(_properties(tool.schema)))) & asked)
        return tool.name != ask.must_call, -(3 * named + described)

    return sorted(ask.tools, key=rank)


def _properties(schema: dict[str, Any]) -> list[str]:
    properties = schema.get("properties")
    return list(properties) if isinstance(properties, dict) else []


def _words(text: str) -> set[str]:
    """Words of four letters and more, their last s aside: getTides and "tide" have one in common."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text[:20_000])
    return {word.lower().rstrip("s") for word in re.findall(r"[^\W_]{4,}", apart)}


def _about(ask: Ask) -> str:
    asked = set(re.findall(r"[^\W_]+", ask.prompt[:20_000].lower()))
    known = [said for words, said in _TOPICS if asked & set(words.split())]
    lines: list[str] = []
    if ask.prompt:
        lines.append(f"You wrote: \u201c{shortened(ask.prompt, 160)}\u201d")
    lines += known[:3] or [_about_the_prompt(ask.prompt)]
    lines.append(
        f"I am `{ask.model.name}`, a scripted model: the same request brings the same words. What differs between two "
        "runs is the wire, and that is what this page is for. Add `:reasoning`, `:tools` or another scenario to my "
        "name to see more of it."
    )
    return "\n\n".join(lines)


def _about_the_prompt(prompt: str) -> str:
    if not prompt.strip():
        return "You sent no words, so there is nothing to answer. The stream is complete all the same."
    words, pieces = len(prompt.split()), tokens.count(prompt)
    return (
        f"That is **{words} {'word' if words == 1 else 'words'}**, which a model reads as {pieces} "
        f"{'token' if pieces == 1 else 'tokens'}. It read them all before it wrote the first one of this answer; the "
        "pause before these lines is that reading, and the even beat since then is the writing."
    )
