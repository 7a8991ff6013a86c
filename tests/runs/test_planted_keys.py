"""Keys are planted wherever a person, an upstream or a file can put them; then all that is kept or said is searched.

A real daphne with a database of its own: its files are read as bytes and as tables, with its log, its exports of every
kind, its pages and what a share link shows.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import sqlite3
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from websockets.asyncio.client import connect

from playground.recordings.exporting import KINDS
from tests.support.daphne import Daphne
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving

TAIL = "Abcd1234Efgh5678Ijkl"

# What the person gives to be sent.
KEY = f"sk-proj-key-{TAIL}"
IN_HEADER = f"header-{TAIL}"
COOKIE = f"cookie-{TAIL}"
IN_ADDRESS = f"address/{TAIL}"
IN_BODY = f"gsk_body{TAIL}"
MARKED = "nightjar"

# What nobody here sent: known by its shape alone.
OF_UPSTREAM = f"sk-ant-upstream-{TAIL}"
IN_ANSWER_HEADER = f"xai-header{TAIL}"
IN_TITLE = f"sk-title-{TAIL}"
IN_NEW_TITLE = f"ghp_title{TAIL}"
IN_CURL = f"sk-curl-{TAIL}"
IN_CURL_ANSWER = f"sk-curl-answer-{TAIL}"
IN_HAR = f"har-{TAIL}"
IN_HAR_ANSWER = f"AKIA{'HARANSWER1234567'[:16]}"
IN_NAME = f"sk-name-{TAIL}"
IN_TAG = f"sk-tag-{TAIL.lower()}"
IN_NOTE = f"sk-note-{TAIL}"
IN_TEXT = f"sk-text-{TAIL}"

PLANTED = [value for name, value in sorted(globals().items()) if name.isupper() and name not in {"TAIL", "PLANTED"}]
PLANTED = [value for value in PLANTED if isinstance(value, str)]


def spelled(secret: str) -> set[bytes]:
    texts = {secret, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), quote(secret, safe="")}
    return {text.encode() for text in texts}


async def echoing(peer: Peer) -> None:
    """The whole request comes back: in a header, in a body that is cut every few bytes, with the upstream's own key."""
    request = (await peer.request()).decode()
    assert [secret for secret in (KEY, IN_HEADER, COOKIE, IN_ADDRESS, IN_BODY, MARKED) if secret not in request] == []
    head = CHUNKED_HEAD.decode().replace(
        "\r\n\r\n", f"\r\nX-Debug: {IN_ANSWER_HEADER} {KEY}\r\nSet-Cookie: sid={COOKIE}\r\nX-Note: {MARKED}\r\n\r\n"
    )
    await peer.send(head.encode())
    said = json.dumps({"error": {"message": f"{request} {OF_UPSTREAM}"}, "choices": []})
    body = f"data: {said}\n\n: {KEY} {OF_UPSTREAM}\n\n{KEY}\n\ndata: {OF_UPSTREAM}"
    await peer.send(chunk(body.encode()))
    for start in range(0, len(body), 11):
        await peer.send(chunk(body[start : start + 11].encode()))
        await asyncio.sleep(0)
    await peer.send(LAST_CHUNK)


async def refusing(peer: Peer) -> None:
    await peer.request()
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY} (ours is {OF_UPSTREAM})"}}).encode()
    head = f"HTTP/1.1 401 No {KEY}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    await peer.send(head.encode() + body)


class Ada:
    """A person without a browser: posts with the page's token, reads what the server says."""

    def __init__(self, url: str) -> None:
        self._url = url
        with urllib.request.urlopen(url, timeout=30) as page:
            self._token = re.findall(r'name="csrf-token" content="([^"]+)"', page.read().decode())[0]
            self._cookie = page.headers["set-cookie"].partition(";")[0]

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        """The answer's head and body, of whatever status; zipped files unpacked."""
        headers = {"content-type": kind, "x-csrftoken": self._token, "cookie": self._cookie}
        try:
            answer: Any = urllib.request.urlopen(urllib.request.Request(self._url + path, body, headers), timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            content = answer.read()
            return str(answer.headers).encode() + b"\n" + unzipped(content)


def unzipped(file: bytes) -> bytes:
    if not file.startswith(b"PK"):
        return file
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return b"".join(name.encode() + archive.read(name) for name in archive.namelist())


def lane(port: int) -> dict[str, Any]:
    return {
        "format": "chat",
        "target": "custom",
        "base_url": f"http://127.0.0.1:{port}/v1?key={IN_ADDRESS}",
        "body": json.dumps({"model": f"m-{IN_BODY}", "stream": True, "messages": [{"content": f"{IN_BODY} {MARKED}"}]}),
        "headers": [["X-Auth-Token", IN_HEADER], ["Cookie", f"sid={COOKIE}"], ["X-Note", MARKED]],
        "key": KEY,
    }


CURL = f"""> POST /v1/chat/completions?api_key={IN_CURL} HTTP/1.1
> Host: api.example
> Authorization: Bearer {IN_CURL}
> Cookie: sid={IN_CURL}
>
< HTTP/1.1 200 OK
< content-type: text/event-stream
< x-debug: {IN_CURL_ANSWER}
<
data: {{"choices":[{{"index":0,"delta":{{"content":"{IN_CURL} and {IN_CURL_ANSWER}"}}}}]}}

data: [DONE]

"""

HAR = {
    "log": {
        "version": "1.2",
        "creator": {"name": "test", "version": "1"},
        "entries": [
            {
                "startedDateTime": "2026-01-01T00:00:00Z",
                "time": 5,
                "request": {
                    "method": "POST",
                    "url": f"https://api.example/v1/messages?token={IN_HAR}",
                    "headers": [{"name": "x-api-key", "value": IN_HAR}, {"name": "cookie", "value": f"a={IN_HAR}"}],
                    "postData": {"mimeType": "application/json", "text": json.dumps({"note": IN_HAR_ANSWER})},
                },
                "response": {
                    "status": 200,
                    "statusText": "OK",
                    "headers": [
                        {"name": "content-type", "value": "text/event-stream"},
                        {"name": "set-cookie", "value": f"a={IN_HAR}"},
                    ],
                    "content": {
                        "mimeType": "text/event-stream",
                        "text": f'event: error\ndata: {{"error":{{"message":"{IN_HAR} {IN_HAR_ANSWER}"}}}}\n\n',
                    },
                },
            }
        ],
    }
}


async def test_no_planted_key_is_found_anywhere(start_daphne: Callable[..., Daphne], tmp_path: Path) -> None:
    server = await asyncio.to_thread(start_daphne)
    ada = await asyncio.to_thread(Ada, server.url)
    shown: list[bytes] = []

    async def ask(path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        shown.append(await asyncio.to_thread(ada.ask, path, body, kind))
        return shown[-1]

    async def post(path: str, value: Any) -> dict[str, Any]:
        answer = await ask(path, json.dumps(value).encode())
        return dict(json.loads(answer[answer.index(b"\n{") :]))

    sessions = []
    for script in (echoing, refusing):
        async with serving(script) as port:
            run = {"lanes": [lane(port)], "title": f"why {IN_TITLE} and {MARKED}", "mask": [MARKED]}
            sessions.append((await post("/sessions/", run))["id"])
            shown.append(await watched(server, f"/ws/sessions/{sessions[-1]}/"))
    for name, file in ((f"{IN_NAME}.txt", CURL.encode()), (f"{IN_NAME}.har", json.dumps(HAR).encode())):
        form = f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        form += file + b"\r\n--edge--\r\n"
        answer = await ask("/sessions/import", form, "multipart/form-data; boundary=edge")
        sessions.append(json.loads(answer[answer.index(b"\n{") :])["id"])

    for session in sessions:
        await post(f"/sessions/{session}/title", {"title": f"now {IN_NEW_TITLE}"})
        tagged = await post("/sessions/tags", {"ids": [session], "add": [IN_TAG], "remove": []})
        assert "*" * 9 in json.dumps(tagged)
        marker = await post(f"/sessions/{session}/markers/new", {"lane": 0, "start": 0, "end": 5, "note": IN_NOTE})
        await post(f"/sessions/{session}/markers/{marker['id']}/note", {"note": f"see {IN_NOTE}"})
        made = await post(f"/sessions/{session}/shares/new", {"without": ["system"], "texts": [IN_TEXT]})
        for path in ("markers", "shares", "lanes/0/lens/messages"):
            await ask(f"/sessions/{session}/{path}")
        for base in (f"/sessions/{session}/", made["address"]):
            for path in ("", "lanes/0/bytes?from=0&to=100000", "lanes/0/preview/", "lanes/7/bytes?from=0&to=1"):
                await ask(base + path)
        shown.append(await watched(server, f"/ws{made['address']}"))
        for kind in KINDS:
            await ask(f"/sessions/{session}/export/{kind}")
    for path in ("/sessions/", "/sessions/list", "/sessions/counts", f"/sessions/list?q={IN_TITLE[:6]}"):
        await ask(path)
    await ask("/sessions/nothing-here/")
    await ask("/sessions/", f'{{"key": "{KEY}", nonsense'.encode())
    await post("/sessions/", {"lanes": [{**lane(1), "format": KEY}]})
    await post("/sessions/", {"lanes": [{**lane(1), "headers": [["X", f"{KEY}\n"]]}]})
    await post("/models/", {"target": "custom", "base_url": f"http://127.0.0.1:1/?key={IN_ADDRESS}", "key": KEY})

    kept = await asyncio.to_thread(kept_by, server)
    assert b"why ****" in kept
    assert b"Incorrect API key provided: ****" in kept
    assert sum(piece.count(b"*" * 20) for piece in shown) > 20
    server.stop()
    everything = [kept, server.log.read_bytes(), *shown]
    for secret in PLANTED:
        for spelling in spelled(secret):
            found = [text for text in everything if spelling in text]
            assert not found, (spelling, around(found[0], spelling))


async def watched(server: Daphne, path: str) -> bytes:
    """All that a viewer is told of a session, to the end of its first lane."""
    told = ""
    async with connect(f"ws://127.0.0.1:{server.port}{path}", max_size=None) as socket:
        while '"end":{"how"' not in told:
            message = str(await asyncio.wait_for(socket.recv(), 30))
            told += message
            if frame := json.loads(message).get("frame"):
                await socket.send(json.dumps({"type": "ack", "frame": frame}))
    return told.encode()


def kept_by(server: Daphne) -> bytes:
    """The database's files as they are, and what its tables say."""
    folder = server.log.parent
    raw = b"".join(path.read_bytes() for path in folder.glob("db.sqlite3*"))
    with closing(sqlite3.connect(folder / "db.sqlite3", timeout=20)) as tables:
        return raw + "\n".join(tables.iterdump()).encode()


def around(text: bytes, spelling: bytes) -> bytes:
    at = text.index(spelling)
    return text[max(0, at - 200) : at + 100]
