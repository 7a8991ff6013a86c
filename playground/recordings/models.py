"""The tables of what is kept: a session, its lanes, and each lane's reads in pages. Everything else is derived.

keep.py makes rows and writes what came; shelf.py changes what a person may change; index.py fills what is derived.
"""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.db import models
from django.db.models.functions import Lower

from playground.reads import End, Head, Headers


def new_id() -> str:
    """128 random bits: whoever knows the address of a session may look at it, nobody can guess it.

    It begins with no dash, so that a command line takes it for no option.
    """
    while (id := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return id


class Writer(models.Model):
    """A server that keeps runs. A lane without an end whose writer lives no more was interrupted."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    host = models.CharField(max_length=255)
    number = models.PositiveBigIntegerField(help_text="the number that the system gave to it")
    born = models.CharField(max_length=64, help_text="when the system says it began: numbers are given again")
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.number} on {self.host}"


SORTED_BY = ("created", "duration", "events", "tokens", "findings")
"""What sessions are listed by, beside their title; the largest stands first."""

_SHELVED = models.Q(deleted__isnull=True)


class Session(models.Model):
    """What one press of Run started, or what was imported. `deleted`: when a person did so, it can be undone.

    What stands below `deleted` is derived, for lists and search: index.py writes it, `manage.py rebuild` makes it anew.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    owner = models.PositiveBigIntegerField(null=True, blank=True, db_index=True, help_text="an account's number")
    title = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(db_index=True)
    writer = models.ForeignKey(Writer, null=True, on_delete=models.SET_NULL)
    origin = models.CharField(max_length=8, default="run", help_text="run or import")
    deleted = models.DateTimeField(null=True)

    duration = models.BigIntegerField(default=0, help_text="microseconds, 0 when unknown")
    events = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0, help_text="of prompt and output")
    findings = models.IntegerField(default=0, help_text="broken rules, lane by lane")
    errors = models.IntegerField(default=0, help_text="those of severity error")
    card = models.JSONField(default=dict, help_text="what a list shows of the lanes")
    search = models.TextField(default="", help_text="title, models, prompts and text said, folded")

    class Meta:
        indexes: ClassVar = [
            *(
                models.Index(models.F(name).desc(), models.F("id").desc(), condition=_SHELVED, name=f"shelf_by_{name}")
                for name in SORTED_BY
            ),
            models.Index(Lower("title"), "id", condition=_SHELVED, name="shelf_by_title"),
            models.Index(fields=["deleted"], condition=~_SHELVED, name="shelf_deleted"),
        ]

    def __str__(self) -> str:
        return self.title or self.id


class Tag(models.Model):
    """A word that a person gave to a session, in small letters."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tags", db_index=False)
    name = models.CharField(max_length=40)

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "name"], name="one_tag_a_name")]
        indexes: ClassVar = [models.Index(fields=["name", "session"], name="sessions_of_a_tag")]

    def __str__(self) -> str:
        return self.name


class Lane(models.Model):
    """One request and its stream; what is secret in it was masked before it came here.

    `headed` says whether the answer's head (or the certainty that none comes) is kept, `how` is "" until the end.
    Times are whole microseconds since the request was written. `word`, `complete`, `summary`, `seen`, `host` and
    `prompt` are a cache of what replaying would say.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="lanes")
    number = models.PositiveSmallIntegerField()

    format = models.CharField(max_length=32, blank=True, help_text="empty: recognised from the stream")
    target = models.CharField(max_length=32)
    model = models.CharField(max_length=300, blank=True)
    method = models.CharField(max_length=16)
    url = models.TextField()
    request_headers = models.JSONField(default=list)
    request_body = models.BinaryField(default=b"")
    started = models.FloatField(null=True, help_text="wall clock, seconds since 1970")

    headed = models.BooleanField(default=False)
    status = models.PositiveSmallIntegerField(null=True)
    reason = models.TextField(blank=True)
    headers = models.JSONField(default=list)
    head_time = models.BigIntegerField(null=True)

    how = models.CharField(max_length=32, blank=True, db_index=True)
    end_time = models.BigIntegerField(null=True)
    detail = models.TextField(blank=True)
    word = models.CharField(max_length=16, blank=True)
    complete = models.BooleanField(default=False)
    reads = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0, help_text="bytes kept")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the bytes kept")
    summary = models.JSONField(default=dict)
    notes = models.JSONField(default=list, help_text="sentences: what was masked, what is kept otherwise than it came")
    seen = models.CharField(max_length=32, blank=True, help_text="the format as given or recognised")
    host = models.CharField(max_length=255, blank=True, help_text="where the request went, in a word")
    prompt = models.TextField(blank=True, help_text="what was asked, its beginning")

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "number"], name="one_lane_a_number")]
        indexes: ClassVar = [
            models.Index(fields=[name, "session"], name=f"lanes_by_{name}") for name in ("word", "seen", "host")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} lane {self.number}"

    def head(self, *, with_body: bool = True) -> Head:
        """The lane's head; without the request's body, which may be large, where only the answer's side is wanted."""
        return Head(
            method=self.method,
            url=self.url,
            request_headers=_pairs(self.request_headers),
            request_body=bytes(self.request_body) if with_body else b"",
            started=self.started,
            status=self.status,
            reason=self.reason,
            headers=_pairs(self.headers),
            time=self.head_time,
        )

    def end(self) -> End | None:
        return End(self.how, self.end_time, self.detail) if self.how else None  # type: ignore[arg-type]


class Page(models.Model):
    """Reads of a lane that follow one another: their bytes joined, and their sizes and times (pages.py)."""

    lane = models.ForeignKey(Lane, on_delete=models.CASCADE, related_name="pages", db_index=False)
    first = models.PositiveBigIntegerField(help_text="number of the first read")
    start = models.PositiveBigIntegerField(help_text="body bytes of the lane before this page")
    body = models.BinaryField()
    marks = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["first"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["lane", "first"], name="one_page_a_read")]

    def __str__(self) -> str:
        return f"lane {self.lane_id} from read {self.first}"


class Marker(models.Model):
    """A person's note at a stretch of a lane's body. `start` and `end` are bytes of the decoded body: they outlive a
    reader that finds other rows in it."""

    lane = models.ForeignKey(Lane, on_delete=models.CASCADE, related_name="markers")
    start = models.PositiveBigIntegerField()
    end = models.PositiveBigIntegerField()
    note = models.CharField(max_length=500)
    created = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["lane__number", "start", "pk"]

    def __str__(self) -> str:
        return f"{self.note} at byte {self.start} of {self.lane_id}"


class Share(models.Model):
    """A link on which others may look at a session, kept by the hash of its token.

    `parts` and `texts` are what the link leaves out (veil.py).
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="shares")
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField()
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    parts = models.JSONField(default=list)
    texts = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.session_id} until {self.expires}"


def _pairs(value: list[list[str]]) -> Headers:
    return tuple((name, text) for name, text in value)
