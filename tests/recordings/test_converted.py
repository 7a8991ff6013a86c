"""A kept lane as another format is what its bytes are when they are converted outright."""

from __future__ import annotations

import pytest

from playground.lens.encoding import encode
from playground.recordings import library
from playground.recordings.converted import Conversion
from playground.recordings.models import Lane
from playground.sse.parser import Parser
from tests.lens.test_converted import REFERENCES, converted
from tests.support import streams
from tests.support.taken import golden, keep_lanes

pytestmark = pytest.mark.django_db


def lane_of(session: str) -> Lane:
    lane = library.lane(session, 0)
    assert lane is not None
    return lane


@pytest.mark.parametrize("target", ["chat", "messages", "responses"])
@pytest.mark.parametrize("case", REFERENCES)
def test_a_reference_stream_is_converted_event_by_event(case: str, target: str) -> None:
    conversion = Conversion(lane_of(keep_lanes(golden(case))), target)
    events = list(conversion.events())
    source = {"ref-chat": "chat", "ref-msg": "messages", "ref-resp": "responses"}["-".join(case.split("-")[:2])]
    body, writer = converted(source, streams.body(case), target)
    assert b"".join(encode(event) for _, event in events) == body
    assert conversion.lost == writer.lost
    assert conversion.over


def test_each_event_names_the_row_that_brought_it_about() -> None:
    conversion = Conversion(lane_of(keep_lanes(golden("ref-msg-text"))), "chat")
    rows = [row for row, _ in conversion.events()]
    assert rows == sorted(rows)
    count = len(list(Parser().feed(streams.body("ref-msg-text"), 1, None)))
    assert rows[0] >= 1
    assert rows[-1] <= count


def test_a_lane_that_streams_is_converted_as_far_as_it_came_and_has_no_end() -> None:
    head, reads, _ = golden("ref-chat-text")
    half = len(reads) // 2
    lane = lane_of(keep_lanes((head, reads[:half], None), format="chat"))
    kept = list(Conversion(lane, "messages").events())
    conversion = Conversion(lane, "messages", reads[half - 1 : half + 3])
    assert len(list(conversion.events())) > len(kept)
    assert not conversion.over


def test_of_a_lane_to_which_nobody_answered_nothing_is_made_up() -> None:
    head, _, end = golden("ref-chat-text")
    assert list(Conversion(lane_of(keep_lanes((head, [], end))), "responses").events()) == []
