"""What a lane came to, in few words, for lists and search. A cache: replaying the lane says the same and more."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from playground.pipeline import Pipeline

PREVIEW: Final = 200
"""Characters of the line that a list shows."""

TEXT: Final = 4000
"""Characters of text that can be searched for."""


def summary(pipeline: Pipeline) -> dict[str, Any]:
    """The figures of a lane as plain values, small however long the lane is.

    `line` is what a list shows of what was said, `findings` how many rules of each severity were broken.
    """
    said = pipeline.said()
    return {
        "format": said["format"],
        "model": _model(pipeline),
        "events": said["events"],
        "finish": said["finish"],
        "usage": said["usage"],
        "errors": [error[:PREVIEW] for error in said["errors"][:3]],
        "text": (said["text"] or said["refusal"])[:TEXT],
        "line": _line(said),
        "tool_calls": len(said["tool_calls"]),
        "findings": dict(Counter(finding.rule.severity for finding in pipeline.findings)),
    }


def _model(pipeline: Pipeline) -> str:
    """The model as the stream names it; an import may have no request that does."""
    model = pipeline.transcript.lane.value("model")
    return model[:PREVIEW] if isinstance(model, str) else ""


def _line(said: dict[str, Any]) -> str:
    """The first words of the text, or of what came in its place."""
    calls = [f"{call['name']}({call['arguments']})" for call in said["tool_calls"]]
    for text in (said["text"], said["refusal"], *calls, *said["errors"], said["reasoning"]):
        if words := " ".join(text[: 2 * PREVIEW].split()):
            return words[:PREVIEW]
    return ""
