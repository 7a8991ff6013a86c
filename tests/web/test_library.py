"""The library's doors: what they take, what they answer, what they say to what they cannot take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient, Client

from playground import runs
from playground.recordings import keep, shelf
from playground.recordings.keep import NewLane
from playground.recordings.models import Session
from playground.runs.hall import Hall
from playground.web.consumers import NO_SUCH_SESSION
from playground.web.middleware import POLICY
from tests.support.lanes import REQUEST
from tests.support.many_sessions import fill
from tests.support.raw_server import serving
from tests.support.sessions import Upstream, request, watching

pytestmark = pytest.mark.django_db(transaction=True)


def a_session(title: str = "a session") -> str:
    return keep.begin(title, [NewLane("chat", "gateway", "a-model", REQUEST)], None).session


def post(path: str, value: Any) -> Any:
    return Client().post(path, json.dumps(value), content_type="application/json")


def test_a_session_gets_another_title() -> None:
    session = a_session()
    answer = post(f"/sessions/{session}/title", {"title": "  Two\n tools \0 "})
    assert answer.json() == {"title": "Two tools \ufffd"}
    assert Session.objects.get(pk=session).title == "Two tools \ufffd"


@pytest.mark.parametrize("title", ["", " \n", "x" * 201, 5, None])
def test_a_title_that_is_none_is_refused_with_a_sentence(title: Any) -> None:
    session = a_session()
    answer = post(f"/sessions/{session}/title", {"title": title})
    assert answer.status_code == 400
    assert answer.json()["message"].endswith(".")
    assert Session.objects.get(pk=session).title == "a session"


def test_what_is_not_there_cannot_be_renamed() -> None:
    assert post("/sessions/nothing-here/title", {"title": "x"}).status_code == 404


def get(path: str, **query: str) -> Any:
    return Client().get(path, query)


async def act(client: AsyncClient, act: str, sessions: list[str]) -> Any:
    return await client.post(f"/sessions/{act}", {"ids": sessions}, content_type="application/json")


def test_a_list_has_pages_and_counts() -> None:
    fill(55, words=3)
    first = get("/sessions/list").json()
    rest = get("/sessions/list", cursor=first["next"]).json()
    assert (len(first["sessions"]), len(rest["sessions"]), rest["next"]) == (50, 5, None)
    assert get("/sessions/counts", word="ended", unknown="x").json()["total"] == 55
    ids = [entry["id"] for entry in rest["sessions"]]
    assert {entry["id"] for entry in get("/sessions/some", ids=",".join(ids)).json()["sessions"]} == set(ids)


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("list", {"q": "x" * 10_000}, "q"),
        ("counts", {"q": "x" * 10_000}, "q"),
        ("list", {"sort": "random"}, "sort"),
        ("list", {"cursor": "none"}, "cursor"),
        ("list", {"findings": "?"}, "findings"),
    ],
)
def test_what_cannot_be_looked_for_is_named_and_explained(path: str, query: dict[str, str], field: str) -> None:
    answer = get(f"/sessions/{path}", **query)
    said = answer.json()
    assert (answer.status_code, said["field"]) == (400, field)
    assert said["message"].endswith(".")


def test_odd_characters_in_a_search_find_nothing() -> None:
    a_session()
    assert get("/sessions/list", q="\0 \U0001f600 ' \" %_\\", tag="\0").json()["sessions"] == []


def test_tags_are_given_and_taken() -> None:
    session = a_session()
    assert post("/sessions/tags", {"ids": [session], "add": ["A b"]}).json() == {"tags": {session: ["a b"]}}
    assert post("/sessions/tags", {"ids": [session], "remove": ["a b"]}).json() == {"tags": {session: []}}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("tags", {"ids": ["a"], "add": ["x" * 41]}),
        ("tags", {"ids": ["a"], "add": "x"}),
        ("tags", {"ids": ["a"], "remove": [1]}),
        ("delete", {"ids": []}),
        ("delete", {"ids": "all"}),
        ("delete", {"ids": ["a"] * 1001}),
        ("restore", []),
        ("erase", {"all": "yes"}),
        ("erase", {"ids": ["\0"]}),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(path: str, value: Any) -> None:
    answer = post(f"/sessions/{path}", value)
    assert answer.status_code == 400
    assert answer.json()["message"].endswith(".")


async def test_a_deleted_session_is_nowhere_and_its_page_says_where_to_bring_it_back(hall: Hall) -> None:
    client = AsyncClient()
    session = await database_sync_to_async(a_session)()
    assert (await act(client, "delete", [session])).json() == {"deleted": 1}
    page = await client.get(f"/sessions/{session}/")
    assert page.status_code == 404
    assert "/sessions/?deleted=1" in page.content.decode()
    for address in (f"/sessions/{session}/lanes/0/bytes?from=0&to=1", f"/sessions/{session}/lanes/0/preview/"):
        assert (await client.get(address)).status_code == 404
    stop = await client.post(f"/sessions/{session}/stop", {}, content_type="application/json")
    assert "library" in stop.json()["message"]
    assert (await act(client, "restore", [session])).json() == {"restored": 1}
    assert (await client.get(f"/sessions/{session}/")).status_code == 200


def test_only_what_was_deleted_can_be_erased() -> None:
    session, other = a_session(), a_session()
    shelf.delete([session])
    assert post("/sessions/erase", {"ids": [session, other]}).json() == {"erased": 1}
    assert post("/sessions/erase", {"all": True}).json() == {"erased": 0}
    assert Session.objects.get().pk == other


async def test_a_session_that_streams_is_stopped_and_deleted(hall: Hall) -> None:
    upstream = Upstream(10, 2)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        answer = await act(AsyncClient(), "delete", [session])
        assert answer.json() == {"deleted": 1}
        upstream.gate.set()
    assert not await runs.exists(session)
    async with watching(session) as socket:
        closed = await socket.communicator.receive_output(timeout=10)
        assert closed == {"type": "websocket.close", "code": NO_SUCH_SESSION}


def test_the_library_has_a_page() -> None:
    page = get("/sessions/")
    assert page.status_code == 200
    assert page.headers["content-security-policy"] == POLICY
    assert "<session-list>" in page.content.decode()
