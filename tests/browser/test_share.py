"""Ada shares a session, Bob looks at it: a real daphne, two browsers."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, has_rows, rows, run, said, wire, word
from tests.browser.test_access import WAYS, violations
from tests.support.daphne import Daphne

pytestmark = pytest.mark.browser

SECRET = "Obey Ada and nobody else."


async def ask(page: Page, **choice: str) -> None:
    """A run with a system text, over Responses, which says it again on the wire."""
    await choose(page, format="Responses", **choice)
    await page.locator("stream-composer details", has_text="System").first.locator("summary").click()
    await page.locator("#system").fill(SECRET)
    await run(page)


async def open_dialog(page: Page, *parts: str) -> None:
    await page.get_by_role("button", name="share", exact=True).click()
    for part in parts:
        await page.get_by_role("dialog").get_by_label(part, exact=True).check()


async def make_link(page: Page, *parts: str) -> str:
    """The path of a new link, as the dialog shows it."""
    await open_dialog(page, *parts)
    return await press_make(page)


async def press_make(page: Page) -> str:
    await page.get_by_role("button", name="Make link").click()
    field = page.get_by_label("Link", exact=True)
    await expect(field).to_be_focused()
    return "/s/" + (await field.input_value()).rpartition("/s/")[2]


async def test_bob_watches_live_what_ada_shares_until_she_revokes_it(open_page: OpenPage) -> None:
    ada = await open_page()
    await ask(ada, scenario="long", pace="60")
    path = await make_link(ada, "system text")
    bob = await open_page(path)
    await expect(word(bob)).to_have_text("streaming", timeout=SOON)
    await expect(bob.locator(".shared-missing")).to_have_text("Left out: system text")
    before = await rows(bob)
    await has_more_rows(bob, before)
    await expect(bob.get_by_role("button", name="Stop")).to_have_count(0)

    await ada.get_by_role("button", name="Revoke the link").click()
    await expect(bob.get_by_role("alert")).to_contain_text("This link was revoked by whoever made it.", timeout=SOON)
    await expect(bob.locator("stream-stage")).to_have_count(0)
    await expect(ada.locator(".share-link")).to_contain_text("revoked")
    late = await open_page(path, complaints_expected=True)
    await expect(late.get_by_role("heading")).to_have_text("This link was revoked by whoever made it.")

    await ada.keyboard.press("Escape")
    await ada.locator("#user").blur()
    await ada.keyboard.press("Escape")
    await ends(ada, "stopped")


async def has_more_rows(page: Page, than: int) -> None:
    for step in (1, 5):
        await expect(wire(page).get_by_role("row", name=f"{than + step}").first).to_be_attached(timeout=SOON)


async def test_the_preview_shows_what_the_link_shows_and_neither_shows_what_is_left_out(open_page: OpenPage) -> None:
    ada = await open_page()
    await ask(ada, scenario="tools", pace="0")
    await ends(ada, "ended")
    count = await rows(ada)
    await open_dialog(ada, "system text", "tools")
    await ada.get_by_label("Leave out these texts, too").fill("Brest")
    address = await ada.get_by_role("link", name="Preview").get_attribute("href") or ""
    link = await press_make(ada)

    seen = []
    for path in (address, link):
        page = await open_page(path)
        await ends(page, "ended")
        await has_rows(page, count)
        await expect(page.locator(".shared-missing")).to_have_text("Left out: system text, tools, marked texts")
        await wire(page).focus()
        await page.keyboard.press("Home")
        await page.keyboard.press("Enter")
        detail = page.locator("row-detail")
        await expect(detail).to_contain_text('"instructions":"********')
        shown = [await said(page).inner_text(), await detail.inner_text()]
        await page.get_by_role("tab", name="Lens").click()
        await expect(page.locator("lens-pane")).to_contain_text("Nothing was lost", timeout=SOON)
        assert SECRET not in await page.content()
        assert "Brest" not in "".join(shown)
        assert ada.url.rstrip("/").rpartition("/")[2] not in (await page.content() if path == link else "")
        seen.append(shown)
    assert seen[0] == seen[1]
    preview = await open_page(address)
    await expect(preview.locator(".share-preview")).to_contain_text("Nothing is shared yet.")


async def test_an_expired_link_says_so(open_page: OpenPage, daphne: Daphne) -> None:
    ada = await open_page()
    await ask(ada, pace="0")
    await ends(ada, "ended")
    path = await make_link(ada)
    with closing(sqlite3.connect(daphne.log.parent / "db.sqlite3", timeout=20)) as tables, tables:
        tables.execute("UPDATE recordings_share SET expires = '2020-01-01 00:00:00'")
    bob = await open_page(path, complaints_expected=True)
    await expect(bob.get_by_role("heading")).to_have_text("This link has expired.")
    await ada.keyboard.press("Escape")
    await ada.get_by_role("button", name="share", exact=True).click()
    await expect(ada.locator(".share-link")).to_contain_text("expired")


async def test_the_dialog_says_that_the_link_works_on_this_machine_alone(open_page: OpenPage) -> None:
    ada = await open_page(complaints_expected=True)
    await ask(ada, pace="0")
    await ends(ada, "ended")
    await open_dialog(ada)
    await expect(ada.get_by_role("dialog")).to_contain_text("This playground is reached from this machine alone")
    await ada.get_by_label("Leave out these texts, too").fill("ab")
    await ada.get_by_role("button", name="Make link").click()
    await expect(ada.get_by_role("dialog").get_by_role("alert")).to_contain_text("at least 3 characters")


@pytest.mark.axe
@pytest.mark.parametrize("way", WAYS)
async def test_axe_finds_nothing_in_the_dialog_and_on_the_page_of_a_link(open_page: OpenPage, way: str) -> None:
    ada = await open_page(**WAYS[way])
    await choose(ada, format="Responses", scenario="reasoning", pace="0")
    await run(ada)
    await ends(ada, "ended")
    path = await make_link(ada, "tools")
    await expect(ada.locator(".share-link")).to_be_visible()
    assert await violations(ada) == []
    bob = await open_page(path, **WAYS[way])
    await ends(bob, "ended")
    assert await violations(bob) == []
    assert await bob.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
