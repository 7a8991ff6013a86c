"""The doors for people: what they take, what they answer, what they say to what they cannot take."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import AsyncClient

from playground import runs
from playground.messages import encode
from playground.recordings.media import media_type
from playground.runs.hall import Hall
from playground.web.middleware import POLICY
from playground.web.parts import markdown
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, Script, chunk, serving
from tests.support.sessions import Upstream, request, watching

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def client() -> AsyncClient:
    return AsyncClient()


def lane(port: int = 8159, **change: Any) -> dict[str, Any]:
    one = {
        "format": "chat",
        "target": "custom",
        "base_url": f"http://127.0.0.1:{port}",
        "body": '{"model":"m"}',
        "key": "",
    }
    return {**one, **change}


async def post(client: AsyncClient, path: str, value: Any) -> Any:
    return await client.post(
        path, data=value if isinstance(value, str) else json.dumps(value), content_type="application/json"
    )


async def ended(hall: Hall) -> None:
    while hall.busy:
        await asyncio.wait(list(hall._ending))


def sending(*pieces: bytes, head: bytes = CHUNKED_HEAD) -> Script:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(head + b"".join(map(chunk, pieces)) + LAST_CHUNK)

    return script


def text_event(text: str) -> bytes:
    return b"data: " + encode({"choices": [{"index": 0, "delta": {"content": text}}]}).encode() + b"\n\n"


async def test_the_page_stands_under_the_strict_policy(hall: Hall, client: AsyncClient) -> None:
    answer = await client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == POLICY
    page = answer.content.decode()
    assert 'data-session=""' in page
    settings = json.loads(page.split('id="play-settings" type="application/json">')[1].split("</script>")[0])
    assert settings["gateway"]["base_url"].endswith("/v1")
    assert [each["name"] for each in settings["formats"]] == ["chat", "messages", "responses"]
    assert settings["formats"][0]["path"] == "/chat/completions"
    assert settings["local"] is True


async def test_a_session_is_started_kept_and_has_a_page(hall: Hall, client: AsyncClient) -> None:
    async with serving(Upstream(3)) as port:
        answer = await post(client, "/sessions/", {"title": "Mine", "lanes": [lane(port)] * 2})
        assert answer.status_code == 201
        session = answer.json()["id"]
        assert answer.json() == {"id": session, "address": f"/sessions/{session}/"}
        await ended(hall)
    page = await client.get(f"/sessions/{session}/")
    assert page.status_code == 200
    assert f'data-session="{session}"' in page.content.decode()
    assert (await client.get("/sessions/nothing-here/")).status_code == 404


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("{not json", None),
        ([], None),
        ({}, "lanes"),
        ({"lanes": []}, "lanes"),
        ({"lanes": [lane()] * 4}, "lanes"),
        ({"lanes": [lane()], "title": "x" * 201}, "title"),
        ({"lanes": [lane()], "title": 5}, "title"),
        ({"lanes": ["x"]}, "lanes.0"),
        ({"lanes": [lane(), lane(format="soap")]}, "lanes.1.format"),
        ({"lanes": [lane(format=None)]}, "lanes.0.format"),
        ({"lanes": [lane(target="other")]}, "lanes.0.target"),
        ({"lanes": [lane(base_url="")]}, "lanes.0.base_url"),
        ({"lanes": [lane(base_url="file:///etc/passwd")]}, "lanes.0.base_url"),
        ({"lanes": [lane(base_url="http://169.254.169.254/")]}, "lanes.0.base_url"),
        ({"lanes": [lane(path="no-slash")]}, "lanes.0.path"),
        ({"lanes": [lane(body={})]}, "lanes.0.body"),
        ({"lanes": [lane(headers=[["one"]])]}, "lanes.0.headers"),
        ({"lanes": [lane(headers=[["A", 1]])]}, "lanes.0.headers"),
        ({"lanes": [lane(headers=[["A", "b"]] * 101)]}, "lanes.0.headers"),
        ({"lanes": [lane(headers=[["A\nB", "b"]])]}, "lanes.0.headers"),
        ({"lanes": [lane(key=7)]}, "lanes.0.key"),
        ({"lanes": [lane(key="sk-one\ntwo")]}, "lanes.0.key"),
    ],
)
async def test_what_cannot_be_taken_is_named_and_explained(
    hall: Hall, client: AsyncClient, value: Any, field: str | None
) -> None:
    answer = await post(client, "/sessions/", value)
    assert answer.status_code == 400
    said = answer.json()
    assert said.get("field") == field
    assert said["code"]
    assert said["message"][-1] == "."


async def test_ten_megabytes_of_prompt_are_taken_and_too_many_are_not(
    hall: Hall, client: AsyncClient, settings: LazySettings
) -> None:
    upstream = Upstream(1)
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "é" * 5_000_000}]}, ensure_ascii=False)
    async with serving(upstream) as port:
        answer = await post(client, "/sessions/", {"lanes": [lane(port, body=body)]})
        assert answer.status_code == 201
        await ended(hall)
    assert upstream.requests[0].endswith(body.encode())
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
    refused = await post(client, "/sessions/", {"lanes": [lane(body="x" * 2_000_000)]})
    assert refused.status_code == 413
    assert refused.json() == {"code": "body-too-large", "message": "The request is larger than 1 MB; shorten it."}


async def test_a_post_without_the_pages_token_is_refused_as_json(hall: Hall) -> None:
    client = AsyncClient(enforce_csrf_checks=True)
    refused = await post(client, "/sessions/", {"lanes": [lane()]})
    assert refused.status_code == 403
    assert refused.json()["code"] == "csrf"
    await client.get("/")
    token = client.cookies["csrftoken"].value
    taken = await client.post(
        "/sessions/", data='{"lanes":[]}', content_type="application/json", headers={"x-csrftoken": token}
    )
    assert taken.status_code == 400


async def test_other_methods_are_answered_with_what_the_address_takes(hall: Hall, client: AsyncClient) -> None:
    answer = await client.put("/sessions/")
    assert (answer.status_code, answer.headers["allow"], answer.json()["code"]) == (405, "POST", "method")


async def test_a_run_stops_by_http_and_an_unknown_one_is_said_so(hall: Hall, client: AsyncClient) -> None:
    upstream = Upstream(20, before=5)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        assert (await post(client, f"/sessions/{session}/stop", {"lane": 0})).json() == {}
        await ended(hall)
    assert (await post(client, f"/sessions/{session}/stop", "")).status_code == 200
    assert (await post(client, f"/sessions/{session}/stop", {"lane": "x"})).json()["field"] == "lane"
    assert (await post(client, "/sessions/none/stop", {})).json()["code"] == "no-such-session"


async def test_exact_bytes_while_it_streams_and_afterwards(hall: Hall, client: AsyncClient) -> None:
    upstream = Upstream(20, before=10)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        async with watching(session) as socket:
            while len(socket.browser.numbers()) < 2:
                await socket.read()
        live = await client.get(f"/sessions/{session}/lanes/0/bytes?from=6&to=12")
        upstream.gate.set()
        await ended(hall)
    kept = await client.get(f"/sessions/{session}/lanes/0/bytes?from=6&to=12")
    assert live.content == kept.content == b'{"id":'
    assert kept.headers["content-type"] == "application/octet-stream"
    assert kept.headers["x-content-type-options"] == "nosniff"
    assert kept.headers["content-security-policy"] == "default-src 'none'; sandbox"
    for query in ("", "?from=1", "?from=5&to=2", "?from=-1&to=2", "?from=0&to=99999999999", "?from=1e3&to=5000"):
        assert (await client.get(f"/sessions/{session}/lanes/0/bytes{query}")).status_code == 400
    assert (await client.get(f"/sessions/{session}/lanes/4/bytes?from=0&to=1")).status_code == 404
    assert (await client.get("/sessions/none/lanes/0/bytes?from=0&to=1")).status_code == 404


async def test_an_image_of_a_lane_has_an_address(hall: Hall, client: AsyncClient) -> None:
    url = "data:image/svg+xml;base64," + base64.b64encode(PNG).decode()
    delta = {"choices": [{"index": 0, "delta": {"images": [{"type": "image_url", "image_url": {"url": url}}]}}]}
    async with serving(sending(text_event("see:"), b"data: " + encode(delta).encode() + b"\n\n")) as port:
        session = await runs.start(request(port))
        await ended(hall)
    answers = [await client.get(f"/sessions/{session}/lanes/0/media/{part}") for part in range(5)]
    found = [answer for answer in answers if answer.status_code == 200]
    assert [answer.content for answer in found] == [PNG]
    assert found[0].headers["content-type"] == "image/png"
    assert {answer.status_code for answer in answers} == {200, 404}


async def test_the_preview_shows_markdown_and_runs_nothing(hall: Hall, client: AsyncClient) -> None:
    text = "# Title\n\n<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://tracker.example/i.png) **bold**"
    async with serving(sending(text_event(text))) as port:
        session = await runs.start(request(port))
        await ended(hall)
    answer = await client.get(f"/sessions/{session}/lanes/0/preview/")
    page = answer.content.decode()
    assert "<h1>Title</h1>" in page
    assert "<strong>bold</strong>" in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert "<img" not in page
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    assert "sandbox" in policy
    assert "script" not in policy
    assert "x-frame-options" not in answer.headers


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "[a](<javascript:alert(1)>)",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a]: javascript:alert(1)\n\n[a]",
        "<iframe srcdoc='<script>'></iframe>",
        "```html\n</code></pre><script>alert(1)</script>\n```",
        "<a href='x' onclick='y'>z</a>",
        "| a |\n|---|\n| <style>*{}</style> |",
    ],
)
def test_no_markdown_becomes_active_html(text: str) -> None:
    html = markdown([text])
    for mark in ("<script", "<img", "<iframe", "<style", "<a href='x'", 'href="javascript', 'href="data'):
        assert mark not in html


def test_media_is_what_its_first_bytes_say() -> None:
    assert media_type(b"RIFF\0\0\0\0WAVEfmt ") == "audio/wav"
    assert media_type(b"RIFF\0\0\0\0WEBPVP8 ") == "image/webp"
    assert media_type(b"<svg xmlns='http://www.w3.org/2000/svg'>") == "application/octet-stream"
    assert media_type(b"<html>") == "application/octet-stream"


async def test_models_are_asked_of_the_target(hall: Hall, client: AsyncClient) -> None:
    seen: list[bytes] = []

    def whole(status: bytes, value: Any) -> Script:
        async def script(peer: Peer) -> None:
            seen.append(await peer.request())
            body = encode(value).encode()
            await peer.send(
                b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (status, len(body), body)
            )

        return script

    async def ask(script: Script, **change: Any) -> Any:
        async with serving(script) as port:
            where = {"target": "custom", "base_url": f"http://127.0.0.1:{port}/v1", "key": "sk-of-mine-12345"}
            return await post(client, "/models/", {**where, **change})

    listed = {
        "object": "list",
        "data": [{"id": "a", "native_format": "messages"}, {"id": "b"}, {"id": 5}],
        "scenarios": [{"name": "text", "look_for": "x"}],
    }
    found = await ask(whole(b"200 OK", listed))
    assert found.json() == {
        "models": [{"id": "a", "format": "messages"}, {"id": "b"}],
        "scenarios": listed["scenarios"],
    }
    assert seen[0].startswith(b"GET /v1/models HTTP/1.1\r\n")
    assert b"Bearer sk-of-mine-12345" in seen[0]
    refused = await ask(whole(b"401 Unauthorized", {"error": "no key sk-of-mine-12345"}))
    assert refused.status_code == 502
    assert refused.json()["code"] == "no-models"
    assert "sk-of-mine" not in refused.content.decode()
    assert b"x-api-key: sk-of-mine-12345" in seen[-1].lower()
    odd = await ask(whole(b"200 OK", "hello"))
    assert odd.status_code == 502
    assert (await post(client, "/models/", {"target": "custom", "base_url": "http://127.0.0.1:22/"})).status_code == 400
    assert (await post(client, "/models/", [])).status_code == 400


CHARGE = {
    "id": "req_1",
    "model": "m",
    "input_tokens": 7,
    "output_tokens": 412,
    "cost_micros": 9_876,
    "ended": "left",
    "replayed": False,
}


async def test_a_request_s_cost_is_asked_of_the_targets_own_ledger(hall: Hall, client: AsyncClient) -> None:
    seen: list[bytes] = []

    async def ask(value: Any, status: bytes = b"200 OK", **change: Any) -> Any:
        async def script(peer: Peer) -> None:
            seen.append(await peer.request())
            body = encode(value).encode()
            await peer.send(
                b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (status, len(body), body)
            )

        async with serving(script) as port:
            where = {"format": "messages", "target": "custom", "base_url": f"http://127.0.0.1:{port}/v1"}
            asked = {**where, "key": "sk-of-mine-12345", "headers": [["x-mine", "1"]], "request_id": "req_1"}
            return await post(client, "/usage/", {**asked, **change})

    def ledger(*entries: Any) -> dict[str, Any]:
        return {"object": "list", "data": list(entries), "total_cost_micros": 1, "balance_cents": 1}

    found = await ask(ledger({**CHARGE, "id": "req_2"}, {**CHARGE, "path": "/v1/messages"}))
    assert found.json() == {"ledger": True, "charge": CHARGE}
    assert seen[0].startswith(b"GET /v1/usage?request_id=req_1 HTTP/1.1\r\n")
    assert b"x-api-key: sk-of-mine-12345" in seen[0].lower()
    assert b"x-mine: 1" in seen[0]
    for odd in ({**CHARGE, "cost_micros": 0.5}, {**CHARGE, "output_tokens": True}, {"id": "req_1"}, 5, None):
        assert (await ask(ledger(odd))).json() == {"ledger": True, "charge": None}
    for no_ledger in (
        {"error": "sk-of-mine-12345"},
        {"data": [CHARGE]},
        [],
        "hello",
        {"data": 5, "total_cost_micros": 1},
    ):
        assert (await ask(no_ledger)).json() == {"ledger": False, "charge": None}
    assert (await ask(ledger(CHARGE), status=b"404 Not Found")).json() == {"ledger": False, "charge": None}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"request_id": ""}, "request_id"),
        ({"request_id": "a\nb"}, "request_id"),
        ({"request_id": 5}, "request_id"),
        ({"format": "odd"}, "format"),
        ({"base_url": "ftp://h"}, "base_url"),
        ({"base_url": "http://127.0.0.1:22/"}, "base_url"),
        ({"headers": "x"}, "headers"),
    ],
)
async def test_a_question_for_a_cost_that_cannot_be_asked_names_its_field(
    hall: Hall, client: AsyncClient, change: dict[str, Any], field: str
) -> None:
    asked = {"format": "chat", "target": "custom", "base_url": "http://127.0.0.1:9/v1", "key": "", "request_id": "r"}
    answer = await post(client, "/usage/", {**asked, **change})
    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert (await post(client, "/usage/", [])).status_code == 400


async def test_the_gateways_page_stands_under_the_strict_policy(client: AsyncClient) -> None:
    answer = await client.get("/gateway/")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == POLICY
    assert 'href="/gateway/" aria-current="page"' in answer.content.decode()


async def test_the_server_says_that_it_is_well(hall: Hall, client: AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok"}
