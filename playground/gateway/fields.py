"""The fields of a request's body, each of the type it must have or Refused. Used by asking.py."""

from __future__ import annotations

from typing import Any

from playground.gateway.refused import Refused

_MISSING = object()


class Fields:
    def __init__(self, body: dict[str, Any], format: str) -> None:
        self.body = body
        self._format = format

    def required(self, name: str) -> Any:
        """The field's value; Refused in the vendor's own words when it is not there."""
        value = self.body.get(name, _MISSING)
        if value is _MISSING or value is None:
            message = "Field required" if self._format == "messages" else f"Missing required parameter: '{name}'."
            raise Refused("missing", message, name)
        return value

    def text(self, name: str) -> str:
        value = self.required(name)
        if not isinstance(value, str) or not value:
            raise self._wrong(name, "a string that says something", value)
        return value

    def flag(self, name: str) -> bool:
        value = self.body.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, "true or false", value)
        return bool(value)

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.body.get(name)
        if value is not None and not isinstance(value, dict):
            raise self._wrong(name, "an object", value)
        return value or {}

    def objects(self, name: str, value: Any = _MISSING) -> list[dict[str, Any]]:
        """A list of objects; empty when the field is not there."""
        value = self.body.get(name) if value is _MISSING else value
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._wrong(name, "a list of objects", value)
        for number, entry in enumerate(value):
            if not isinstance(entry, dict):
                raise self._wrong(f"{name}.{number}", "an object", entry)
        return value

    def positive(self, name: str) -> int | None:
        value = self.body.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(name, "a whole number", value)
        if value < 1:
            raise Refused("invalid", f"`{name}` must be at least 1, not {value}.", name)
        return value

    def _wrong(self, name: str, wanted: str, value: Any) -> Refused:
        kind = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
        return Refused("wrong-type", f"`{name}` must be {wanted}, not {kind.get(type(value), 'a number')}.", name)
