"""The page for everyone: axe finds nothing, the keyboard alone is enough, 360 px are wide enough."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, run, word
from tests.support.available import AXE

pytestmark = pytest.mark.browser

WAYS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"color_scheme": "light", "viewport": {"width": 360, "height": 740}},
}


async def violations(page: Page) -> list[str]:
    """What axe finds, a line each. It is injected past the page's own policy, which forbids it like any stranger."""
    await page.evaluate(AXE.read_text() + "; 0")
    found = await page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.axe
@pytest.mark.parametrize("way", WAYS)
async def test_axe_finds_nothing_before_and_after_a_run(open_page: OpenPage, way: str) -> None:
    page = await open_page(**WAYS[way])
    assert await violations(page) == []
    await choose(page, format="All three", scenario="reasoning", pace="0")
    await run(page)
    await ends(page, "ended")
    assert await violations(page) == []


async def test_the_page_needs_no_mouse(open_page: OpenPage) -> None:
    page = await open_page()
    await page.get_by_role("radio", name="Messages", exact=True).focus()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_role("radio", name="Chat", exact=True)).to_be_checked()
    await page.get_by_label("User").focus()
    await page.keyboard.type(" Tell me about gaps.")
    await page.keyboard.press("Control+Enter")
    await ends(page, "ended")
    await page.get_by_label("User").blur()
    await page.keyboard.press("/")
    await expect(page.get_by_role("searchbox", name="Filter rows by text, event name or finding")).to_be_focused()
    await page.keyboard.type("finish")
    await page.keyboard.press("Escape")
    await page.get_by_role("treegrid").focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    await expect(page.locator("row-detail")).to_be_visible()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("width", [360, 390, 768])
async def test_nothing_scrolls_sideways_on_a_narrow_screen(open_page: OpenPage, width: int) -> None:
    page = await open_page(viewport={"width": width, "height": 740})
    await choose(page, format="All three", scenario="tools", pace="0")
    await run(page)
    await expect(word(page)).to_have_text("ended", timeout=SOON)
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def test_on_a_telephone_a_kept_session_opens_with_what_was_said(open_page: OpenPage) -> None:
    page = await open_page(viewport={"width": 390, "height": 844})
    await choose(page, scenario="tools", pace="0")
    await run(page)
    await ends(page, "ended")
    await page.reload()
    await ends(page, "ended")
    await expect(page.locator("said-pane").first).to_be_in_viewport()
    await expect(page.locator("stream-composer").get_by_label("Model", exact=True)).to_be_hidden()
