"""Static files are answered in front of Django, to whoever asks; everything else goes through."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import LazySettings

from playground.asgi import application

PATH = "/static/css/tokens.css"


async def ask(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": names}
    asked = ApplicationCommunicator(application, scope)
    await asked.send_input({"type": "http.request", "body": b""})
    start: dict[str, Any] = await asked.receive_output()
    body: dict[str, Any] = await asked.receive_output()
    await asked.wait()
    return start["status"], {name.decode().lower(): value.decode() for name, value in start["headers"]}, body["body"]


async def test_a_file_comes_as_it_is_with_its_type_and_without_the_token(settings: LazySettings) -> None:
    settings.ACCESS_TOKEN = "let-me-in-12345"
    status, headers, body = await ask(PATH)
    assert (status, body) == (200, (settings.BASE_DIR / PATH[1:]).read_bytes())
    assert headers["content-type"].startswith("text/css")
    assert headers["content-length"] == str(len(body))
    assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "max-age=0, public")
    assert (await ask("/"))[0] == 403


async def test_what_the_browser_has_already_is_not_sent_again() -> None:
    _, headers, _ = await ask(PATH)
    status, _, body = await ask(PATH, if_none_match=headers["etag"])
    assert (status, body) == (304, b"")


async def test_the_head_alone_and_a_part_can_be_asked_for() -> None:
    _, headers, whole = await ask(PATH)
    assert (await ask(PATH, "HEAD"))[1]["content-length"] == headers["content-length"]
    assert (await ask(PATH, "HEAD"))[2] == b""
    assert (await ask(PATH, range="bytes=2-5"))[::2] == (206, whole[2:6])
    assert (await ask(PATH, "POST"))[0] == 405


@pytest.mark.parametrize(
    "path",
    ["/static/css/none.css", "/static/", "/static/css", "/static/../manage.py", "/static//etc/passwd", "/static/\0"],
)
async def test_what_is_no_static_file_is_not_found(path: str) -> None:
    assert (await ask(path))[0] in {400, 404}
