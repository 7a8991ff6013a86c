"""What is sent: a Call as a person or a client wants it, and as it goes over the wire.

Made by runs.py and capture, for a format by `call_for`; taken by client.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from playground.formats import FORMATS
from playground.reads import Headers
from playground.upstream.addresses import Rules, Target, parse
from playground.upstream.errors import UpstreamError


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `headers` in order, duplicates kept; what belongs to the connection is added by `sent_headers`."""

    method: str
    url: str
    headers: Headers
    body: bytes = b""

    def target(self, rules: Rules) -> Target:
        """Where it goes. Raises UpstreamError (forbidden)."""
        return parse(self.url, rules)

    def sent_headers(self, target: Target) -> Headers:
        """Exactly the headers that go over the wire. Raises UpstreamError (forbidden) for a header that cannot be sent.

        Host and Content-Length are those of this request, and hop-by-hop headers (RFC 9110, section 7.6.1) are left
        out, those that a Connection header names too.
        """
        if not _TOKEN.fullmatch(self.method) or self.method.upper() == "CONNECT":
            raise UpstreamError("forbidden", "The request's method is no HTTP method that can be sent.")
        check_headers(self.headers)
        dropped = set(_CONNECTION_HEADERS)
        for name, value in self.headers:
            if name.lower() == "connection":
                dropped.update(option.strip().lower() for option in value.split(","))
        kept = [(name, value.strip(" \t")) for name, value in self.headers if name.lower() not in dropped]
        if self.body or self.method.upper() in {"POST", "PUT", "PATCH"}:
            kept.append(("Content-Length", str(len(self.body))))
        return (("Host", target.authority), *kept)


def call_for(
    format: str, base_url: str, body: bytes, *, key: str = "", headers: Iterable[tuple[str, str]] = ()
) -> Call:
    """The POST that a format wants. `headers` are the person's own: they win over all that is set here.

    Raises UpstreamError (forbidden) for a key or a header that cannot be sent.
    """
    own = tuple(headers)
    ours = (
        ("Content-Type", "application/json"),
        ("Accept", "text/event-stream, application/json"),
        ("Accept-Encoding", "identity"),
        ("User-Agent", USER_AGENT),
        *_credentials(format, key, own),
    )
    return Call("POST", join(base_url, format), _with_own(ours, own), body)


def models_call(format: str, base_url: str, *, key: str = "", headers: Iterable[tuple[str, str]] = ()) -> Call:
    """The GET of the list of models beside the format's path."""
    return _beside(format, base_url, "/models", "", key, tuple(headers))


def usage_call(
    format: str, base_url: str, request_id: str, *, key: str = "", headers: Iterable[tuple[str, str]] = ()
) -> Call:
    """The GET of what the ledger of a gateway says about one request."""
    asked = f"request_id={quote(request_id, safe='')}"
    return _beside(format, base_url, "/usage", asked, key, tuple(headers))


def _beside(format: str, base_url: str, place: str, asked: str, key: str, own: Headers) -> Call:
    ours = (
        ("Accept", "application/json"),
        ("Accept-Encoding", "identity"),
        ("User-Agent", USER_AGENT),
        *_credentials(format, key, own),
    )
    whole = join(base_url, format)
    path, question, query = whole.partition("?")
    query = "&".join(filter(None, (query, asked)))
    url = f"{path.removesuffix(FORMATS[format].path)}{place}{'?' if query else question}{query}"
    return Call("GET", url, _with_own(ours, own))


def join(base_url: str, format: str) -> str:
    """The address of a format below a base URL: with or without /v1, with a query, or already complete.

    A path with a version in it (/v1, /v1beta/openai, /api/paas/v4) and Azure's deployments are taken as they are.
    """
    base, question, query = base_url.strip().partition("#")[0].partition("?")
    base = base.rstrip("/")
    path = FORMATS[format].path
    if not base.endswith(path):
        for other in FORMATS.values():
            base = base.removesuffix(other.path)
        _, _, below = base.partition("://")
        segments = below.split("/")[1:]
        if "deployments" not in segments and not any(_VERSION.fullmatch(segment) for segment in segments):
            base += "/v1"
        base += path
    return base + question + query


def check_headers(headers: Iterable[tuple[str, str]]) -> None:
    """Raises UpstreamError (forbidden) for a name or a value that would be another header, or none."""
    for name, value in headers:
        if not _TOKEN.fullmatch(name):
            shown = name if name.isprintable() and len(name) <= 60 else "with that name"
            raise UpstreamError(
                "forbidden",
                f"The header {shown or 'without a name'} cannot be sent: a name has letters, digits and hyphens only.",
            )
        if _CONTROL.search(value):
            raise UpstreamError(
                "forbidden", f"The value of the header {name} contains a line break or a control character; remove it."
            )


def _credentials(format: str, key: str, own: Headers) -> Headers:
    """The key in the format's own header, unless the person brings a header for it."""
    extra = _VERSIONS.get(format, ())
    key = key.strip()
    if not key or any(name.lower() in _CREDENTIALS for name, _ in own):
        return extra
    if not key.isascii() or _CONTROL.search(key):
        raise UpstreamError("forbidden", "The key contains characters that no key has; copy it again.")
    return (
        ((_KEY_HEADERS[format], key), *extra)
        if format in _KEY_HEADERS
        else (("Authorization", f"Bearer {key}"), *extra)
    )


def _with_own(ours: Headers, own: Headers) -> Headers:
    check_headers(own)
    names = {name.lower() for name, _ in own}
    return (*((name, value) for name, value in ours if name.lower() not in names), *own)


USER_AGENT: Final = "stream-playground/0.1"
_TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_VERSION: Final = re.compile(r"v[0-9]+[a-z0-9]*")
# Formats that are not listed here send the key as a bearer token.
_KEY_HEADERS: Final = {"messages": "x-api-key"}
_VERSIONS: Final[dict[str, Headers]] = {"messages": (("anthropic-version", "2023-06-01"),)}
_CREDENTIALS: Final = frozenset(("authorization", "x-api-key", "api-key", "x-goog-api-key"))
# fmt: off
_CONNECTION_HEADERS: Final = frozenset((
    "host", "content-length", "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
    "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "expect", "http2-settings",
))
# fmt: on
