"""Ada sees her stream as another format, what that cost, and the request that it answers."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, lane, run
from tests.browser.test_access import violations

pytestmark = pytest.mark.browser


async def test_ada_sees_her_stream_as_the_other_formats_and_saves_one(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="web-search", pace="0")
    await run(page)
    await ends(page, "ended")
    await page.get_by_role("tab", name="Lens").click()
    events = page.get_by_role("treegrid", name="Events as Messages")
    await expect(events).to_contain_text("message_start", timeout=SOON)
    told = page.locator("lens-pane .lens-told")
    await expect(told).to_contain_text(re.compile(r"^\d+ events\. \d thing"))
    await expect(told.locator("dt")).to_contain_text(["usage"])
    await events.focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    await expect(page.locator("lens-pane row-detail")).to_contain_text("event: message_start", timeout=SOON)
    await expect(page.locator("stream-lane > .lane-panes > wire-pane .wire-row.current")).to_be_visible()
    assert await violations(page) == []
    await lane(page).get_by_role("button", name="Responses", exact=True).click()
    await expect(page.get_by_role("treegrid", name="Events as Responses")).to_contain_text("created", timeout=SOON)
    async with page.expect_download() as saved:
        await page.get_by_role("link", name="save", exact=True).click()
    assert (await saved.value).suggested_filename.endswith("-0-as-responses.sse")


async def test_a_lane_that_streams_is_read_to_its_end_once_it_has_one(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="text", pace="60")
    await run(page)
    await page.get_by_role("tab", name="Lens").click()
    await ends(page, "ended")
    await expect(page.locator("lens-pane .lens-sum")).to_have_text(
        re.compile(r"^\d+ events\. Nothing was lost\.$"), timeout=SOON
    )
    await expect(page.get_by_role("treegrid", name="Events as Chat")).to_have_attribute(
        "aria-rowcount", re.compile(r"^\d{2,}$")
    )


async def test_the_request_is_shown_masked_and_as_a_program(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="text", pace="0")
    await run(page)
    await ends(page, "ended")
    await page.get_by_role("tab", name="Request").click()
    request = page.get_by_role("group", name="Request", exact=True)
    await expect(request).to_contain_text("POST")
    await expect(request).to_contain_text("/v1/messages")
    await expect(request).to_contain_text("anthropic-version")
    await expect(request.locator(".tree")).to_contain_text("max_tokens")
    await request.get_by_role("button", name="text", exact=True).click()
    await expect(request.locator(".request-text")).to_contain_text('"max_tokens"')
    assert await violations(page) == []
    await page.get_by_role("button", name="as a program").click()
    await expect(page.get_by_role("region", name="Program")).to_contain_text("curl")
