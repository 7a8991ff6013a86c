"""Pages of other origins, foreign Hosts, callers without the access token: in the vendor's shape, or unread."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.support.daphne import Daphne
from tests.support.http import exchange
from tests.support.requests import PATHS, body

ORIGIN = "https://friend.example"
PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, content-type",
}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daphne]:
    environment = {"PLAYGROUND_GATEWAY_ORIGINS": ORIGIN, "PLAYGROUND_ACCESS_TOKEN": "sesame"}
    server = Daphne(tmp_path_factory.mktemp("guarded"), environment)
    yield server
    server.stop()


@pytest.mark.parametrize("format", PATHS)
async def test_without_the_access_token_the_vendor_would_say_403(guarded: Daphne, format: str) -> None:
    async with exchange(guarded, PATHS[format], body(format)) as one:
        assert (one.status, one.headers["content-type"]) == (403, "application/json")
        error = json.loads(await one.body())["error"]
    assert error["type"] == "permission_error"
    assert "access token" in error["message"]
    async with exchange(guarded, PATHS[format], body(format), headers={"authorization": "Bearer sesame"}) as one:
        assert one.status == 200


@pytest.mark.parametrize("format", PATHS)
async def test_a_foreign_host_is_told_in_the_vendors_shape(guarded: Daphne, format: str) -> None:
    async with exchange(
        guarded, PATHS[format], body(format), headers={"host": "evil.example", "x-api-key": "sesame"}
    ) as one:
        assert (one.status, one.headers["content-type"]) == (400, "application/json")
        assert "Host" in json.loads(await one.body())["error"]["message"]


async def test_a_page_of_an_origin_that_the_settings_name_may_call(guarded: Daphne) -> None:
    async with exchange(guarded, PATHS["chat"], method="OPTIONS", headers={"origin": ORIGIN, **PREFLIGHT}) as one:
        assert one.status == 204
        assert one.headers["access-control-allow-origin"] == ORIGIN
        assert one.headers["access-control-allow-headers"] == PREFLIGHT["access-control-request-headers"]
    headers = {"origin": ORIGIN, "authorization": "Bearer sesame"}
    async with exchange(guarded, PATHS["chat"], body("chat"), headers=headers) as one:
        assert (one.status, one.headers["access-control-allow-origin"]) == (200, ORIGIN)
        assert "x-request-id" in one.headers["access-control-expose-headers"]


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "https://friend.example.evil.example"])
async def test_a_page_of_any_other_origin_may_not(guarded: Daphne, origin: str) -> None:
    headers = {"origin": origin, "authorization": "Bearer sesame", **PREFLIGHT}
    async with exchange(guarded, PATHS["chat"], method="OPTIONS", headers=headers) as one:
        assert one.status == 405
        assert not [name for name in one.headers if name.startswith("access-control")]
    async with exchange(guarded, PATHS["chat"], body("chat"), headers=headers) as one:
        assert not [name for name in one.headers if name.startswith("access-control")]


def test_pages_keep_their_own_errors(guarded: Daphne) -> None:
    import urllib.error
    import urllib.request

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{guarded.url}/", timeout=10)
    assert refused.value.headers["content-type"].startswith("text/html")
    refused.value.close()
