"""What a lane came to, in few words, for lists. A cache: replaying the lane says the same and more."""

from __future__ import annotations

from typing import Any

from playground.pipeline import Pipeline

PREVIEW = 200
"""Characters of text that a list may show."""


def summary(pipeline: Pipeline) -> dict[str, Any]:
    """The figures of a lane as plain values, small however long the lane is."""
    said = pipeline.said()
    return {
        "format": said["format"],
        "events": said["events"],
        "finish": said["finish"],
        "usage": said["usage"],
        "errors": [error[:PREVIEW] for error in said["errors"][:3]],
        "text": said["text"][:PREVIEW],
        "tool_calls": len(said["tool_calls"]),
    }
