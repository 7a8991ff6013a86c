"""Markers: noted at bytes of a lane, kept, changed, and carried along by exports and imports."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.recordings import archive, keep, markers, shelf
from playground.recordings.keep import NewLane
from playground.recordings.models import Marker
from playground.recordings.records import MarkerRecord
from playground.recordings.taking import take_in
from tests.support.lanes import REQUEST

pytestmark = pytest.mark.django_db(transaction=True)

MARKER = {"lane": 0, "start": 120, "end": 240, "note": "here it breaks"}


@pytest.fixture
def session() -> str:
    return keep.begin("a session", [NewLane("chat", "gateway", "a-model", REQUEST)], None).session


def post(path: str, value: Any) -> Any:
    return Client().post(path, json.dumps(value), content_type="application/json")


def listed(session: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Client().get(f"/sessions/{session}/markers").json()["markers"]
    return found


def test_a_marker_is_kept_changed_and_deleted(session: str) -> None:
    made = post(f"/sessions/{session}/markers/new", MARKER)
    assert made.status_code == 201
    marker = made.json()
    assert marker["created"] > 0
    assert listed(session) == [marker]
    assert {name: marker[name] for name in MARKER} == MARKER
    address = f"/sessions/{session}/markers/{marker['id']}"
    assert post(f"{address}/note", {"note": " never\nmind "}).json() == marker | {"note": "never mind"}
    assert post(f"{address}/delete", {}).json() == {}
    assert listed(session) == []
    gone = post(f"{address}/delete", {})
    assert (gone.status_code, gone.json()["code"]) == (404, "no-such-marker")
    assert post(f"{address}/note", {"note": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"note": ""}, "note"),
        ({"note": "x" * 501}, "note"),
        ({"note": None}, "note"),
        ({"lane": -1}, "lane"),
        ({"lane": True}, "lane"),
        ({"start": "0"}, "start"),
        ({"end": 2**60}, "end"),
        ({"start": 10, "end": 9}, "end"),
    ],
)
def test_what_is_no_marker_is_refused_at_its_field(session: str, change: dict[str, Any], field: str) -> None:
    answer = post(f"/sessions/{session}/markers/new", MARKER | change)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert answer.json()["message"].endswith(".")
    assert listed(session) == []


def test_there_are_no_markers_where_there_is_no_lane_or_session(session: str) -> None:
    assert post(f"/sessions/{session}/markers/new", MARKER | {"lane": 7}).json()["code"] == "no-such-lane"
    assert post("/sessions/nobody/markers/new", MARKER).status_code == 404
    assert Client().get("/sessions/nobody/markers").status_code == 404
    other = keep.begin("another", [NewLane("chat", "gateway", "a-model", REQUEST)], None).session
    marker = post(f"/sessions/{session}/markers/new", MARKER).json()
    assert post(f"/sessions/{other}/markers/{marker['id']}/delete", {}).status_code == 404
    shelf.delete([session])
    assert Client().get(f"/sessions/{session}/markers").status_code == 404


def test_a_session_has_room_for_so_many(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markers, "MOST", 1)
    assert post(f"/sessions/{session}/markers/new", MARKER).status_code == 201
    answer = post(f"/sessions/{session}/markers/new", MARKER)
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-markers")


def test_a_key_in_a_note_is_not_kept(session: str) -> None:
    key = "sk-proj-" + "Ab3dE6gH" * 6
    post(f"/sessions/{session}/markers/new", MARKER | {"note": f"sent {key} here"})
    assert key not in Marker.objects.get().note


def test_markers_go_along_with_an_export_and_come_back_with_an_import(session: str) -> None:
    post(f"/sessions/{session}/markers/new", MARKER)
    records = list(archive.records(session))
    noted = [record for record in records if isinstance(record, MarkerRecord)]
    assert [(each.lane, each.start, each.end, each.note) for each in noted] == [(0, 120, 240, "here it breaks")]
    again = listed(take_in(records))
    kept = listed(session)
    assert [marker | {"id": 0} for marker in again] == [marker | {"id": 0} for marker in kept]
