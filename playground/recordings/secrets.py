"""Which strings of a request are secret, and how an answer may spell them. Used by masking.py alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from playground.reads import Headers

SHORTEST: Final = 8
"""A shorter key cannot be told from ordinary text: it is masked where it was sent, answers are not searched for it."""

# Whole values of these request headers are secret, whoever receives them.
SECRET_HEADER: Final = re.compile(
    r"(authorization|authentication|cookie2?|credential|password|secret|signature|api-?key|subscription-key|(^|-)(key|token|auth))$",
    re.I,
)
SECRET_PARAMETER: Final = re.compile(
    r"([?&;](?:[\w.-]*(?:key|token|secret|password|credential|signature)|sig|auth|code)=)([^&;#\s]+)", re.I
)

# What vendors' keys look like: https://docs.github.com/code-security/secret-scanning lists most of these beginnings.
_BEGINNINGS: Final = (
    r"sk-[\w-]{16,}|(?:sk|pk|rk)_(?:live|test)_\w{16,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|gsk_\w{20,}|xai-\w{20,}|hf_\w{20,}"
    r"|r8_\w{20,}|pplx-\w{20,}|nvapi-[\w-]{20,}|fw_\w{20,}|csk-\w{20,}|tgp_v1_[\w-]{20,}|gh[pousr]_\w{20,}"
    r"|github_pat_\w{20,}|glpat-[\w-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ABSK[\w+/=]{20,}|xox[abeoprs]-[\w-]{10,}"
    r"|npm_\w{30,}|dop_v1_\w{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"
)
KEY_SHAPED: Final = re.compile(rf"(?<![\w-])(?:{_BEGINNINGS})", re.ASCII)
KEY_SHAPED_BYTES: Final = re.compile(KEY_SHAPED.pattern.encode(), re.ASCII)

SCHEME: Final = re.compile(r"\s*(?:(?:bearer|basic|digest|token|apikey|key)\s+)?", re.I)
"""How the value of an Authorization header begins, before what is secret."""


def secret_strings(key: str, url: str, headers: Headers, body: bytes) -> tuple[str, ...]:
    """All that must not come back, longest first, each once."""
    found = {key.strip()}
    for name, value in headers:
        if SECRET_HEADER.search(name):
            found.add(SCHEME.sub("", value, count=1).strip())
            if name.lower().startswith("cookie"):
                found.update(pair.partition("=")[2].strip() for pair in value.split(";"))
        found.update(KEY_SHAPED.findall(value))
    for match in SECRET_PARAMETER.finditer(url):
        found.update((match[2], unquote(match[2])))
    found.update(KEY_SHAPED.findall(url))
    found.update(text.decode() for text in KEY_SHAPED_BYTES.findall(body))
    return tuple(sorted((text for text in found if text), key=lambda text: (-len(text), text)))


class Spelling:
    """One secret in every spelling that an answer may give it: plain, with JSON escapes (also JSON in JSON), with
    percent signs, as HTML."""

    def __init__(self, secret: str) -> None:
        characters = [_Character(character) for character in secret]
        self.pattern = b"".join(character.whole for character in characters)
        self.longest = sum(character.longest for character in characters)
        self._units = [(re.compile(character.whole), re.compile(character.begun)) for character in characters]

    def begins(self, text: bytes, start: int) -> bool:
        """Whether the secret may begin at `start` and go on behind the end of `text`."""
        size = len(text)
        for whole, begun in self._units:
            if start == size:
                return True
            match = whole.match(text, start)
            if match is None:
                return begun.fullmatch(text, start) is not None
            start = match.end()
        return False


class _Character:
    """The spellings of one character. Every alternative begins with a literal, which lets `re` scan quickly."""

    def __init__(self, character: str) -> None:
        plain = character.encode()
        number = ord(character)
        marked = rb"(?:\\{0,7})"
        alternatives = [re.escape(plain), rb"\\" + marked + rb"u" + _digits(b"%04x" % number)]
        if not character.isalnum():
            alternatives.append(rb"\\" + marked + re.escape(plain))
        alternatives.append(b"".join(b"%" + _digits(b"%02x" % byte) for byte in plain))
        alternatives += [rb"&#0{0,4}%d;" % number, rb"&#[xX]0{0,4}" + _digits(b"%x" % number) + b";"]
        name = {"&": b"amp", "<": b"lt", ">": b"gt", '"': b"quot", "'": b"apos"}.get(character)
        if name:
            alternatives.append(b"&" + name + b";")
        self.whole = b"(?:" + b"|".join(alternatives) + b")"
        begun = [rb"\\{1,8}(?:u[0-9a-fA-F]{0,3})?", rb"%[0-9a-fA-F]?", rb"&#?[0-9a-zA-Z]{0,9}"]
        if len(plain) > 1:
            begun += [re.escape(plain[:size]) for size in range(1, len(plain))]
            begun.append(rb"(?:%[0-9a-fA-F]{2})+%?[0-9a-fA-F]?")
        self.begun = b"|".join(begun)
        self.longest = max(14, 3 * len(plain))


def _digits(hexadecimal: bytes) -> bytes:
    """Hexadecimal digits in either case."""
    return b"".join(
        b"[" + bytes({digit, ord(chr(digit).upper())}) + b"]" if chr(digit).isalpha() else bytes([digit])
        for digit in hexadecimal
    )


def spellings(secrets: Iterable[str]) -> Iterator[Spelling]:
    return (Spelling(secret) for secret in secrets if len(secret) >= SHORTEST)
