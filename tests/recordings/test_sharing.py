"""A link shows its session until it is over; its token is in nobody's tables."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

from playground.recordings import sharing
from playground.recordings.models import Session, Share
from playground.recordings.sharing import LIFETIMES, Gone, Made
from playground.recordings.veil import NOTHING, left_out
from tests.support.lanes import begin

pytestmark = pytest.mark.django_db

SOME = left_out(["system", "tools"], ["a name"])


def made(session: str = "", without: sharing.LeftOut = SOME, lifetime: str = "month") -> Made:
    link = sharing.make(session or begin().session, without, lifetime)
    assert link is not None
    return link


def why(token: str) -> str:
    with pytest.raises(Gone) as gone:
        sharing.find(token)
    assert str(gone.value).endswith(".")
    return gone.value.why


def test_a_link_is_found_by_its_token_with_all_that_it_leaves_out() -> None:
    token, link = made()
    assert sharing.find(token) == link == sharing.check(link.id)
    assert link.without == SOME
    assert link.over is None


def test_a_token_has_128_random_bits_at_least_and_only_its_hash_is_kept() -> None:
    token, _ = made()
    assert len(token) >= 128 / 6
    assert token not in str(list(Share.objects.values()))
    assert len({made().token for _ in range(20)}) == 20


@pytest.mark.parametrize("lifetime", LIFETIMES)
def test_a_link_lasts_as_long_as_it_was_given(lifetime: str) -> None:
    _, link = made(lifetime=lifetime)
    assert link.expires - link.created == pytest.approx(LIFETIMES[lifetime].total_seconds())


def test_a_link_that_has_expired_is_gone() -> None:
    token, link = made()
    Share.objects.filter(pk=link.id).update(expires=timezone.now() - datetime.timedelta(seconds=1))
    assert why(token) == "expired"
    assert [each.over for each in sharing.of_session(link.session)] == ["expired"]


def test_a_revoked_link_is_gone_and_stays_so() -> None:
    token, link = made()
    revoked = sharing.revoke(link.session, link.id)
    assert revoked is not None
    assert revoked.over == "revoked"
    assert why(token) == "revoked"
    when = Share.objects.get(pk=link.id).revoked
    sharing.revoke(link.session, link.id)
    assert Share.objects.get(pk=link.id).revoked == when


def test_another_session_cannot_revoke_it() -> None:
    token, link = made()
    assert sharing.revoke(begin().session, link.id) is None
    assert sharing.find(token).id == link.id


def test_an_unknown_token_and_a_deleted_session_show_nothing() -> None:
    token, link = made()
    for wrong in ("", token[:-1], token + "x", link.id, "\ud800"):
        assert why(wrong) == "unknown"
    Session.objects.filter(pk=link.session).update(deleted=timezone.now())
    assert why(token) == "unknown"
    Session.objects.filter(pk=link.session).update(deleted=None)
    assert sharing.find(token) == link
    Session.objects.filter(pk=link.session).delete()
    assert why(token) == "unknown"


def test_links_are_listed_the_newest_first() -> None:
    session = begin().session
    links = [made(session, NOTHING).shared.id for _ in range(3)]
    assert [link.id for link in sharing.of_session(session)] == links[::-1]


def test_no_session_no_link_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sharing.make("nothing-here", NOTHING) is None
    monkeypatch.setattr(sharing, "MOST_LINKS", 1)
    session = begin().session
    made(session)
    with pytest.raises(ValueError, match="1 links"):
        sharing.make(session, NOTHING)
