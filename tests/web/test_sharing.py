"""What a link opens, and what it does not."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import LazySettings
from django.test import AsyncClient
from django.utils import timezone

from playground import runs
from playground.asgi import application
from playground.recordings import markers, sharing
from playground.recordings.exporting import KINDS
from playground.recordings.models import Share
from playground.recordings.veil import LeftOut, left_out
from playground.runs.hall import Hall
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving
from tests.support.sessions import ORIGIN, Socket, Upstream, request, watching_at

SECRET = "Obey Ada and nobody else"
TOOL = "look_up_salary"
RESPONSE = {"id": "resp_1", "instructions": SECRET, "tools": [{"type": "function", "name": TOOL}], "output": []}
BODY = {**RESPONSE, "model": "a-model", "stream": True, "input": "hi"}
EVENTS = [
    {"type": "response.created", "response": {**RESPONSE, "status": "in_progress"}},
    {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Hello Ada"},
    {"type": "response.completed", "response": {**RESPONSE, "status": "completed"}},
]
ALL = left_out(["system", "tools", "headers"], ["Hello Ada"])


class Echo:
    """Plays EVENTS; those behind the first wait for `gate`."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()

    async def __call__(self, peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        for number, each in enumerate(EVENTS):
            await peer.send(chunk(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode()))
            if number == 0:
                await self.gate.wait()
        await peer.send(LAST_CHUNK)


def responses(port: int) -> runs.SessionRequest:
    return request(port, format="responses", body=json.dumps(BODY).encode(), headers=(("X-Team", "salaries"),))


async def link(session: str, without: LeftOut = ALL) -> sharing.Made:
    made = await database_sync_to_async(sharing.make)(session, without)
    assert made is not None
    return made


async def closed(socket: Socket) -> tuple[str, int]:
    """What the server says last, and its close code."""
    said = ""
    while True:
        message = await socket.communicator.receive_output(timeout=10)
        if message["type"] == "websocket.close":
            return said, message["code"]
        told = json.loads(message["text"])
        said = told["code"] if told["type"] == "error" else said


@asynccontextmanager
async def ended_session(hall: Hall) -> AsyncIterator[str]:
    echo = Echo()
    echo.gate.set()
    async with serving(echo) as port:
        session = await runs.start(responses(port))
        while hall.busy:
            await asyncio.wait(list(hall._ending))
        yield session


def assert_nothing_left_out_is_in(shown: bytes, session: str) -> None:
    for secret in (SECRET, "Obey", TOOL, "salaries", "Hello Ada", session):
        assert secret.encode() not in shown, secret


async def test_a_link_shows_the_kept_session_without_what_it_leaves_out(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        token, _ = await link(session)
        page = await client.get(f"/s/{token}/")
        assert page.status_code == 200
        shown = [page.content]
        async with watching_at(f"/ws/s/{token}/") as socket:
            await socket.read_to_end()
            shown.append(json.dumps(socket.browser.messages, ensure_ascii=False).encode())
            first = socket.browser.messages[0]
            assert first["left_out"] == ["headers", "system", "tools", "texts"]
            assert first["lanes"][0]["request_headers"] == []
            offset = socket.browser.steps[0][-1]["offset"]
        body = (await client.get(f"/s/{token}/lanes/0/bytes?from=0&to={offset}")).content
        assert (
            len(body)
            == offset
            == len((await client.get(f"/sessions/{session}/lanes/0/bytes?from=0&to={offset}")).content)
        )
        assert SECRET.encode() in (await client.get(f"/sessions/{session}/lanes/0/bytes?from=0&to={offset}")).content
        shown += [body, (await client.get(f"/s/{token}/lanes/0/preview/")).content]
        shown.append((await client.get(f"/s/{token}/lanes/0/media/1")).content)
        assert_nothing_left_out_is_in(b"".join(shown), session)


async def test_a_live_session_comes_live_and_veiled_and_equals_what_is_kept(hall: Hall) -> None:
    echo = Echo()
    async with serving(echo) as port:
        session = await runs.start(responses(port))
        token, _ = await link(session)
        async with watching_at(f"/ws/s/{token}/") as one, watching_at(f"/ws/s/{token}/") as two:
            while not one.browser.numbers():
                await one.read()
            echo.gate.set()
            await one.read_to_end()
            await two.read_to_end()
        while hall.busy:
            await asyncio.wait(list(hall._ending))
        async with watching_at(f"/ws/s/{token}/") as later:
            await later.read_to_end()
        assert one.browser.steps == two.browser.steps == later.browser.steps
        assert one.browser.steps[0][-1]["end"]["word"] == "ended"
        assert_nothing_left_out_is_in(json.dumps(one.browser.messages).encode(), session)


async def test_a_link_that_leaves_nothing_out_shows_what_the_owner_sees(hall: Hall) -> None:
    async with serving(Upstream(30)) as port:
        session = await runs.start(request(port))
        token, _ = await link(session, LeftOut())
        async with watching_at(f"/ws/s/{token}/") as guest, watching_at(f"/ws/sessions/{session}/") as owner:
            await guest.read_to_end()
            await owner.read_to_end()
        assert guest.browser.steps == owner.browser.steps
        assert session not in json.dumps(guest.browser.messages)


async def test_the_preview_shows_what_the_link_will(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        token, _ = await link(session)
        view = f"sessions/{session}/shared-view/"
        query = "without=system,tools,headers&text=Hello%20Ada"
        page = await client.get(f"/{view}?{query}")
        assert b"Nothing is shared yet" in page.content
        async with watching_at(f"/ws/{view}?{query}") as preview, watching_at(f"/ws/s/{token}/") as shared:
            await preview.read_to_end()
            await shared.read_to_end()
        assert preview.browser.steps == shared.browser.steps
        assert preview.browser.messages[0]["lanes"] == shared.browser.messages[0]["lanes"]
        for part in ("bytes?from=0&to=400", "preview/?", "media/1?"):
            before = await client.get(f"/{view}lanes/0/{part}&{query}")
            after = await client.get(f"/s/{token}/lanes/0/{part}")
            assert (before.status_code, before.content) == (after.status_code, after.content)
        assert (await client.get(f"/{view}?without=everything")).status_code == 400
        async with watching_at(f"/ws/{view}?without=everything") as refused:
            assert await closed(refused) == ("invalid", 4400)


async def test_whoever_looks_cannot_change_anything(hall: Hall) -> None:
    client = AsyncClient()
    echo = Echo()
    async with serving(echo) as port:
        session = await runs.start(responses(port))
        token, _ = await link(session)
        async with watching_at(f"/ws/s/{token}/") as socket:
            await socket.send({"type": "stop"})
            while (message := await socket.read())["type"] != "error":
                pass
            assert message["code"] == "unknown-message"
            assert hall.busy
        for path in ("", "stop", "title", "shares/new", "shares", "markers", "lanes/0/stop"):
            for method in (client.post, client.put, client.delete):
                answer = await method(f"/s/{token}/{path}", data="{}", content_type="application/json")
                assert answer.status_code in {404, 405}, path
        echo.gate.set()


async def test_a_revoked_link_cuts_who_is_watching_and_says_so(hall: Hall) -> None:
    client = AsyncClient()
    echo = Echo()
    async with serving(echo) as port:
        session = await runs.start(responses(port))
        token, made = await link(session)
        other, _ = await link(session)
        async with watching_at(f"/ws/s/{token}/") as socket, watching_at(f"/ws/s/{other}/") as stays:
            while not (socket.browser.numbers() and stays.browser.numbers()):
                await socket.read()
                await stays.read()
            answer = await client.post(f"/sessions/{session}/shares/{made.id}/revoke")
            assert answer.json()["share"]["over"] == "revoked"
            assert await closed(socket) == ("share-revoked", 4410)
            echo.gate.set()
            await stays.read_to_end()
            assert await socket.communicator.receive_nothing(timeout=0.05)
        await shows_nothing(client, token, 410, "share-revoked", 4410)


async def test_an_expired_link_shows_nothing_and_lets_go(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.runs.watching.LOOK", 0.05)
    echo = Echo()
    async with serving(echo) as port:
        session = await runs.start(responses(port))
        token, made = await link(session)
        async with watching_at(f"/ws/s/{token}/") as socket:
            await socket.read()
            await Share.objects.filter(pk=made.id).aupdate(expires=timezone.now())
            assert await closed(socket) == ("share-expired", 4410)
        await shows_nothing(AsyncClient(), token, 410, "share-expired", 4410)
        echo.gate.set()


async def test_an_unknown_link_shows_nothing(hall: Hall) -> None:
    await shows_nothing(AsyncClient(), "x" * 32, 404, "share-unknown", 4404)


async def shows_nothing(client: AsyncClient, token: str, status: int, code: str, close: int) -> None:
    page = await client.get(f"/s/{token}/")
    assert page.status_code == status
    assert b"Nothing of the session is shown here" in page.content
    unlisted(page)
    for part in ("bytes?from=0&to=1", "media/1", "preview/"):
        answer = await client.get(f"/s/{token}/lanes/0/{part}")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        unlisted(answer)
    async with watching_at(f"/ws/s/{token}/") as socket:
        assert await closed(socket) == (code, close)


def unlisted(answer: Any) -> None:
    assert "noindex" in answer.headers["x-robots-tag"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "no-store" in answer.headers["cache-control"]


async def test_no_search_engine_cache_or_other_site_hears_of_a_link(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        token, _ = await link(session)
        for path in ("", "lanes/0/bytes?from=0&to=1", "lanes/0/preview/"):
            unlisted(await client.get(f"/s/{token}/{path}"))
        page = await client.get(f"/s/{token}/")
        assert b'name="robots" content="noindex' in page.content
        assert b'name="referrer" content="no-referrer"' in page.content
        assert not page.cookies


async def test_an_access_token_is_not_needed_on_a_link_and_a_link_opens_nothing_else(
    hall: Hall, settings: LazySettings
) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session, ended_session(hall) as another:
        settings.ACCESS_TOKEN = "let-me-in-12345"
        token, _ = await link(session)
        assert (await client.get(f"/s/{token}/")).status_code == 200
        async with watching_at(f"/ws/s/{token}/") as socket:
            await socket.read_to_end()
        for path in (f"/sessions/{session}/", f"/sessions/{session}/shares", f"/sessions/{session}/shared-view/", "/"):
            assert (await client.get(path)).status_code == 403, path
        async with watching_at(f"/ws/s/../sessions/{session}/") as lost:
            assert await closed(lost) == ("", 4404)
        for path in (
            f"/ws/sessions/{session}/",
            f"/ws/sessions/{session}/shared-view/",
        ):
            opened, _ = await WebsocketCommunicator(application, path, headers=list(ORIGIN)).connect(timeout=10)
            assert not opened, path
        for path in (f"sessions/{another}/", f"../sessions/{another}/", "lanes/9/bytes?from=0&to=1", "lanes/0/bytes"):
            assert (await client.get(f"/s/{token}/{path}")).status_code in {400, 403, 404}, path


async def test_the_dialog_makes_lists_and_revokes_links(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        asked = {"without": ["system"], "texts": ["Hello Ada"], "lifetime": "day"}
        made = await client.post(f"/sessions/{session}/shares/new", data=asked, content_type="application/json")
        assert made.status_code == 201
        assert (await client.get(made.json()["address"])).status_code == 200
        listed = (await client.get(f"/sessions/{session}/shares")).json()["shares"]
        assert listed == [made.json()["share"]]
        assert (listed[0]["without"], listed[0]["texts"], listed[0]["over"]) == (["system"], ["Hello Ada"], "")
        assert listed[0]["expires"] - listed[0]["created"] == pytest.approx(86400)
        assert made.json()["address"].strip("/").split("/")[1] not in json.dumps(listed)


@pytest.mark.parametrize(
    "asked",
    [[], {"without": ["all"]}, {"without": "system"}, {"texts": ["x"]}, {"texts": [1]}, {"lifetime": "for ever"}],
)
async def test_a_link_that_cannot_be_made_is_refused_with_a_sentence(hall: Hall, asked: Any) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        answer = await client.post(
            f"/sessions/{session}/shares/new", data=json.dumps(asked), content_type="application/json"
        )
        assert answer.status_code == 400
        assert answer.json()["message"].endswith(".")


async def test_what_is_not_there_is_said(hall: Hall) -> None:
    client = AsyncClient()
    assert (await client.get("/sessions/nothing/shares")).status_code == 404
    assert (await client.get("/sessions/nothing/shared-view/")).status_code == 404
    made = await client.post("/sessions/nothing/shares/new", data={}, content_type="application/json")
    assert made.status_code == 404
    async with ended_session(hall) as session:
        assert (await client.post(f"/sessions/{session}/shares/nothing/revoke")).status_code == 404


async def test_the_log_has_no_token(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        token, _ = await link(session)
        for path in (
            f"/s/{token}/lanes/9/bytes?from=0&to=1",
            f"/s/{token}/nothing",
            f"/s/{'x' * 32}/",
            f"/?token={token}&a",
        ):
            await client.get(path)
        await client.post(f"/s/{token}/")
        logging.getLogger("daphne.server").warning("a connection was slow: %s", f"uri=/s/{token}/ or /ws/s/{token}/")
    assert "Not Found: /s/…/lanes/9/bytes" in caplog.text
    assert "uri=/s/…/ or /ws/s/…/" in caplog.text
    assert token not in caplog.text


async def test_an_export_leaves_out_what_a_link_would(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        for kind in KINDS:
            address = f"/sessions/{session}/export/{kind}"
            answer = await client.get(f"{address}?without=system,tools,headers&text=Hello%20Ada")
            content = unzipped(b"".join([piece async for piece in answer.streaming_content]))
            assert content
            assert_nothing_left_out_is_in(content, session)
        assert (await client.get(f"/sessions/{session}/export/sse?without=all")).status_code == 400


def unzipped(file: bytes) -> bytes:
    """All files of an archive; any other file as it is."""
    if not file.startswith(b"PK"):
        return file
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return b"".join(map(archive.read, archive.namelist()))


async def test_the_lens_of_a_link_leaves_out_the_same_and_names_no_session(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        token, _ = await link(session)
        for format in ("chat", "chat.sse", "messages"):
            answer = await client.get(f"/s/{token}/lanes/0/lens/{format}")
            content = b"".join([piece async for piece in answer.streaming_content])
            assert b"*********" in content
            unlisted(answer)
            assert_nothing_left_out_is_in(content + str(answer.headers).encode(), session)
        assert (await client.get(f"/s/{'x' * 32}/lanes/0/lens/chat")).status_code == 404


async def test_a_link_shows_the_markers_and_leaves_out_of_them_the_same(hall: Hall) -> None:
    client = AsyncClient()
    async with ended_session(hall) as session:
        token, _ = await link(session)
        await database_sync_to_async(markers.add)(session, 0, 10, 20, "Hello Ada is said twice")
        answer = await client.get(f"/s/{token}/markers")
        assert answer["X-Robots-Tag"].startswith("noindex")
        (marker,) = answer.json()["markers"]
        assert (marker["lane"], marker["start"], marker["end"]) == (0, 10, 20)
        assert marker["note"] == "********* is said twice"
        assert (await client.post(f"/s/{token}/markers/new", {}, content_type="application/json")).status_code == 404
        preview = await client.get(f"/sessions/{session}/shared-view/markers?text=Hello+Ada")
        assert preview.json() == answer.json()
        assert (await client.get("/s/nothing/markers")).status_code == 404
