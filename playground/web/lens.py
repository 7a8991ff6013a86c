"""A lane as another format: its events with what was lost, for the page, and its wire as a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header

from playground import runs
from playground.lens import WRITERS
from playground.lens.encoding import encode, encode_json
from playground.recordings.converted import Conversion
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs import Refused
from playground.web.answers import door, in_batches


@door("GET")
async def converted_rows(request: HttpRequest, session: str, lane: int, format: str) -> StreamingHttpResponse:
    return await rows_answer(session, lane, format)


@door("GET")
async def converted_stream(request: HttpRequest, session: str, lane: int, format: str) -> StreamingHttpResponse:
    return await stream_answer(session, lane, format)


async def rows_answer(session: str, lane: int, format: str, without: LeftOut = NOTHING) -> StreamingHttpResponse:
    """A JSON text a line: `[row, name, data]` for each event, `row` the number of the one that brought it about; the
    last line is `{"lost": [[element, sentence], ...], "over": true}`, `over` false while the lane streams."""
    conversion = await _conversion(session, lane, format, without)
    return _streaming(_lines(conversion), "application/x-ndjson")


async def stream_answer(
    session: str, lane: int, format: str, without: LeftOut = NOTHING, name: str = ""
) -> StreamingHttpResponse:
    """The other format's wire as a file, which is called after `name`, or after the session."""
    conversion = await _conversion(session, lane, format, without)
    answer = _streaming((encode(event) for _, event in conversion.events()), "text/event-stream")
    answer["Content-Disposition"] = content_disposition_header(True, f"{name or session}-{lane}-as-{format}.sse")
    return answer


async def _conversion(session: str, lane: int, format: str, without: LeftOut) -> Conversion:
    if format not in WRITERS:
        raise Refused("no-such-format", f"There is no format {format}; there are {', '.join(WRITERS)}.", status=404)
    return await runs.converted(session, lane, format, without) or _gone()


def _gone() -> NoReturn:
    raise Refused("no-such-lane", "There is no such lane here. Its session may have been deleted.", status=404)


def _streaming(pieces: Iterator[bytes], media_type: str) -> StreamingHttpResponse:
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"}
    return StreamingHttpResponse(in_batches(pieces), content_type=media_type, headers=headers)


def _lines(conversion: Conversion) -> Iterator[bytes]:
    for row, (name, value) in conversion.events():
        data = value if isinstance(value, str) else encode_json(value).decode()
        yield encode_json([row, name, data]) + b"\n"
    yield encode_json({"lost": conversion.lost, "over": conversion.over}) + b"\n"
