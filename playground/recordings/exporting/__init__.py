"""A session as a file: the kinds of export in the order of the menu. Called by web/exporting.py and `manage.py export`.

A new kind is a file beside this one and a line in KINDS.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from playground.recordings.exporting.body import BODY
from playground.recordings.exporting.case import CASE, folder
from playground.recordings.exporting.curl import CURL
from playground.recordings.exporting.events import EVENTS
from playground.recordings.exporting.har import HAR
from playground.recordings.exporting.interface import Kind, Taken
from playground.recordings.exporting.page import PAGE
from playground.recordings.exporting.recording import RECORDING
from playground.recordings.exporting.timings import TIMINGS
from playground.recordings.exporting.zipped import zipped

KINDS: dict[str, Kind] = {kind.name: kind for kind in (PAGE, RECORDING, BODY, EVENTS, HAR, CURL, TIMINGS, CASE)}

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Export:
    """A file: its name, its media type, and its bytes in pieces, made when they are asked for."""

    name: str
    media_type: str
    pieces: Iterator[bytes]


def export(taken: Taken, kind: Kind) -> Export:
    """While a lane streams, what came so far: the file's name says so."""
    name = slug(taken.title) + ("" if taken.over else ".so-far")
    if kind.one_lane and len(taken.lanes) > 1:
        files = ((f"{folder(lane, several=True)}{kind.suffix}", kind.write(taken.only(lane))) for lane in taken.lanes)
        return Export(f"{name}{kind.suffix}.zip", "application/zip", zipped(files))
    return Export(f"{name}{kind.suffix}", kind.media_type, kind.write(taken))


def slug(title: str) -> str:
    """A title as the beginning of a file's name: letters and digits of any script, and `-`."""
    text = unicodedata.normalize("NFKC", title).lower()
    words = re.sub(r"[\W_]+", "-", text).strip("-")
    return words[:LONGEST_NAME].rstrip("-") or "session"
