"""One HTML file that opens from disk without a network: the player, and each lane's steps, bytes and media.

static/js/sources/recording.js reads the blocks. Nothing in them is run, and none of them can end early: `<` is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import zlib
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from playground.coding import Coding
from playground.lint.book import rule_book
from playground.messages import LaneMessage, SessionMessage, encode, lane_message
from playground.recordings.exporting.interface import Kind, Taken, TakenLane
from playground.recordings.exporting.joining import joined_modules, joined_sheets, module
from playground.recordings.media import content_of, media_type
from playground.recordings.records import EndRecord, HeadRecord, MarkerRecord, OpenRecord, ReadRecord
from playground.recordings.replay import Cursor

ENTRY: Final = "exported.js"
LOADER: Final = "unpack.js"
SHEET: Final = "pages/share.css"
BLOCK: Final = 128 * 1024
"""Characters of steps, or bytes, in a block: a few milliseconds of the page's time."""

STILL: Final = "The stream was still running when this page was made: this is what had come."


def write(taken: Taken) -> Iterator[bytes]:
    before, after = frame(taken)
    yield before
    yield _block("text/plain", 'id="module"', base64.b64encode(zlib.compress(joined_modules(ENTRY).encode(), 9)))
    lanes: list[LaneMessage] = []
    broken: set[str] = set()
    markers: list[dict[str, Any]] = []
    for index, lane in enumerate(taken.lanes):
        told = _Lane(index)
        yield from told.blocks(taken, lane)
        lanes += told.message
        broken |= told.broken
        markers += told.markers
    session: SessionMessage = {
        "type": "session",
        "id": "",
        "title": taken.title,
        "created": taken.created or 0,
        "tags": [],
        "left_out": list(taken.left_out),
        "lanes": lanes,
    }
    yield _json_block('id="session"', encode(session))
    yield _json_block('id="markers"', encode([{"id": id, **marker} for id, marker in enumerate(markers, 1)]))
    yield _json_block('id="lint-rules"', encode(_rules(broken)))
    yield after


def frame(taken: Taken) -> tuple[bytes, bytes]:
    """The page before and behind the blocks."""
    script, style = module(LOADER), joined_sheets(SHEET)
    policy = (
        f"default-src 'none'; script-src {_hash(script)} {_hash(joined_modules(ENTRY))}; style-src {_hash(style)}; "
        "img-src blob:; media-src blob:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types unpack"
    )
    # No title can have it.
    marker = secrets.token_hex(16)
    names: dict[str, Any] = {"title": taken.title or "Session", "over": taken.over, "now": timezone.now()}
    inside = {"policy": policy, "script": script, "style": style, "blocks": marker}
    page = render_to_string("exported.html", {**names, **inside})
    before, _, after = page.partition(marker)
    return before.encode(), after.encode()


def _rules(broken: set[str]) -> dict[str, Any]:
    """What the page says of rules: of those that were broken, and how many there are."""
    book = rule_book(settings.THRESHOLDS, "")
    told = {name: rule for name, rule in book["rules"].items() if name in broken}
    return {**book, "rules": told, "count": len(book["rules"])}


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class _Lane:
    """A lane on its way into blocks; `message` has one entry when its head has come, `broken` the rules it broke.

    `markers` as the page's model has them, but for their ids.
    """

    def __init__(self, index: int) -> None:
        self.message: list[LaneMessage] = []
        self.broken: set[str] = set()
        self.markers: list[dict[str, Any]] = []
        self._index = index
        self._steps: list[str] = []
        self._size = 0
        self._body = bytearray()
        self._from = 0

    def blocks(self, taken: Taken, lane: TakenLane) -> Iterator[bytes]:
        cursor = Cursor(lane.format)
        coding = Coding(lane.head.header("content-encoding"))
        head: HeadRecord | None = None
        offset, time = 0, None
        for record in taken.read(lane.number):
            match record:
                case HeadRecord():
                    head = record
                    self._add(cursor.encode(cursor.head(record.head)))
                case ReadRecord():
                    step = cursor.read(record.read)
                    offset, time = step.offset, step.time
                    self._add(cursor.encode(step))
                    self._body += coding.feed(record.read.body)
                case EndRecord():
                    self._add(cursor.encode(cursor.end(record.end, head.notes if head else ())))
                case MarkerRecord():
                    place = {"lane": self._index, "start": record.start, "end": record.end}
                    self.markers.append({**place, "note": record.note, "created": record.created})
                case OpenRecord():
                    self._add(_still(cursor, offset, time))
            yield from self._full(BLOCK)
        self._body += coding.end()
        yield from self._full(1)
        for part in cursor.pipeline.transcript:
            if content := content_of(part):
                names = f'class="media" data-of="{self._index}-{part.number}" data-type="{media_type(content)}"'
                yield _block("text/plain", names, base64.b64encode(content))
        self.broken = {finding.rule.id for finding in cursor.pipeline.findings}
        if head is not None:
            said = (head.format, head.target, head.model, head.head)
            last = cursor.position if cursor.over else cursor.position + 1
            self.message = [lane_message(self._index, *said, word=cursor.pipeline.word, last_step=last)]

    def _add(self, step: str) -> None:
        self._steps.append(step)
        self._size += len(step)

    def _full(self, size: int) -> Iterator[bytes]:
        """A block of each kind that has so much in it."""
        if self._size >= size:
            yield _json_block(f'class="steps" data-lane="{self._index}"', f"[{','.join(self._steps)}]")
            self._steps, self._size = [], 0
        if len(self._body) >= size:
            names = f'class="bytes" data-lane="{self._index}" data-from="{self._from}"'
            yield _block("text/plain", names, base64.b64encode(self._body))
            self._from += len(self._body)
            self._body.clear()


def _still(cursor: Cursor, offset: int, time: int | None) -> str:
    """The last step of a lane that had no end: the page counts no seconds since its last byte."""
    word, complete = cursor.pipeline.word, cursor.pipeline.complete
    end = {"how": "stopped", "detail": STILL, "word": word, "complete": complete, "body": "", "notes": []}
    return encode({"step": cursor.position + 1, "time": time, "size": 0, "offset": offset, "end": end})


def _json_block(names: str, text: str) -> bytes:
    """JSON has `<` in strings only, where it may be written as an escape."""
    return _block("application/json", names, text.replace("<", "\\u003c").encode())


def _block(kind: str, names: str, content: bytes) -> bytes:
    return f'<script type="{kind}" {names}>'.encode() + content + b"</script>\n"


PAGE = Kind(
    name="html",
    title="HTML page",
    purpose="Opens in any browser from disk, with the player and every byte. To send to somebody.",
    suffix=".html",
    media_type="text/html; charset=utf-8",
    write=write,
)
