"""The gateway's tables: what each key spent, a charge for every call, the answers that are kept. Changed by ledger.py.

Money is whole micros, a millionth of a US dollar; a cent is 10,000 of them.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Account(models.Model):
    """One key, known by its hash alone; the key "" is that of calls without any."""

    id = models.CharField(primary_key=True, max_length=64, help_text="SHA-256 of the key, as hex")
    spent_micros = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.id[:12]


class Charge(models.Model):
    """One call. While it runs, tokens and cost are what is known so far and the account has not paid for them yet."""

    RUNNING = "running"
    ENDED = "ended"  # the model came to its end
    FAILED = "failed"  # it failed on the way; what it had said is paid all the same
    LEFT = "left"  # the client left, the model was read to its end
    INTERRUPTED = "interrupted"  # the server died; paid is what was known to be said
    ENDS: ClassVar = [(word, word) for word in (RUNNING, ENDED, FAILED, LEFT, INTERRUPTED)]

    id = models.CharField(primary_key=True, max_length=40, help_text="the x-request-id of the answer")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="charges")
    created = models.DateTimeField()
    model = models.CharField(max_length=300)
    path = models.CharField(max_length=64)
    streamed = models.BooleanField()
    input_tokens = models.BigIntegerField(default=0)
    output_tokens = models.BigIntegerField(default=0)
    cost_micros = models.BigIntegerField(default=0)
    ended = models.CharField(max_length=16, choices=ENDS, default=RUNNING)
    replayed = models.BooleanField(default=False)
    lost = models.JSONField(default=list, help_text="what a conversion could not say: [{element, note}]")
    server = models.CharField(max_length=350, help_text="which server runs it: host, number, when it began")
    seen = models.DateTimeField(help_text="when that server said last that it runs")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["account", "-created"], name="gateway_charges_newest"),
            models.Index(fields=["ended"], name="gateway_charges_running", condition=models.Q(ended="running")),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.model} {self.cost_micros}"


class Stored(models.Model):
    """An answer to be given again, found by what UNIQUE names. While its first call runs, `body` is null."""

    IDEMPOTENCY = "idempotency"  # named by the caller's Idempotency-Key
    CACHE = "cache"  # named by the digest of the request's body
    KINDS: ClassVar = [(word, word) for word in (IDEMPOTENCY, CACHE)]

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="stored")
    kind = models.CharField(max_length=16, choices=KINDS)
    path = models.CharField(max_length=64)
    streamed = models.BooleanField(help_text="asked for as a stream")
    name = models.CharField(max_length=255)
    digest = models.CharField(max_length=64, help_text="of the request's body, `stream` and `stream_options` aside")
    charge = models.ForeignKey(Charge, on_delete=models.CASCADE, help_text="the call whose answer it is")
    content_type = models.CharField(max_length=100, default="")
    body = models.BinaryField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["account", "kind", "path", "streamed", "name"], name="gateway_stored_answers_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
