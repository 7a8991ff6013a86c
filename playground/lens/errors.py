"""An error's kind, whatever the source called it, and what each format calls it. Used by the writers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple


class Kind(NamedTuple):
    """What an error is called: Chat's `type` and `code`, Messages' `type`, Responses' `code`; and what tells it."""

    chat: tuple[str, str | None]
    messages: str
    responses: str
    told_by: tuple[str, ...]


# The first kind whose word stands in the source's type or code; the last one takes the rest.
KINDS: Final = (
    Kind(("overloaded_error", "overloaded"), "overloaded_error", "server_error", ("overload",)),
    Kind(("rate_limit_error", "rate_limit_exceeded"), "rate_limit_error", "rate_limit_exceeded", ("rate_limit", "429")),
    Kind(("authentication_error", "invalid_api_key"), "authentication_error", "server_error", ("auth", "api_key")),
    Kind(("billing_error", "insufficient_quota"), "billing_error", "server_error", ("billing", "quota", "payment")),
    Kind(("timeout_error", "timeout"), "timeout_error", "server_error", ("timeout",)),
    Kind(("invalid_request_error", None), "invalid_request_error", "invalid_prompt", ("invalid", "context_length")),
    Kind(("server_error", None), "api_error", "server_error", ("",)),
)


class Fault(NamedTuple):
    """An error in parts: its message, the source's own type and code, the parameter it names, and its kind."""

    message: str
    type: str | None
    code: Any
    param: str | None
    kind: Kind


def read(error: Mapping[str, Any]) -> Fault:
    """An error part's fields (`message`, `raw`) or a vendor's error object."""
    raw = error.get("raw")
    source: Mapping[str, Any] = raw if isinstance(raw, dict) else error
    nested = source.get("error")
    if isinstance(nested, dict):
        source = nested
    type_, code, param = source.get("type"), source.get("code"), source.get("param")
    told = f"{type_ if type_ != 'error' else ''} {code if code is not None else ''}".lower()
    kind = next(kind for kind in KINDS if any(word in told for word in kind.told_by))
    return Fault(
        str(error.get("message") or source.get("message") or "The model gave up without saying why."),
        type_ if isinstance(type_, str) and type_ != "error" else None,
        code,
        param if isinstance(param, str) else None,
        kind,
    )
