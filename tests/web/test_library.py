"""The library's doors: what they take, what they answer, what they say to what they cannot take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.recordings import keep
from playground.recordings.keep import NewLane
from playground.recordings.models import Session
from tests.support.lanes import REQUEST

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
