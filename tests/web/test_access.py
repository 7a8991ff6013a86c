"""A server that is open to a network shows nothing to whoever has not shown its token."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import AsyncClient

from playground.runs.hall import Hall
from playground.web.middleware import POLICY

TOKEN = "let-me-in-12345"


@pytest.fixture
def client(settings: LazySettings) -> AsyncClient:
    settings.ACCESS_TOKEN = TOKEN
    return AsyncClient()


async def test_without_the_token_nothing_is_shown(hall: Hall, client: AsyncClient) -> None:
    for path in (
        "/",
        "/sessions/x/",
        "/v1/models",
        "/sessions/x/lanes/0/bytes?from=0&to=1",
        "/nothing",
        "/?token=wrong",
    ):
        refused = await client.get(path)
        assert refused.status_code == 403, path
        assert refused.headers["content-security-policy"] == POLICY
        assert TOKEN not in refused.content.decode()
    assert (await client.post("/sessions/", data="{}", content_type="application/json")).status_code == 403
    assert (
        await client.post(f"/sessions/?token={TOKEN}", data="{}", content_type="application/json")
    ).status_code == 400


async def test_the_health_address_is_open(hall: Hall, client: AsyncClient) -> None:
    assert (await client.get("/healthz")).status_code == 200


async def test_the_token_once_gives_a_cookie_and_leaves_the_address_bar(hall: Hall, client: AsyncClient) -> None:
    answer = await client.get(f"/?token={TOKEN}&a=1")
    assert (answer.status_code, answer.headers["location"]) == (302, "/?a=1")
    cookie = answer.cookies["playground-access"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert (await client.get("/")).status_code == 200
    away = await client.get(f"//evil.example/?token={TOKEN}")
    assert not away.headers.get("location", "").startswith("//")


@pytest.mark.parametrize(
    "headers", [{"authorization": f"Bearer {TOKEN}"}, {"x-api-key": TOKEN}, {"x-playground-token": TOKEN}]
)
async def test_clients_show_it_as_their_key(hall: Hall, client: AsyncClient, headers: dict[str, str]) -> None:
    assert (await client.get("/v1/models", headers=headers)).status_code == 200


async def test_a_loopback_server_asks_for_none(hall: Hall) -> None:
    assert (await AsyncClient().get("/")).status_code == 200
