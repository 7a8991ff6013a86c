"""Stories on the Play page: one or two people, a real daphne, the built-in gateway or an upstream that misbehaves."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable

import pytest
from playwright.async_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, has_rows, lane, rows, run, said, wire, word
from tests.support.daphne import Daphne

pytestmark = pytest.mark.browser


def closed_port() -> int:
    """A port of this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


async def test_ada_watches_all_three_formats_to_their_end(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="All three", scenario="tools", pace="0")
    await run(page)
    await ends(page, "ended", "ended", "ended")
    for number in (1, 2, 3):
        await expect(said(page, number)).to_contain_text("tide_table")
        await expect(said(page, number)).to_contain_text("wind_at")
        await expect(said(page, number)).to_contain_text('"Brest"')
    await expect(wire(page, 1)).to_contain_text("[DONE]")
    await expect(wire(page, 2)).to_contain_text("message_stop")
    await expect(wire(page, 3)).to_contain_text("response.completed")
    await expect(page).to_have_url(re.compile(r"/sessions/[\w-]+/$"))


async def test_ada_sees_an_error_in_the_middle_beside_what_came_before(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="error-mid", pace="0")
    await run(page)
    await ends(page, "failed")
    labels = await said(page).locator(".part-label").all_inner_texts()
    assert "text" in labels, "what was said before the error is gone"
    assert labels.index("error") > labels.index("text")
    await expect(wire(page)).to_contain_text("error")


async def test_ada_closes_her_tab_and_finds_everything_when_she_comes_back(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="text", pace="100")
    await run(page)
    await expect(word(page)).to_have_text("streaming", timeout=SOON)
    address = page.url
    await page.close()
    page = await open_page(address)
    await ends(page, "ended")
    sent = await page.request.get(f"{address}lanes/0/bytes?from=0&to=10000000")
    events = (await sent.text()).count("data: ")
    assert events > 10
    await has_rows(page, events)
    await expect(said(page)).to_contain_text("stream")


async def test_two_tabs_on_one_session_show_the_same(open_page: OpenPage) -> None:
    ada = await open_page()
    await choose(ada, format="Responses", scenario="reasoning", pace="80")
    await run(ada)
    await expect(word(ada)).to_have_text("streaming", timeout=SOON)
    grace = await open_page(ada.url)
    await ends(ada, "ended")
    await ends(grace, "ended")
    await has_rows(grace, await rows(ada))
    await expect(said(grace)).to_have_text(await said(ada).text_content() or "")
    await expect(grace.get_by_role("textbox", name="Body, JSON")).to_have_value(re.compile("gpt-5.2:reasoning"))


async def test_escape_stops_a_stream_and_keeps_what_came(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="long", pace="50")
    await run(page)
    await expect(wire(page)).to_contain_text("delta content", timeout=SOON)
    await page.keyboard.press("Escape")
    await ends(page, "stopped")
    await expect(page.get_by_role("button", name="Stop")).to_be_disabled()
    before = await rows(page)
    assert before > 0
    await page.reload()
    await ends(page, "stopped")
    await has_rows(page, before)


async def test_a_bad_address_is_answered_at_its_field(open_page: OpenPage) -> None:
    page = await open_page(complaints_expected=True)
    await page.get_by_label("Target").select_option("custom")
    await page.get_by_label("Base URL").fill("ftp://example.com/v1")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#base-url-problem")).to_contain_text("http", timeout=SOON)
    await page.get_by_label("Base URL").fill(f"http://127.0.0.1:{closed_port()}/v1")
    await page.keyboard.press("Control+Enter")
    await ends(page, "refused")
    await expect(lane(page).locator(".head-detail")).not_to_be_empty()


async def test_the_key_never_comes_back(open_page: OpenPage, daphne: Daphne) -> None:
    page = await open_page()
    key = "sk-test-ada-8842-never-shown"
    await page.get_by_label("Target").select_option("custom")
    await page.get_by_label("Base URL").fill(f"{daphne.url}/v1")
    await page.locator("#key").fill(key)
    await page.locator("#model").fill("claude-sonnet-5:text")
    await page.keyboard.press("Control+Enter")
    await ends(page, "ended")
    assert key not in await page.content()
    await page.reload()
    await ends(page, "ended")
    assert key not in await page.content()
    assert await page.locator("#key").input_value() == ""


async def test_a_hundred_thousand_events_arrive_and_can_be_walked(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="flood")
    await run(page)
    await expect(word(page)).to_have_text("ended", timeout=90_000)
    await expect(wire(page)).to_have_attribute("aria-rowcount", re.compile(r"^1000\d\d$"), timeout=90_000)
    await expect(wire(page)).to_contain_text("[DONE]", timeout=SOON)
    drawn = await wire(page).get_by_role("row").count()
    assert drawn < 200, f"{drawn} rows are in the document: only those in sight should be"
    await wire(page).focus()
    await page.keyboard.press("Home")
    await expect(wire(page).locator("[aria-rowindex='2']")).to_be_visible(timeout=SOON)


async def test_a_row_opens_to_its_json_and_its_exact_bytes(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="text", pace="0")
    await run(page)
    await ends(page, "ended")
    await wire(page).focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    detail = page.locator("row-detail")
    await expect(detail).to_contain_text("content_block_start")
    await expect(detail).to_contain_text("bytes")
    await expect(detail).to_contain_text("event: content_block_start", timeout=SOON)


async def test_a_server_that_comes_back_has_the_session(
    open_page: OpenPage, start_daphne: Callable[..., Daphne]
) -> None:
    first = start_daphne()
    page = await open_page(server=first)
    await choose(page, format="Chat", scenario="tools", pace="0")
    await run(page)
    await ends(page, "ended")
    text, path = await said(page).text_content() or "", page.url.removeprefix(first.url)
    await page.close()
    first.stop()
    page = await open_page(path, server=start_daphne())
    await ends(page, "ended")
    await expect(said(page)).to_have_text(text)
