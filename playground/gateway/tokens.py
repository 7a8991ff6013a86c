"""Text -> the pieces in which a model would send it, each counted as one token. Used to speak, to count and to pace."""

from __future__ import annotations

import re

# A word of up to six letters with the space before it, a few signs, white space; whatever is left alone.
_PIECE = re.compile(r"\s?[^\W_]{1,6}|\s?[^\w\s]{1,3}|\s+|.", re.DOTALL)

_COUNTED = 100_000


def split(text: str) -> list[str]:
    """The pieces; joined they are the text."""
    return _PIECE.findall(text)


def count(text: str) -> int:
    """How many pieces; of a very long text its beginning is counted and the rest estimated, so as to keep nobody."""
    if len(text) > _COUNTED:
        return count(text[:_COUNTED]) * len(text) // _COUNTED
    return sum(1 for _ in _PIECE.finditer(text))
