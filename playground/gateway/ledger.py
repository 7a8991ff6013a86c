"""The ledger: a call begins, comes along, ends; stored answers are found and kept. Called by calls.py and views.py.

Functions block and touch the tables in one transaction each; what begins a call locks its account first.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from playground.gateway.models import Account, Charge, Stored
from playground.gateway.refused import Refused
from playground.gateway.servers import lives, this_server

LARGEST_STORED = 2_000_000
"""Bytes of an answer; a larger one is not kept."""

MICROS_A_CENT = 10_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call before it runs. `digest` is of its body; `key` its Idempotency-Key, "" without; `cache` asks for that."""

    id: str
    account: str
    model: str
    path: str
    streamed: bool
    digest: str
    key: str
    cache: bool


class Bill(NamedTuple):
    """What a call came to: tokens, and whole micros."""

    input: int
    output: int
    micros: int


class Kept(NamedTuple):
    """A stored answer; `kind` says why it was found, `balance` (micros) is what the key has left."""

    kind: str
    content_type: str
    body: bytes
    balance: int


def account_of(key: str) -> str:
    """A key's account: keys themselves are not kept."""
    return hashlib.sha256(b"gateway:" + key.encode(errors="replace")).hexdigest()


def begin(wanted: Wanted, known: Bill) -> Kept | None:
    """Enter the call, which costs at least `known`. A stored answer when there is one: then nothing may run.

    Raises Refused: the key was used for another body, its first call still runs, or the balance is used up.
    """
    with transaction.atomic():
        account = _locked(wanted.account)
        found = _found(wanted)
        if found is not None:
            charge = _entered(wanted, account, Bill(0, 0, 0))
            charge.ended, charge.replayed = Charge.ENDED, True
            charge.input_tokens, charge.output_tokens = found.charge.input_tokens, found.charge.output_tokens
            charge.save()
            if wanted.key and found.kind == Stored.CACHE:
                _stored(wanted, charge, Stored.IDEMPOTENCY, found.content_type, bytes(found.body or b""))
            balance = granted_micros() - account.spent_micros
            return Kept(found.kind, found.content_type, bytes(found.body or b""), balance)
        if account.spent_micros >= granted_micros():
            raise Refused(
                "payment",
                "The balance of this key is used up. Take another key, or raise PLAYGROUND_GATEWAY_BALANCE_CENTS.",
            )
        charge = _entered(wanted, account, known)
        charge.save()
        if wanted.key:
            _stored(wanted, charge, Stored.IDEMPOTENCY, "", None)
    return None


def come_along(bills: Iterable[tuple[str, Bill]]) -> None:
    """Calls of this server that still run, and what they came to so far."""
    now = timezone.now()
    with transaction.atomic():
        for id, bill in bills:
            Charge.objects.filter(pk=id, ended=Charge.RUNNING).update(
                input_tokens=bill.input, output_tokens=bill.output, cost_micros=bill.micros, seen=now
            )


def end(wanted: Wanted, ended: str, bill: Bill, lost: Sequence[Any], content_type: str, body: bytes | None) -> int:
    """The call is over: charge it, and keep its answer unless `body` is None. The balance afterwards, in micros."""
    with transaction.atomic():
        Charge.objects.filter(pk=wanted.id).update(
            input_tokens=bill.input,
            output_tokens=bill.output,
            cost_micros=bill.micros,
            ended=ended,
            lost=[{"element": loss.element, "note": loss.note} for loss in lost],
        )
        charge = Charge.objects.get(pk=wanted.id)
        Account.objects.filter(pk=wanted.account).update(spent_micros=F("spent_micros") + bill.micros)
        if body is None:
            Stored.objects.filter(charge=charge).delete()
        else:
            Stored.objects.filter(charge=charge).update(content_type=content_type, body=body)
            if wanted.cache and ended != Charge.FAILED:
                _stored(wanted, charge, Stored.CACHE, content_type, body)
        return granted_micros() - Account.objects.get(pk=wanted.account).spent_micros


def settle() -> int:
    """End the calls whose server is gone: charged is what they were known to have said. How many there were."""
    gone = [one for one in Charge.objects.filter(ended=Charge.RUNNING) if not lives(one.server, one.seen)]
    return sum(_interrupted(charge) for charge in gone)


def listed(account: str, limit: int, request_id: str = "") -> dict[str, Any]:
    """The ledger of one account as GET /v1/usage shows it, newest first."""
    charges = Charge.objects.filter(account_id=account).order_by("-created", "-pk")
    if request_id:
        charges = charges.filter(pk=request_id)
    owner = Account.objects.filter(pk=account).first()
    spent = owner.spent_micros if owner else 0
    return {
        "object": "list",
        "data": [_shown(charge) for charge in charges[:limit]],
        "total_cost_micros": spent,
        "balance_cents": cents(granted_micros() - spent),
    }


def granted_micros() -> int:
    """What every key may spend."""
    return int(settings.GATEWAY_BALANCE_CENTS) * MICROS_A_CENT


def cents(micros: int) -> int:
    """Whole cents, rounded down."""
    return micros // MICROS_A_CENT


def _locked(account: str) -> Account:
    Account.objects.get_or_create(pk=account)
    return Account.objects.select_for_update().get(pk=account)


def _found(wanted: Wanted) -> Stored | None:
    stored = Stored.objects.select_related("charge").filter(
        account_id=wanted.account, path=wanted.path, streamed=wanted.streamed
    )
    if wanted.key:
        mine = stored.filter(kind=Stored.IDEMPOTENCY, name=wanted.key).first()
        if mine is not None and mine.body is None and not _runs(mine.charge):
            mine.delete()
        elif mine is not None:
            if mine.digest != wanted.digest:
                raise Refused(
                    "reused", "This Idempotency-Key was used for a request with another body.", "Idempotency-Key"
                )
            if mine.body is None:
                raise Refused(
                    "still-running", "The first request with this Idempotency-Key still runs.", "Idempotency-Key"
                )
            return mine
    return stored.filter(kind=Stored.CACHE, name=wanted.digest).first() if wanted.cache else None


def _runs(charge: Charge) -> bool:
    if charge.ended == Charge.RUNNING and not lives(charge.server, charge.seen):
        _interrupted(charge)
        return False
    return charge.ended == Charge.RUNNING


def _interrupted(charge: Charge) -> int:
    """Settle a call whose server is gone; 0 when another server was quicker."""
    with transaction.atomic():
        standing = Charge.objects.select_for_update().filter(pk=charge.pk, ended=Charge.RUNNING).first()
        if standing is None:
            return 0
        Charge.objects.filter(pk=charge.pk).update(ended=Charge.INTERRUPTED)
        Account.objects.filter(pk=charge.account_id).update(spent_micros=F("spent_micros") + standing.cost_micros)
        Stored.objects.filter(charge=charge, body=None).delete()
    return 1


def _entered(wanted: Wanted, account: Account, known: Bill) -> Charge:
    now = datetime.datetime.now(tz=datetime.UTC)
    return Charge(
        id=wanted.id,
        account=account,
        created=now,
        model=wanted.model,
        path=wanted.path,
        streamed=wanted.streamed,
        input_tokens=known.input,
        cost_micros=known.micros,
        server=this_server(),
        seen=now,
    )


def _stored(wanted: Wanted, charge: Charge, kind: str, content_type: str, body: bytes | None) -> None:
    Stored.objects.update_or_create(
        account_id=wanted.account,
        kind=kind,
        path=wanted.path,
        streamed=wanted.streamed,
        name=wanted.key if kind == Stored.IDEMPOTENCY else wanted.digest,
        defaults={"digest": wanted.digest, "charge": charge, "content_type": content_type, "body": body},
    )


def _shown(charge: Charge) -> dict[str, Any]:
    fields = ("model", "path", "streamed", "input_tokens", "output_tokens", "cost_micros", "ended", "replayed", "lost")
    created = int(charge.created.timestamp())
    return {"id": charge.id, "created": created, **{field: getattr(charge, field) for field in fields}}
