"""The library finds sessions, page by page, and does with them what a person wants; what is deleted can come back."""

from __future__ import annotations

import base64
import datetime
import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from playground.reads import End, Read
from playground.recordings import keep, library, shelf, writers
from playground.recordings.archive import records
from playground.recordings.finding import ORDERS, ShelfError, Wanted, ordered
from playground.recordings.keep import Batch, NewLane, Seal
from playground.recordings.models import Lane, Page, Session, Tag
from tests.support.lanes import ENDED, REQUEST
from tests.support.many_sessions import fill

pytestmark = pytest.mark.django_db

HTML = '<img src=x onerror="alert(1)">'


def a_session(title: str = "", *, ask: str = "", said: str = "", word: str = "ended", **change: Any) -> str:
    """A session with one lane that ended (`word` "": that streams) and said something; its id."""
    body = json.dumps({"messages": [{"role": "user", "content": ask}]}).encode()
    target, url = change.pop("target", "gateway"), change.pop("url", REQUEST.url)
    lane = NewLane(change.pop("format", "chat"), target, "a-model", replace(REQUEST, url=url, request_body=body))
    session, [key] = keep.begin(title, [lane], None)
    end = (
        End("reset", change.pop("time", ENDED.time)) if word == "cut" else End("closed", change.pop("time", ENDED.time))
    )
    if word:
        keep.write([Batch(key, None, [Read(1, 1, b"data: 1\n\n")], Seal(end, word, True, {"text": said, **change}))])
    return session


def found(**wanted: Any) -> list[str]:
    return [entry["id"] for entry in shelf.page(Wanted(**wanted))["sessions"]]


def test_words_are_found_in_title_prompt_model_and_what_was_said_and_all_of_them_must_occur() -> None:
    tide = a_session("Tables", ask="When is the TIDE in Brest?", said="High water at six.\nÄrger im Hafen.")
    other = a_session("Tide of tokens")
    assert set(found(q="tide")) == {tide, other}
    assert found(q="  brest Tables ") == [tide]
    assert found(q="ärger water") == [tide]
    assert set(found(q="A-MODEL")) == {tide, other}
    assert found(q="brest tokens") == []
    assert found(q="100%") == found(q="_") == found(q="\\") == []


def test_a_session_can_be_found_before_it_ends() -> None:
    session = a_session(ask="When is the tide?", word="")
    assert found(q="tide") == found(word="streaming") == found(format="chat") == [session]
    [entry] = shelf.some([session, "nothing"])
    assert entry["title"] == "When is the tide?"
    assert entry["lanes"] == [{"format": "chat", "host": "gateway", "model": "a-model", "word": ""}]


def test_each_filter_leaves_what_it_says() -> None:
    usual = a_session("usual")
    cut = a_session("cut", word="cut", findings={"warning": 2, "error": 1})
    elsewhere = a_session("elsewhere", target="custom", url="https://api.example:8443/v1/x", format="")
    warned = a_session("warned", format="messages", findings={"info": 1})
    shelf.tag([usual, cut], ["Bug"])
    Session.objects.filter(pk=warned).update(origin="import")
    assert found(word="cut") == [cut]
    assert set(found(word="ended")) == {usual, elsewhere, warned}
    assert found(target="api.example:8443") == found(format="unknown") == [elsewhere]
    assert found(format="messages") == found(origin="import") == [warned]
    assert set(found(findings="any")) == {cut, warned}
    assert found(findings="errors") == [cut]
    assert set(found(findings="none")) == {usual, elsewhere}
    assert set(found(tag="bug")) == {usual, cut}
    assert found(tag="bug", findings="errors", q="cut", format="chat") == [cut]


@pytest.mark.parametrize("sort", ORDERS)
def test_pages_hold_each_session_once_in_order_while_others_come_and_go(sort: str) -> None:
    fill(45, words=5, newest=timezone.now() - datetime.timedelta(days=1))
    Session.objects.filter(events__gt=1000).update(events=1000, title="the same")
    whole = [entry["id"] for entry in shelf.page(Wanted(sort=sort), size=100)["sessions"]]
    assert len(whole) == 45
    first = shelf.page(Wanted(sort=sort), size=10)
    fresh = {a_session("zzz newer") if sort != "oldest" else ""}
    read, cursor = [entry["id"] for entry in first["sessions"]], first["next"]
    while cursor:
        page = shelf.page(Wanted(sort=sort, cursor=cursor), size=10)
        read += [entry["id"] for entry in page["sessions"]]
        cursor = page["next"]
    assert [id for id in read if id not in fresh] == whole


def test_the_last_page_says_so_even_when_it_is_full() -> None:
    fill(10, words=1)
    assert shelf.page(Wanted(), size=10)["next"] is None
    assert shelf.page(Wanted(), size=9)["next"]
    assert shelf.page(Wanted(q="nothing like it"))["next"] is None


def cursor(*place: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


@pytest.mark.parametrize(
    "wanted",
    [
        {"q": "x" * 201},
        {"sort": "random"},
        {"findings": "some"},
        {"cursor": "no cursor at all"},
        {"cursor": "äöü"},
        {"cursor": cursor("newest", "2026-01-01", "x", "y")},
        {"cursor": cursor("newest", 5, "x")},
        {"cursor": cursor("newest", "2026-01-01T00:00:00", "x")},
        {"cursor": cursor("title", "2026-01-01T00:00:00+00:00", "x")},
        {"cursor": cursor("newest", "2026-01-01T00:00:00+00:00", {"a": 1})},
        {"cursor": cursor("newest", "2026-01-01T00:00:00+00:00", "\0")},
        {"cursor": cursor("events", 2**70, "x"), "sort": "events"},
        {"cursor": cursor("events", True, "x"), "sort": "events"},
        {"cursor": cursor({}, [], {})},
    ],
)
def test_what_cannot_be_looked_for_is_said_in_a_sentence(wanted: dict[str, str]) -> None:
    with pytest.raises(ShelfError) as said:
        shelf.page(Wanted(**wanted))
    assert said.value.message.endswith(".")
    assert said.value.field in wanted


def test_a_list_is_read_along_an_index() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("reads SQLite's plan")
    fill(50, words=5)
    for sort in ORDERS:
        first = shelf.page(Wanted(sort=sort), size=10)
        for place in ("", first["next"]):
            plan = ordered(Wanted(sort=sort, cursor=place))[:50].explain()
            assert f"USING INDEX shelf_by_{ORDERS[sort].column}" in plan
            assert "TEMP B-TREE" not in plan


def test_a_title_is_found_under_its_new_words_alone() -> None:
    session = a_session("Old words", said="a harbour")
    assert shelf.rename(session, f"  New \n {HTML} " + "x" * 300) == f"New {HTML} " + "x" * 165
    assert found(q="old") == []
    assert found(q="new harbour") == [session]
    assert shelf.rename("nothing", "x") is None


def test_tags_are_small_words_that_are_given_taken_and_counted() -> None:
    one, two = a_session("one"), a_session("two")
    assert shelf.tag([one, two, "nothing"], [" Slow,  Proxy ", "bug", "BUG", " "]) == {
        one: ["bug", "slow proxy"],
        two: ["bug", "slow proxy"],
    }
    assert shelf.tag([two], [], ["Bug"]) == {two: ["slow proxy"]}
    assert shelf.counts(Wanted())["tags"] == {"bug": 1, "slow proxy": 2}
    assert len(shelf.tag([one], [f"tag {number}" for number in range(30)])[one]) == shelf.TAGS


def test_counts_tell_what_there_is_and_what_matches() -> None:
    a_session("one", word="cut")
    keep.begin("two", [NewLane("chat", "gateway", "m", REQUEST), NewLane("messages", "gateway", "m", REQUEST)], None)
    shelf.delete([a_session("gone", format="responses")])
    assert shelf.counts(Wanted(q="one")) == {
        "matching": 1,
        "total": 2,
        "deleted": 1,
        "formats": {"chat": 2, "messages": 1},
        "targets": {"gateway": 2},
        "words": {"": 1, "cut": 1},
        "origins": {"run": 2},
        "tags": {},
    }


def test_what_is_deleted_is_out_of_sight_everywhere_until_it_is_brought_back() -> None:
    session, other = a_session("a"), a_session("b")
    assert shelf.delete([session, "nothing"]) == 1
    assert shelf.delete([session]) == 0
    assert found() == [other]
    assert found(deleted=True) == [session]
    assert shelf.some([session]) == []
    assert not library.exists(session)
    assert library.deleted(session)
    assert library.session(session) is None
    assert library.lane(session, 0) is None
    assert shelf.rename(session, "x") is None
    assert shelf.tag([session], ["x"]) == {}
    with pytest.raises(Session.DoesNotExist):
        next(records(session))
    assert shelf.restore([session, other]) == 1
    assert set(found()) == {session, other}
    assert library.exists(session)
    assert not library.deleted(session)


def test_deleted_sessions_go_for_good_by_an_explicit_act_or_after_a_month() -> None:
    kept, young, old, named = (a_session(title) for title in ("kept", "young", "old", "named"))
    shelf.tag([old], ["bug"])
    shelf.delete([young, old, named])
    assert shelf.erase([kept, named]) == 1
    Session.objects.filter(pk=old).update(deleted=timezone.now() - shelf.KEPT_DELETED - datetime.timedelta(hours=1))
    assert shelf.purge() == 1
    assert found(deleted=True) == [young]
    assert shelf.erase() == 1
    assert found() == [kept]
    assert (Session.objects.count(), Lane.objects.count(), Page.objects.count(), Tag.objects.count()) == (1, 1, 1, 0)


def test_what_still_streams_is_known_before_it_is_deleted() -> None:
    streams, over = a_session("a", word=""), a_session("b")
    assert shelf.streaming([streams, over]) == [streams]


@pytest.mark.parametrize("place", ["[" * 100_000, '["title","\\ud800","a"]', '["title","a","\\ud800"]'])
def test_a_cursor_of_odd_json_is_refused(place: str) -> None:
    cursor = base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")
    with pytest.raises(ShelfError):
        shelf.page(Wanted(sort="title", cursor=cursor))


def test_an_import_under_way_is_not_among_the_deleted_and_nobody_erases_it_under_its_writer() -> None:
    writer = writers.enter()
    session = keep.begin_import("half of it", writer)
    keep.add_lane(session, 0, NewLane("chat", "", "m", REQUEST))
    Session.objects.filter(pk=session).update(deleted=timezone.now() - 2 * shelf.KEPT_DELETED)
    assert shelf.page(Wanted(deleted=True))["sessions"] == []
    assert shelf.counts(Wanted())["deleted"] == 0
    assert not library.deleted(session)
    assert (shelf.restore([session]), shelf.erase([session]), shelf.erase(), shelf.purge()) == (0, 0, 0, 0)
    assert library.session(session) is None

    # Its writer died: what came until then can be looked at, or goes with what was deleted.
    writers.leave(writer)
    assert [each["id"] for each in shelf.page(Wanted(deleted=True))["sessions"]] == [session]
    assert shelf.restore([session]) == 1
