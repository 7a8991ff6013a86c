"""What a rule is. The rules themselves stand in the tables that rules.py puts together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
"""From the worst to the mildest."""

Where = Literal[
    "body",  # the whole body is no stream
    "bytes",  # encoding and framing of the body
    "line",  # one line, or a block that was not dispatched
    "event",  # one event, known when it is read
    "end",  # known when the stream is over; points to a call, a block, an item or to nothing
    "time",  # how the reads came
    "sums",  # what the counts say of each other
]

SSE: Final = "https://html.spec.whatwg.org/multipage/server-sent-events.html"
UTF_8: Final = "https://encoding.spec.whatwg.org/#utf-8-decoder"
JSON: Final = "https://www.rfc-editor.org/rfc/rfc8259"
CHAT: Final = "https://platform.openai.com/docs/api-reference/chat-streaming"
MESSAGES: Final = "https://platform.claude.com/docs/en/build-with-claude/streaming"
RESPONSES: Final = "https://platform.openai.com/docs/api-reference/responses-streaming"

ALL: Final = "CMR"
"""The formats a rule is for: C Chat Completions, M Messages, R Responses."""

_FORMATS: Final = {"C": "Chat Completions", "M": "Messages", "R": "Responses"}
_WHERE: Final[dict[Where, str]] = {
    "body": "the whole body",
    "bytes": "bytes",
    "line": "a line",
    "event": "an event",
    "end": "known at the end",
    "time": "how the reads came",
    "sums": "known at the end",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `says` is a sentence for people, `expected` what stands there in a good stream.

    `source` is the specification and the public reports it rests on, `clients` what the official clients do with such
    a stream, "" where that is not known.
    """

    id: str
    severity: Severity
    formats: str
    where: tuple[Where, ...]
    says: str
    expected: str
    source: tuple[str, ...]
    clients: str = ""

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """(text, address) of each source; the address of one that has none is ""."""
        return tuple(_link(source) for source in self.source)

    @property
    def formats_told(self) -> str:
        """The formats it is for, in words."""
        return "all formats" if self.formats == ALL else ", ".join(_FORMATS[letter] for letter in self.formats)

    @property
    def where_told(self) -> str:
        """What it looks at, in words."""
        return ", ".join(dict.fromkeys(_WHERE[where] for where in self.where))


def _link(source: str) -> tuple[str, str]:
    if source.startswith("https://"):
        return source, source
    repository, hash, number = source.partition("#")
    if hash and number.isdigit() and repository.count("/") == 1:
        return source, f"https://github.com/{repository}/issues/{number}"
    return source, ""
