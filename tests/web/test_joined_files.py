"""A page's module and sheet: one file each, under an address that changes with what is in it."""

from __future__ import annotations

import gzip
import re

import pytest
from django.conf import LazySettings
from django.template.loader import render_to_string
from django.test import Client

from playground.web.joined_files import MODULES, SHEETS, joined_file
from tests.web.test_static_files import ask


@pytest.mark.parametrize("name", [*(f"{stem}.js" for stem in MODULES), *(f"{stem}.css" for stem in SHEETS)])
async def test_a_joined_file_may_be_kept_for_good_and_imports_nothing(name: str) -> None:
    status, headers, body = await ask(joined_file(name).address)
    assert status == 200
    assert headers["content-type"] == f"text/{'javascript' if name.endswith('js') else 'css'}; charset=utf-8"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-length"] == str(len(body))
    assert headers["x-content-type-options"] == "nosniff"
    assert not re.search(rb'^(?:import (?:\{.*\} from )?"|export |@import )', body, re.M)


async def test_who_takes_gzip_gets_it() -> None:
    file = joined_file("main.js")
    _, headers, body = await ask(file.address, accept_encoding="br, gzip")
    assert (headers["content-encoding"], headers["vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(body) == file.content
    assert len(body) < len(file.content) / 2
    assert "content-encoding" not in (await ask(file.address))[1]


async def test_an_earlier_address_gives_the_file_of_today_and_is_not_kept() -> None:
    status, headers, body = await ask("/static/joined/0123456789abcdef/main.js")
    assert (status, headers["cache-control"]) == (200, "no-store")
    assert body == joined_file("main.js").content


@pytest.mark.parametrize("name", ["none.js", "unpack.js", "main.css", "main", ".js", ""])
async def test_nothing_else_is_joined(name: str) -> None:
    assert (await ask(f"/static/joined/0123456789abcdef/{name}"))[0] in {400, 404}


async def test_the_head_alone_can_be_asked_for_and_nothing_be_sent() -> None:
    address = joined_file("play.css").address
    assert (await ask(address, "HEAD"))[2] == b""
    assert (await ask(address, "HEAD"))[0] == 200
    assert (await ask(address, "POST"))[0] == 405


@pytest.mark.django_db
def test_a_page_names_two_files_and_with_debug_those_on_the_disk(client: Client, settings: LazySettings) -> None:
    page = client.get("/").content.decode()
    assert f'<script type="module" src="{joined_file("main.js").address}"></script>' in page
    assert f'<link rel="stylesheet" href="{joined_file("play.css").address}">' in page
    settings.DEBUG = True
    page = render_to_string("rules.html")
    assert '<script type="module" src="/static/js/rules-page.js"></script>' in page
    assert '<link rel="stylesheet" href="/static/css/pages/rules.css">' in page
