"""What may be asked of the hall, and how it says no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from playground.reads import Headers

GATEWAY = "gateway"
"""The target that is built in; every other one is given by its address."""


@dataclass(frozen=True, slots=True)
class LaneRequest:
    """One lane that is to run. `format` "" recognises it from the stream; `path` "" is the format's own.

    `marked`: texts that are masked as its key is, and kept nowhere.
    """

    format: str
    target: str
    body: bytes
    base_url: str = ""
    path: str = ""
    method: str = "POST"
    headers: Headers = ()
    key: str = ""
    marked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionRequest:
    lanes: Sequence[LaneRequest]
    title: str = ""
    owner: int | None = None


class Refused(Exception):
    """The hall says no: a code word, a sentence that says what to do, the field it is about, an HTTP status."""

    def __init__(self, code: str, message: str, field: str = "", status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.status = status
