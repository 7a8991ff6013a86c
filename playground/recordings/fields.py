"""The fields of one JSON object of a recording file, each as what it must be. Used by recording_lines.py."""

from __future__ import annotations

import base64
import binascii
from typing import Any, get_args

from playground.reads import Headers, How

HOWS = frozenset(get_args(How))


class Damaged(Exception):
    """A sentence that says what is wrong with a line."""


class Fields:
    """`found` is {} for an object that is missing. Methods raise Damaged for what is there and is something else."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found

    def text(self, name: str) -> str:
        """ "" when missing."""
        value = self.found.get(name)
        if value is not None and not isinstance(value, str):
            raise Damaged(f'"{name}" is no text.')
        return value or ""

    def count(self, name: str) -> int:
        """A whole number from 0."""
        value = self.found.get(name)
        if type(value) is not int or not 0 <= value < 2**53:
            raise Damaged(f'"{name}" is no whole number from 0.')
        return value

    def time(self, name: str) -> int | None:
        """Whole microseconds, None when unknown."""
        value = self.found.get(name)
        if value is not None and (type(value) is not int or abs(value) >= 2**53):
            raise Damaged(f'"{name}" is neither whole microseconds nor null.')
        return value

    def seconds(self, name: str) -> float | None:
        """A wall clock in seconds since 1970, None when unknown."""
        value = self.found.get(name)
        if value is not None and (type(value) not in (int, float) or not 0 <= value < 2**37):
            raise Damaged(f'"{name}" is neither seconds since 1970 nor null.')
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """() when missing."""
        value = self.found.get(name) or []
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise Damaged(f'"{name}" is no list of texts.')
        return tuple(value)

    def pairs(self, name: str) -> Headers:
        """Headers as [[name, value], ...]; () when missing."""
        value = self.found.get(name) or []
        if not isinstance(value, list) or not all(
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair) for pair in value
        ):
            raise Damaged(f'"{name}" is no list of pairs of a name and a value.')
        return tuple((pair[0], pair[1]) for pair in value)

    def inner(self, name: str) -> Fields:
        value = self.found.get(name)
        if value is not None and not isinstance(value, dict):
            raise Damaged(f'"{name}" is no object.')
        return Fields(value or {})

    def body(self) -> bytes:
        """Bytes out of "text" or "base64"."""
        if "base64" not in self.found:
            try:
                return self.text("text").encode()
            except UnicodeEncodeError:
                raise Damaged('"text" has half a character, which no UTF-8 is.') from None
        try:
            return base64.b64decode(self.text("base64"), validate=True)
        except (binascii.Error, ValueError):
            raise Damaged('"base64" is no base64.') from None

    def how(self) -> How | None:
        """None for a way that is unknown here."""
        value = self.text("how")
        return value if value in HOWS else None  # type: ignore[return-value] # HOWS are those of How
