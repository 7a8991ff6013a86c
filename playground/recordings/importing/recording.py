"""Our own recording file, as the export writes it; recording_lines.py reads it."""

from __future__ import annotations

from collections.abc import Iterator

from playground.recordings.importing.interface import Kind
from playground.recordings.importing.source import Source
from playground.recordings.recording_lines import is_recording, read_recording
from playground.recordings.records import Record


def read(source: Source) -> Iterator[Record]:
    """All lanes, times and markers; what is damaged is named by its line."""
    yield from read_recording(source.open())


KIND = Kind(
    "recording",
    "A recording",
    "The file that Export writes: every lane, byte and time of a session.",
    lambda source: is_recording(source.text.split(b"\n", 1)[0]),
    read,
)
