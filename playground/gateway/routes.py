"""Which models are real ones elsewhere, from settings.GATEWAY_ROUTES. Asked by asking.py and views.py.

A route: {"model": name or pattern with *, "url": base address, "format": what it speaks, "key_env": name of the
environment variable with the key, "upstream_model": its name there (default: the same), "prices": {"input", "cached",
"output"} in micros for a million tokens (default: nothing)}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playground.formats import FORMATS
from playground.gateway.catalogue import Model

_FIELDS = frozenset({"model", "url", "format", "key_env", "upstream_model", "prices"})
_PRICES = ("input", "cached", "output")


def routed(name: str) -> Model | None:
    """The model of the first route whose pattern fits, None when there is none."""
    for route in settings.GATEWAY_ROUTES:
        if fnmatchcase(name, _checked(route)["model"]):
            return _model(name, route)
    return None


def named() -> list[Model]:
    """The routed models that have a name and not a pattern."""
    return [
        _model(route["model"], route) for route in map(_checked, settings.GATEWAY_ROUTES) if "*" not in route["model"]
    ]


def _model(name: str, route: Mapping[str, Any]) -> Model:
    prices = route.get("prices") or {}
    return Model(
        name,
        route["format"],
        urlsplit(route["url"]).hostname or "",
        usage_always=True,
        input=prices.get("input", 0),
        cached=prices.get("cached", 0),
        output=prices.get("output", 0),
        address=route["url"],
        key_env=route.get("key_env") or "",
        upstream_name=route.get("upstream_model") or "",
    )


def _checked(route: Any) -> dict[str, Any]:
    """The route; ImproperlyConfigured with what is wrong with it."""
    if not isinstance(route, dict) or set(route) - _FIELDS:
        raise ImproperlyConfigured(f"A route of PLAYGROUND_GATEWAY_ROUTES has other fields than {sorted(_FIELDS)}.")
    for word in ("model", "url", "format"):
        if not isinstance(route.get(word), str) or not route[word]:
            raise ImproperlyConfigured(f"A route of PLAYGROUND_GATEWAY_ROUTES needs `{word}`, a string.")
    if route["format"] not in FORMATS:
        raise ImproperlyConfigured(f"A route's `format` is one of {', '.join(FORMATS)}, not {route['format']!r}.")
    prices = route.get("prices") or {}
    if not isinstance(prices, dict) or not all(type(prices.get(word, 0)) is int for word in _PRICES):
        raise ImproperlyConfigured("A route's `prices` are whole micros for a million tokens.")
    return route
