"""What a viewer is told first: the session and its lanes. Called by watching.py."""

from __future__ import annotations

from playground.messages import LaneMessage, SessionMessage, lane_message
from playground.recordings.library import LaneView, SessionView
from playground.recordings.veil import LeftOut


def session_message(session: SessionView, without: LeftOut, shared: bool) -> SessionMessage:
    return {
        "type": "session",
        # Who knows the id of a session can look at all of it.
        "id": "" if shared else session.id,
        "title": session.title,
        "created": session.created,
        "tags": [] if shared else list(session.tags),
        "left_out": without.words,
        "lanes": [_lane_message(lane) for lane in session.lanes],
    }


def _lane_message(lane: LaneView) -> LaneMessage:
    names = (lane.format, lane.target, lane.model)
    return lane_message(lane.number, *names, lane.head, word=lane.word, last_step=lane.last_step)
