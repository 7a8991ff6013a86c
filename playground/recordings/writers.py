"""Which servers live, so that a lane whose server died gets its end. Called by runs, first at start-up.

Several servers may share the tables: only lanes of those that are gone are marked. Functions block.
"""

from __future__ import annotations

import datetime
import os
import socket
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from playground.reads import End
from playground.recordings.keep import Seal, seal_kept
from playground.recordings.models import Lane, Writer
from playground.recordings.replay import Cursor, replay
from playground.recordings.summary import summary

BEAT = 15.0
"""Seconds after which a server says again that it lives."""

SILENCE = datetime.timedelta(seconds=4 * BEAT)
"""A server on another machine that has not said so for this long is gone."""

SENTENCE = "The server stopped while this was streaming; what came until then is here."


def enter() -> str:
    """This server's row; its key."""
    number = os.getpid()
    return Writer.objects.create(host=socket.gethostname(), number=number, born=_born(number), seen=timezone.now()).pk


def beat(writer: str) -> None:
    Writer.objects.filter(pk=writer).update(seen=timezone.now())


def leave(writer: str) -> None:
    Writer.objects.filter(pk=writer).delete()


def settle(session: str | None = None) -> list[int]:
    """Give every lane (of the session) that nobody writes any more its end; their keys."""
    open_lanes = Lane.objects.filter(how="").defer("request_body").select_related("session__writer")
    if session is not None:
        open_lanes = open_lanes.filter(session_id=session)
    gone = [lane for lane in open_lanes if not _lives(lane.session.writer)]
    for lane in gone:
        _interrupt(lane)
    if session is None:
        Writer.objects.filter(pk__in=[writer.pk for writer in Writer.objects.all() if not _lives(writer)]).delete()
    return [lane.pk for lane in gone]


def _interrupt(lane: Lane) -> None:
    lane.headed = True
    cursor = Cursor(lane.format)
    time = None
    for step in replay(lane, cursor):
        time = step.time
    end = End("interrupted", time, SENTENCE)
    cursor.end(end)
    pipeline = cursor.pipeline
    seal = Seal(end, pipeline.word, pipeline.complete, summary(pipeline), lane.notes)
    with transaction.atomic():
        if Lane.objects.select_for_update().filter(pk=lane.pk, how="").exists():
            seal_kept(lane.pk, seal)


def _lives(writer: Writer | None) -> bool:
    if writer is None:
        return False
    if writer.host != socket.gethostname():
        return timezone.now() - writer.seen < SILENCE
    try:
        os.kill(writer.number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return writer.born == _born(writer.number)


def _born(number: int) -> str:
    """When the system says that it began, in the system's own ticks; "" where it does not say."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
