"""`.sse`: the body of a lane alone, content coding undone, to the byte."""

from collections.abc import Iterator

from playground.recordings.exporting.interface import Kind, Taken, decoded


def write(taken: Taken) -> Iterator[bytes]:
    return decoded(taken, taken.lanes[0])


BODY = Kind(
    name="sse",
    title="Body",
    purpose="The exact bytes of the stream without times, for manage.py read, a mock, or a parser’s test.",
    suffix=".sse",
    media_type="text/event-stream",
    write=write,
    one_lane=True,
)
