"""Which strings of a request are secret, and how an answer may spell them. Used by masking.py alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
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

KEY_EDGE: Final = rb"(?:(?<![\w-])|(?<=\\[nrtbf])|(?<=%[0-9a-fA-F]{2}))"
"""A key does not begin in the middle of a word, but may right behind an escape."""

# What vendors' keys look like: https://docs.github.com/code-security/secret-scanning lists most of these beginnings.
_SHAPES: Final = {
    beginning.encode(): re.compile(KEY_EDGE + rf"{re.escape(beginning)}{rest}".encode())
    for beginning, rest in {
        **dict.fromkeys(("sk-", "glpat-"), r"[\w-]{16,}"),
        **dict.fromkeys(("sk_live_", "sk_test_", "pk_live_", "rk_live_", "rk_test_"), r"\w{16,}"),
        **dict.fromkeys(("gsk_", "xai-", "hf_", "r8_", "pplx-", "fw_", "csk-", "github_pat_"), r"\w{20,}"),
        **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_", "dop_v1_"), r"\w{20,}"),
        **dict.fromkeys(("nvapi-", "tgp_v1_", "ya29."), r"[\w-]{20,}"),
        **dict.fromkeys(("xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxs-"), r"[\w-]{10,}"),
        **dict.fromkeys(("AKIA", "ASIA"), r"[A-Z0-9]{16}(?!\w)"),
        "AIza": r"[\w-]{30,}",
        "ABSK": r"[\w+/=]{20,}",
        "eyJ": r"[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}",
    }.items()
}

KEY_BEGINNINGS: Final = tuple(_SHAPES)

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
        found.update(key_shaped(value.encode(errors="replace")))
    for match in SECRET_PARAMETER.finditer(url):
        found.update((match[2], unquote(match[2])))
    found.update(key_shaped(url.encode(errors="replace")))
    found.update(key_shaped(body))
    found = {text for text in found if text.strip("*")}  # what is masked already is no secret
    return longest_first(found)


def longest_first(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once, none empty: where one text begins another, the longer one is to be found."""
    return tuple(sorted({text for text in texts if text}, key=lambda text: (-len(text), text)))


def key_shaped(text: bytes) -> set[str]:
    """What looks like a vendor's key."""
    return {text[start:end].decode() for start, end in key_places(text)}


def key_places(text: bytes) -> list[tuple[int, int]]:
    """Where something looks like a key. Found by its beginning: one pattern for all takes seconds for 10 MB."""
    found = []
    for beginning, shape in _SHAPES.items():
        start = text.find(beginning)
        while start >= 0:
            match = shape.match(text, start)
            if match is not None:
                found.append(match.span())
            start = text.find(beginning, start + len(beginning))
    return found


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
