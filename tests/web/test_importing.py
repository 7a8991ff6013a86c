"""POST /sessions/import: a body, a form, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from playground.recordings.importing import KINDS
from playground.recordings.models import Lane, Session
from tests.support.imported import zipped

pytestmark = pytest.mark.django_db(transaction=True)

EVENT = b"data: one\n\n"


async def send(content: bytes, query: str = "?name=tide.sse", **more: Any) -> Any:
    return await AsyncClient().post(
        f"/sessions/import{query}", data=content, content_type="application/octet-stream", **more
    )


async def test_a_body_becomes_a_session_and_the_answer_has_its_address() -> None:
    answer = await send(EVENT)
    assert answer.status_code == 201
    session = await Session.objects.aget(pk=answer.json()["id"])
    assert answer.json()["address"] == f"/sessions/{session.pk}/"
    assert (session.title, session.origin) == ("tide.sse", "import")


async def test_a_zip_in_the_body_can_be_searched_in() -> None:
    answer = await send(zipped({"stream.sse": EVENT, "http.json": b'{"status": 418}'}), "")
    assert (await Lane.objects.aget(session=answer.json()["id"])).status == 418


async def test_the_files_of_a_case_come_as_a_form() -> None:
    files = [SimpleUploadedFile("stream.sse", EVENT), SimpleUploadedFile("http.json", b'{"status": 418}')]
    answer = await AsyncClient().post("/sessions/import", {"file": files})
    assert answer.status_code == 201
    assert (await Lane.objects.aget(session=answer.json()["id"])).status == 418


@pytest.mark.parametrize(
    ("content", "query", "status", "code"),
    [
        (b"", "", 422, "empty"),
        (b"<html>", "", 422, "html"),
        (EVENT, "?kind=opera", 400, "unknown-kind"),
        (b"PK\x03\x04", "", 422, "damaged-zip"),
    ],
)
async def test_what_cannot_be_kept_is_a_problem_with_a_code(content: bytes, query: str, status: int, code: str) -> None:
    answer = await send(content, query)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not await Session.objects.aexists()


async def test_what_is_too_large_is_refused(settings: LazySettings) -> None:
    settings.IMPORT_BYTES = 1024 * 1024
    answer = await send(b":" * (1024 * 1024 + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert "1 MB" in answer.json()["message"]
    packed = zipped({"stream.sse": EVENT * 100_000})
    assert (await send(packed, "")).json()["code"] == "too-large"
    assert not await Session.objects.aexists()


async def test_a_form_without_a_file_says_what_to_do() -> None:
    answer = await AsyncClient().post("/sessions/import", {"note": "x"})
    assert (answer.status_code, answer.json()["code"]) == (422, "no-file")


async def test_only_a_post_is_taken() -> None:
    assert (await AsyncClient().get("/sessions/import")).status_code == 405


def test_the_page_lists_every_kind_in_the_same_words() -> None:
    listed = (Path(__file__).parents[2] / "static/js/model/import-kinds.js").read_text()
    lines = [f"  [{json.dumps(kind.title)}, {json.dumps(kind.sentence)}]," for kind in KINDS.values()]
    assert "\n".join(lines) in listed
