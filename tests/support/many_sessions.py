"""A library of any size in a second: sessions as they look when their lanes are sealed, without their reads.

Used by the tests of the library and by bench.
"""

from __future__ import annotations

import datetime
import json
import random

from django.db import transaction

from playground.recordings.index import entry, host_of
from playground.recordings.models import Lane, Session, Tag, new_id

_MODELS = {"chat": "z-ai/glm-5.2", "messages": "claude-sonnet-5", "responses": "gpt-5.2"}
_WORDS = ["ended"] * 14 + ["failed", "cut", "stopped", "timed out", "refused", "interrupted"]
_ASKS = [
    "Is it warmer in Paris or in Oslo?",
    "Write a haiku about gaps.",
    "When is the tide in Brest?",
    "Sum up the log.",
]
_SAID = ["the", "harbour", "wind", "gap", "token", "stream", "tide", "river", "answer", "city", "north", "gateway"]
_TAGS = ["bug", "gateway", "demo", "slow proxy", "to file"]
_URLS = {"gateway": "http://127.0.0.1:8000/v1/x", "custom": "https://api.example.com/v1/x"}


def fill(sessions: int = 10_000, *, seed: int = 1, words: int = 120, newest: datetime.datetime | None = None) -> None:
    """So many sessions, a minute apart, the youngest at `newest`; `words` of text were said in each lane."""
    chance = random.Random(seed)
    newest = newest or datetime.datetime.now(datetime.UTC)
    with transaction.atomic():
        for start in range(0, sessions, 2000):
            _some(
                chance,
                [newest - datetime.timedelta(minutes=n) for n in range(start, min(start + 2000, sessions))],
                words,
            )


def _some(chance: random.Random, times: list[datetime.datetime], words: int) -> None:
    shelved, lanes, tags = [], [], []
    for created in times:
        ask = chance.choice(_ASKS)
        session = Session(id=new_id(), title=ask, created=created, origin=chance.choice(["run"] * 9 + ["import"]))
        formats = chance.choice([["chat"], ["messages"], ["responses"], list(_MODELS)])
        mine = [_lane(chance, session, number, format, ask, words) for number, format in enumerate(formats)]
        for column, value in entry(session.title, mine).items():
            setattr(session, column, value)
        shelved.append(session)
        lanes += mine
        if chance.random() < 0.2:
            tags.append(Tag(session=session, name=chance.choice(_TAGS)))
    Session.objects.bulk_create(shelved)
    Lane.objects.bulk_create(lanes)
    Tag.objects.bulk_create(tags)


def _lane(chance: random.Random, session: Session, number: int, format: str, ask: str, words: int) -> Lane:
    text = " ".join(chance.choices(_SAID, k=words)).capitalize() + "."
    target = chance.choice(["gateway", "gateway", "custom"])
    events = chance.randint(3, 4000)
    found = {"warning": chance.randint(1, 3)} if chance.random() < 0.2 else {}
    return Lane(
        session=session,
        number=number,
        format=format,
        target=target,
        model=_MODELS[format],
        method="POST",
        url=_URLS[target],
        request_body=json.dumps({"messages": [{"role": "user", "content": ask}]}).encode(),
        started=session.created.timestamp(),
        headed=True,
        status=200,
        how="closed",
        end_time=events * 20_000,
        word=chance.choice(_WORDS),
        complete=True,
        reads=0,
        seen=format,
        host=host_of(target, _URLS[target]),
        prompt=ask,
        summary={
            "format": format,
            "events": events,
            "usage": {"input": chance.randint(10, 900), "output": events},
            "text": text[:4000],
            "line": text[:200],
            "findings": found | ({"error": 1} if chance.random() < 0.05 else {}),
        },
    )
