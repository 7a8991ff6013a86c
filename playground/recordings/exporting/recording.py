"""The recording file: bytes and times of all lanes, bit for bit; docs/recording-format.md."""

from playground.recordings.exporting.interface import Kind
from playground.recordings.recording_file import SUFFIX, recording_file

RECORDING = Kind(
    name="recording",
    title="Recording",
    purpose="Every byte with its time. Import it into a playground, keep it, attach it to a bug.",
    suffix=SUFFIX,
    media_type="application/jsonl",
    write=lambda taken: recording_file(taken.records()),
)
