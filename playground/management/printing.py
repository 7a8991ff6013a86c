"""A transcript as lines for a terminal. Called by `manage.py read`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playground.formats.interface import compact
from playground.pipeline import Pipeline
from playground.transcript import Part

GUTTER = 12
_WORDS = {"tool_call": "tool call", "server_tool": "server tool"}
_COUNTS = (("whole_input", "input"), ("cached", "cached"), ("written", "written"), ("output", "output"))


def transcript_lines(pipeline: Pipeline) -> Iterator[str]:
    """The lane's word and figures, then a paragraph a part, then usage and finish."""
    lane = pipeline.transcript.lane.fields
    facts = [pipeline.format or "unknown format", str(lane.get("model") or ""), str(lane.get("id") or "")]
    body = "" if pipeline.body_kind == "stream" else f"not a stream: {pipeline.body_kind}"
    yield " · ".join(fact for fact in (pipeline.word, *facts, f"{pipeline.events} events", body) if fact)
    for part in pipeline.transcript:
        yield from _paragraph(_WORDS.get(part.kind, part.kind), _said(part), part)
    usage = lane.get("usage")
    if usage:
        counts = [
            f"{word} {usage[name]}" for name, word in (*_COUNTS, ("reasoning", "reasoning")) if usage[name] is not None
        ]
        yield from _labelled("usage", " · ".join(counts))
    yield from _labelled("finish", str(lane.get("finish") or "none"))


def _said(part: Part) -> str:
    if part.kind in {"text", "refusal"}:
        return str(part.value("text") or "")
    if part.kind == "reasoning":
        marks = [mark for mark in ("signature", "encrypted") if part.fields.get(mark)]
        return str(part.value("text") or "") + (f"  [{', '.join(marks)}]" if marks else "")
    if part.kind == "tool_call":
        return f"{part.value('name')} {part.value('arguments') or ''}  [{part.value('id') or 'no id'}]"
    if part.kind == "error":
        return str(part.fields.get("message") or compact(part.fields.get("raw")))
    if part.kind == "extra":
        return f"{part.fields.get('name')} {compact(part.fields.get('value'))}"
    fields: dict[str, Any] = {name: part.value(name) for name in (*part.fields, *part.pieces) if name != "data"}
    return compact(fields)


def _paragraph(label: str, text: str, part: Part) -> Iterator[str]:
    choice = part.fields.get("choice")
    status = part.fields.get("status")
    notes = [f"choice {choice}" if choice else "", str(status or ""), "broken off" if part.fields.get("broken") else ""]
    note = ", ".join(note for note in notes if note)
    yield from _labelled(label, f"{text}  ({note})" if note else text)


def _labelled(label: str, text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield f"{label:<{GUTTER}}{first}".rstrip()
    for line in rest:
        yield f"{'':<{GUTTER}}{line}".rstrip()
