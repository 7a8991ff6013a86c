"""The library: a person finds, names, tags, deletes and brings back what was kept; ten thousand scroll like ten."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, run, said
from tests.browser.test_access import WAYS, violations
from tests.support.daphne import ROOT, Daphne

pytestmark = pytest.mark.browser

FILL = "import django; django.setup(); from tests.support.many_sessions import fill; fill({}, words=30)"
SETTINGS = {"DJANGO_SETTINGS_MODULE": "playground.settings", "SECRET_KEY": "for-tests-alone"}


def entries(page: Page) -> Locator:
    return page.locator(".entry-rows .entry")


def entry(page: Page, title: str) -> Locator:
    return entries(page).filter(has=page.get_by_text(title, exact=True))


@pytest.fixture
def filled(start_daphne: Callable[..., Daphne], tmp_path: Path) -> Callable[[int], Daphne]:
    """A server whose library has so many sessions."""

    def start(sessions: int) -> Daphne:
        server = start_daphne()
        database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'daphne' / 'db.sqlite3'}"}
        subprocess.run(
            [sys.executable, "-c", FILL.format(sessions)],
            cwd=ROOT,
            env={**os.environ, **SETTINGS, **database},
            check=True,
        )
        return server

    return start


async def test_ada_finds_names_tags_deletes_and_brings_back_a_session(
    open_page: OpenPage, start_daphne: Callable[..., Daphne]
) -> None:
    server = start_daphne()
    page = await open_page("/sessions/", server=server)
    await expect(page.get_by_role("heading", name="Nothing is kept yet")).to_be_visible()
    await page.get_by_role("link", name="Play", exact=True).first.click()
    await choose(page, format="Messages", scenario="text", pace="0")
    await page.get_by_label("User").fill("When is the tide in Brest?")
    await run(page)
    await ends(page, "ended")
    await page.get_by_label("User").fill("<b>Write</b> a haiku")
    await choose(page, format="Chat", scenario="tools")
    await run(page)
    await ends(page, "ended")

    await page.get_by_role("link", name="Library").click()
    await expect(entries(page)).to_have_count(2)
    await expect(page.locator("#library-count")).to_have_text("2 sessions")
    await expect(entry(page, "<b>Write</b> a haiku")).to_contain_text("chat")
    tide = entry(page, "When is the tide in Brest?")
    await expect(tide).to_contain_text("messages")
    await expect(tide).to_contain_text("ended")

    await page.keyboard.press("/")
    await page.keyboard.type("brest tide")
    await expect(entries(page)).to_have_count(1)
    await expect(page).to_have_url(re.compile(r"\?q=brest\+tide$"))
    await page.keyboard.press("Enter")
    await page.keyboard.press("e")
    await page.keyboard.type("Tides")
    await page.keyboard.press("Enter")
    await expect(entry(page, "Tides")).to_be_visible()
    await page.keyboard.press("t")
    await page.keyboard.type("Harbour, slow")
    await page.keyboard.press("Enter")
    await expect(page.locator("session-list tag-editor .tag-word")).to_have_text(["harbour", "slow"])
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Clear", exact=True).click()
    await expect(entries(page)).to_have_count(2)
    await page.get_by_label("Tag", exact=True).select_option("harbour")
    await expect(entries(page)).to_have_count(1)
    await page.go_back()
    await expect(entries(page)).to_have_count(2)

    await page.locator("session-list").get_by_role("grid").focus()
    for key in ("Home", "j", "Delete"):
        await page.keyboard.press(key)
    await expect(page.get_by_text("Deleted: Tides")).to_be_visible()
    await expect(page.locator("#library-count")).to_have_text("1 session")
    await page.get_by_role("button", name="Undo", exact=True).click()
    await expect(page.locator("#library-count")).to_have_text("2 sessions")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/sessions/[^/]+/$"))
    await expect(said(page)).to_contain_text("text", timeout=SOON)


async def test_what_was_deleted_is_listed_and_comes_back_or_goes_for_good(
    open_page: OpenPage, filled: Callable[[int], Daphne]
) -> None:
    page = await open_page("/sessions/", server=filled(5))
    await expect(entries(page)).to_have_count(5)
    for box in await page.locator(".entry-rows").get_by_role("checkbox").all():
        await box.check()
    await page.locator("#chosen").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("button", name="5 deleted: undo all")).to_be_visible()
    await page.get_by_role("link", name="5 deleted").click()
    await expect(page.get_by_role("heading", name="Deleted")).to_be_visible()
    await entries(page).first.hover()
    await entries(page).first.get_by_role("button", name="bring back").click()
    await expect(page.get_by_text("Back in the library")).to_be_visible()
    await page.get_by_role("button", name="Delete all 4 for good").click()
    await page.get_by_role("button", name="This cannot be undone").click()
    await expect(page.get_by_role("heading", name="Nothing is deleted")).to_be_visible()
    await page.get_by_role("link", name="Back to the library").last.click()
    await expect(entries(page)).to_have_count(1)


async def test_what_streams_says_so_and_its_end_comes_by_itself(
    open_page: OpenPage, start_daphne: Callable[..., Daphne]
) -> None:
    server = start_daphne()
    page = await open_page(server=server)
    await choose(page, format="Chat", scenario="long", pace="40")
    await run(page)
    library = await open_page("/sessions/", server=server)
    await expect(entries(library)).to_contain_text("streaming")
    await page.keyboard.press("Escape")
    await expect(entries(library)).to_contain_text("stopped", timeout=SOON)
    await expect(entries(library)).not_to_contain_text("streaming")


async def test_ten_thousand_are_read_page_by_page_and_few_are_drawn(
    open_page: OpenPage, filled: Callable[[int], Daphne]
) -> None:
    page = await open_page("/sessions/?sort=longest", server=filled(10_000))
    await expect(page.locator("#library-count")).to_have_text("10,000 sessions", timeout=SOON)
    grid = page.locator("session-list").get_by_role("grid")
    await grid.focus()
    for shown in (50, 100, 150):
        await page.keyboard.press("End")
        await expect(page.locator(f'.entry[aria-rowindex="{shown + 1}"][data-current]')).to_be_visible()
        await expect(page.locator(f'.entry[aria-rowindex="{shown + 2}"]')).to_be_attached()
    assert await entries(page).count() < 60
    await page.get_by_label("Search sessions").fill("nothing that was ever said")
    await expect(page.get_by_role("heading", name="No session matches")).to_be_visible()
    await page.get_by_role("button", name="Clear the search and the filters").click()
    await expect(entries(page).first).to_be_visible()


async def test_an_address_that_asks_for_what_cannot_be_says_so(
    open_page: OpenPage, filled: Callable[[int], Daphne]
) -> None:
    page = await open_page("/sessions/?sort=random", server=filled(1), complaints_expected=True)
    await expect(page.get_by_role("alert")).to_contain_text("`sort` is one of newest")


@pytest.mark.axe
@pytest.mark.parametrize("way", WAYS)
async def test_axe_finds_nothing_in_the_library(open_page: OpenPage, filled: Callable[[int], Daphne], way: str) -> None:
    page = await open_page("/sessions/", server=filled(80), **WAYS[way])
    await expect(entries(page).first).to_be_visible()
    assert await violations(page) == []
    for key in ("j", "x", "j", "Delete", "j", "t"):
        await page.keyboard.press(key)
    await expect(page.locator("session-list tag-editor")).to_be_visible()
    assert await violations(page) == []
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await page.goto("/sessions/?q=nothing")
    await expect(page.get_by_role("heading", name="No session matches")).to_be_visible()
    assert await violations(page) == []


async def test_the_bar_above_the_stage_names_tags_and_deletes_the_session(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="text", pace="0")
    await run(page)
    await ends(page, "ended")
    bar = page.get_by_role("region", name="Session", exact=True)
    await bar.get_by_role("button", name=re.compile("^Rename")).click()
    await page.keyboard.type("A name of its own")
    await page.keyboard.press("Enter")
    await bar.get_by_label("Add a tag").fill("Slow Proxy")
    await page.keyboard.press("Enter")
    await expect(bar.locator(".tag-word")).to_have_text("slow proxy")
    await page.reload()
    await expect(bar).to_contain_text("A name of its own")
    await bar.get_by_role("button", name="Remove the tag slow proxy").click()
    await expect(bar.locator(".tag")).to_have_count(0)
    await bar.get_by_role("button", name="delete", exact=True).click()
    await expect(bar).to_contain_text("This session was deleted.")
    await bar.get_by_role("button", name="Undo").click()
    await expect(bar).to_contain_text("A name of its own")
    await bar.get_by_role("button", name="delete", exact=True).click()
    await expect(bar.get_by_role("link", name="Back to the library")).to_be_visible()


async def test_the_page_of_a_deleted_session_says_where_it_can_be_brought_back(open_page: OpenPage) -> None:
    page = await open_page(complaints_expected=True)
    await choose(page, format="Chat", scenario="text", pace="0")
    await run(page)
    await ends(page, "ended")
    await (
        page.get_by_role("region", name="Session", exact=True).get_by_role("button", name="delete", exact=True).click()
    )
    await expect(page.get_by_text("This session was deleted.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("heading", name="This session was deleted")).to_be_visible()
    await page.get_by_role("link", name="See what was deleted").click()
    await expect(page.get_by_role("heading", name="Deleted")).to_be_visible()


async def test_a_server_that_does_not_answer_is_asked_now_and_then_and_when_a_person_wants(
    open_page: OpenPage, filled: Callable[[int], Daphne]
) -> None:
    page = await open_page("/sessions/", server=filled(400), complaints_expected=True)
    await expect(page.locator("#library-count")).to_have_text("400 sessions")
    asked = 0

    async def refuse(route: Route) -> None:
        nonlocal asked
        asked += 1
        await route.abort()

    await page.route("**/sessions/list**", refuse)
    grid = page.locator("session-list").get_by_role("grid")
    await grid.focus()
    for _ in range(20):
        await page.keyboard.press("End")
        await page.mouse.wheel(0, 2000)
    problem = page.get_by_role("alert").filter(has_text="does not answer")
    await expect(problem).to_be_visible()
    assert 0 < asked <= 3
    again = page.get_by_role("button", name="Try again")
    await expect(again).to_be_visible()

    await page.unroute("**/sessions/list**", refuse)
    await again.click()
    await expect(problem).to_be_hidden()
    await expect(again).to_be_hidden()

    # The first page, too.
    await page.route("**/sessions/list**", refuse)
    await page.reload()
    await expect(problem).to_be_visible()
    await page.unroute("**/sessions/list**", refuse)
    await again.click()
    await expect(page.locator("#library-count")).to_have_text("400 sessions")
    await expect(entries(page).first).to_be_visible()
    await expect(problem).to_be_hidden()
