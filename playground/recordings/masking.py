"""The one rule of masking: what must not be kept becomes as many bytes of filler, before anything is kept or shown.

runs makes a Mask for each lane out of its request and gives it to the relay, which passes the answer through it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from playground.reads import Head, Headers
from playground.recordings.key_shapes import KeyShapes
from playground.recordings.plain import FILLER, Plain
from playground.recordings.secrets import (
    SCHEME,
    SECRET_HEADER,
    SECRET_PARAMETER,
    SHORTEST,
    Spelling,
    longest_first,
    secret_strings,
)

# Headers of an answer that name the account; they are left out, as cookies are.
_ACCOUNT: Final = re.compile(
    r"set-cookie2?|(openai|anthropic)-(organization|project)(-id)?|x-(account|org|organization|project|team|user|tenant)(-id)?",
    re.I,
)


class Mask:
    """What is secret in one request, and the way of its answer: head() first, then feed() and once end().

    `marked`: texts that a person wants masked, however short. `shapes`: whatever looks like a vendor's key is masked as
    well. `notes`: sentences for the lane about what was masked or is kept otherwise than it came.
    """

    def __init__(
        self,
        *,
        key: str = "",
        url: str = "",
        headers: Headers = (),
        body: bytes = b"",
        marked: Sequence[str] = (),
        shapes: bool = True,
    ) -> None:
        found = secret_strings(key, url, headers, body)
        self._too_short = any(len(secret) < SHORTEST for secret in found if secret not in marked)
        secrets = longest_first([*(secret for secret in found if len(secret) >= SHORTEST), *marked])
        self._secrets = secrets
        self._spellings: list[Spelling] = [Spelling(secret) for secret in secrets]
        self._pattern = re.compile(b"|".join(spelling.pattern for spelling in self._spellings) or rb"(?!)")
        self._plain = [secret.encode() for secret in secrets]
        self._marks = [*self._plain, b"\\u00", b"%", b"&"] if self._plain else []
        if any(not character.isalnum() and character not in "-_." for secret in secrets for character in secret):
            self._marks.append(b"\\")
        self._starts = re.compile(
            b"[" + b"".join(re.escape(plain[:1]) for plain in self._plain) + rb"\\%&]" if self._plain else rb"(?!)"
        )
        # Bytes with which a secret that is not over may end: all of its own and those of its escapes.
        self._inside = frozenset(
            b"".join([*self._plain, b"\\u%&#;abcdefABCDEFxX0123456789lgtmpquos" if self._plain else b""])
        )
        self._reach = max((spelling.longest for spelling in self._spellings), default=0)
        self._shapes = KeyShapes() if shapes else None
        self._body = Plain()
        self._held = b""
        self._masked = 0
        self._left_out: set[str] = set()

    @property
    def notes(self) -> list[str]:
        notes = []
        if self._too_short:
            notes.append(
                f"A secret of the request has fewer than {SHORTEST} characters, too few to be told from ordinary text: "
                "the answer was not searched for it."
            )
        if self._left_out:
            notes.append(f"Headers of the answer that were left out: {', '.join(sorted(self._left_out))}.")
        if self._body.undone:
            notes.append(
                "The answer came in a content coding; it is kept decoded and without that header, so that the key "
                "could be masked wherever it stands."
            )
        if self._body.unreadable:
            notes.append(
                f"The answer came with content-encoding {self._body.coded}, which cannot be undone here: its bytes may "
                "contain the key and are kept as filler."
            )
        if self._masked:
            times = "once" if self._masked == 1 else f"{self._masked} times"
            notes.append(f"A secret of the request came back and was masked, {times}.")
        if self._shapes is not None and self._shapes.masked:
            times = "once" if self._shapes.masked == 1 else f"{self._shapes.masked} times"
            notes.append(f"What looks like a key was masked in the answer, {times}.")
        return notes

    def request(self, head: Head) -> Head:
        """The request as it may be kept and shown."""
        return replace(
            head,
            url=self.text(SECRET_PARAMETER.sub(lambda match: match[1] + _filler(match[2]), head.url)),
            request_headers=tuple((name, self._sent(name, value)) for name, value in head.request_headers),
            request_body=self._without(head.request_body),
        )

    def head(self, head: Head) -> Head:
        """The answer's head as it may be kept and shown; decides how the body is read."""
        kept = []
        for name, value in self._body.head(head) if self._spellings else head.headers:
            if _ACCOUNT.fullmatch(name):
                self._left_out.add(name.lower())
            else:
                kept.append((name, self.text(value)))
        if not self._spellings and head.header("content-encoding").strip().lower() not in {"", "identity"}:
            # Nothing is known that would have to be found in it: it is kept as it came.
            self._shapes = None
        return replace(head, headers=tuple(kept), reason=self.text(head.reason))

    def feed(self, body: bytes) -> bytes:
        """The body of a read as it may be kept, but for a tail that may begin a secret: that comes with a later one."""
        body = self._known(body) if self._spellings else body
        return body if self._shapes is None else self._shapes.feed(body)

    def _known(self, body: bytes) -> bytes:
        body = self._body.feed(body)
        if self._body.unreadable:
            return body
        if self._held:
            body = self._held + body
            self._held = b""
        if not body:
            return body
        open_ended = body[-1] in self._inside
        if not open_ended and not self._may_hold(body):
            return body
        return self._search(body)

    def end(self) -> bytes:
        """What was held back, when the body is over."""
        rest = self._held
        self._held = b""
        rest += self._body.end()
        rest = self._pattern.sub(self._fill_and_count, rest)
        return rest if self._shapes is None else self._shapes.feed(rest) + self._shapes.end()

    def text(self, text: str) -> str:
        """A sentence or a header's value without the secrets of this request."""
        text = self._without(text.encode(errors="surrogatepass")).decode(errors="replace") if self._spellings else text
        return text if self._shapes is None else without_keys(text)

    def _without(self, text: bytes) -> bytes:
        return self._pattern.sub(_fill, text) if self._may_hold(text) else text

    def _may_hold(self, body: bytes) -> bool:
        """A quick look: nearly no read has a secret or anything that may spell one."""
        return any(mark in body for mark in self._marks)

    def _search(self, body: bytes) -> bytes:
        """The leftmost wins, a secret that may go on behind the end as well as a whole one."""
        pieces = []
        position = 0
        tail = self._tail(body, 0)
        searched = self._may_hold(body)
        while searched and (match := self._pattern.search(body, position)) and match.start() < tail:
            pieces += [body[position : match.start()], self._fill_and_count(match)]
            position = match.end()
            if tail < position:
                tail = self._tail(body, position)
        pieces.append(body[position:tail])
        self._held = body[tail:]
        return b"".join(pieces)

    def _tail(self, body: bytes, start: int) -> int:
        """Where the longest tail begins that may begin a secret; the length of the body when none does."""
        if body[-1] in self._inside:
            for match in self._starts.finditer(body, max(start, len(body) - self._reach)):
                if any(spelling.begins(body, match.start()) for spelling in self._spellings):
                    return match.start()
        return len(body)

    def _fill_and_count(self, match: re.Match[bytes]) -> bytes:
        self._masked += 1
        return _fill(match)

    def _sent(self, name: str, value: str) -> str:
        if SECRET_HEADER.search(name):
            scheme = SCHEME.match(value)
            kept = scheme.end() if scheme else 0
            return value[:kept] + _filler(value[kept:])
        return self.text(value)


def without_keys(text: str) -> str:
    """What a person writes about a session, without what looks like a key."""
    return KeyShapes().whole(text.encode(errors="surrogatepass")).decode(errors="surrogatepass")


def _fill(match: re.Match[bytes]) -> bytes:
    return FILLER.encode() * len(match[0])


def _filler(text: str) -> str:
    return FILLER * len(text.encode(errors="surrogatepass"))
