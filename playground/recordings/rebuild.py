"""Everything that is derived, made anew from the reads: a better decoder then improves every old entry of the library.

Called by `manage.py rebuild`. Functions block; one lane at a time is in memory, some pages of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import DatabaseError, transaction

from playground.recordings.index import enter, host_of
from playground.recordings.keep import clean
from playground.recordings.models import Lane, Session
from playground.recordings.prompt import asked
from playground.recordings.replay import Cursor, replay
from playground.recordings.summary import summary

BATCH = 200


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A session is done: the how-manieth of how many, and a sentence for each lane that could not be read."""

    session: str
    number: int
    of: int
    troubles: list[str]


def rebuild(after: str = "") -> Iterator[Rebuilt]:
    """All sessions, in the order of their ids, so that `after` goes on behind one that was done."""
    done, of = 0, Session.objects.filter(pk__gt=after).count()
    while batch := list(Session.objects.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        for after in batch:
            done += 1
            yield Rebuilt(after, done, max(done, of), _session(after))


def _session(session: str) -> list[str]:
    troubles = []
    for key in Lane.objects.filter(session_id=session).values_list("pk", flat=True):
        try:
            _lane(Lane.objects.get(pk=key))
        except DatabaseError:
            raise
        except Exception as error:  # what is damaged may fail anywhere; the rest is rebuilt
            troubles.append(f"A lane of {session} cannot be read ({error or type(error).__name__}): it stays as it is.")
    with transaction.atomic():
        enter(session)
    return troubles


def _lane(lane: Lane) -> None:
    """What sealing the lane would write beside its end; of a lane that has none yet what its beginning would."""
    derived = {
        "seen": lane.format,
        "host": host_of(lane.target, lane.url),
        "prompt": clean(asked(bytes(lane.request_body)).prompt),
    }
    if lane.how:
        cursor = Cursor(lane.format)
        for _ in replay(lane, cursor):
            pass
        pipeline = cursor.pipeline
        derived |= {
            "word": pipeline.word,
            "complete": pipeline.complete,
            "seen": pipeline.format,
            "summary": clean(summary(pipeline)),
        }
    Lane.objects.filter(pk=lane.pk, how=lane.how).update(**derived)
