"""A kept lane says, byte for byte, what it said when it was live."""

from __future__ import annotations

import hashlib
import random

import pytest

from playground.recordings import keep, library
from playground.recordings.keep import Batch, Seal
from playground.recordings.models import Lane, Page
from playground.recordings.replay import Cursor, Gap, reads, replay
from tests.support import streams
from tests.support.lanes import begin, encoded, head_of, reads_of, walk

pytestmark = pytest.mark.django_db


def kept(case: str, pieces: list[bytes], seed: int, format: str = "") -> tuple[Lane, list[str]]:
    """A lane kept in flushes of any size, and what was said live."""
    chance = random.Random(seed)
    key = begin(format=format).lanes[0]
    found = reads_of(pieces, every=chance.choice([3, 1500, 90_000]))
    pipeline, steps = walk(format, head_of(case), found)
    said = encoded(pipeline, steps)
    digest = hashlib.sha256()
    size = count = 0
    waiting = list(found)
    while True:
        flush = [waiting.pop(0) for _ in range(min(len(waiting), chance.randint(1, 30)))]
        seal = None if waiting else Seal(steps[-1][0].end, pipeline.word, pipeline.complete, {})
        batch = Batch(key, head_of(case) if count == 0 else None, flush, seal, size, count, digest)
        keep.write([batch])
        size, count, digest = batch.size, batch.count, batch.digest
        if seal:
            return Lane.objects.get(pk=key), said


@pytest.mark.parametrize("case", streams.CASES)
def test_replay_equals_live_for_every_golden_stream(case: str) -> None:
    whole = streams.body(case)
    cuttings = [streams.cut(whole, streams.recorded_cuts(case)), streams.cut_at_random(whole, 7)]
    if len(whole) < 1000:
        cuttings.append(streams.bytewise(whole))
    for seed, pieces in enumerate(cuttings):
        lane, said = kept(case, pieces, seed)
        cursor = Cursor(lane.format)
        assert [cursor.encode(step) for step in replay(lane, cursor)] == said
        assert cursor.over
        assert lane.size == len(whole)
        assert lane.digest == hashlib.sha256(whole).hexdigest()
        assert lane.reads == len([piece for piece in pieces if piece])


def test_reads_come_back_from_any_number_on() -> None:
    lane, _ = kept(streams.CASES[0], streams.bytewise(streams.body(streams.CASES[0]))[:900], 3)
    found = list(reads(lane.pk))
    for after in (0, 1, 17, 450, len(found) - 1, len(found)):
        assert list(reads(lane.pk, after)) == found[after:]


def test_a_missing_page_is_noticed() -> None:
    lane, _ = kept(streams.CASES[0], [b"x"] * 200, 3)
    Page.objects.filter(lane=lane, first__gt=1).order_by("first").first().delete()
    with pytest.raises(Gap):
        list(replay(lane, Cursor("")))


def test_any_stretch_of_the_body_can_be_had() -> None:
    whole = streams.body(streams.CASES[3])
    lane, _ = kept(streams.CASES[3], streams.cut_at_random(whole, 3), 3)
    for start, end in ((0, 10), (5, 5), (0, len(whole)), (len(whole) - 3, len(whole) + 50), (100, 333)):
        assert library.body(lane, start, end) == whole[start:end]


def test_a_step_costs_less_than_three_bytes_a_byte_on_the_wire() -> None:
    events = [b'data: {"choices":[{"index":0,"delta":{"content":"word %d"}}]}\n\n' % number for number in range(3000)]
    lane, _ = kept("chat-no-done", events, 5)
    wire = sum(map(len, events))
    pages = Page.objects.filter(lane=lane)
    assert sum(len(page.body) + len(page.marks) for page in pages) < 1.2 * wire
