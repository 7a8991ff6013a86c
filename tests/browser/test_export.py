"""Ada runs, exports the page and opens the file from disk: without a network it shows the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from playground.recordings.exporting import KINDS
from tests.browser.conftest import SECONDS, OpenPage
from tests.browser.people import choose, ends, lane, rows, run, said, wire
from tests.browser.test_access import violations

pytestmark = pytest.mark.browser


async def exported(page: Page, kind: str, folder: Path) -> Path:
    """The file that the door gives."""
    answer = await page.request.get(f"{page.url}export/{kind}")
    assert answer.ok, await answer.text()
    path = folder / f"session.{kind}"
    path.write_bytes(await answer.body())
    return path


async def open_file(browser: Browser, path: Path, asked: list[str], **ways: Any) -> Page:
    """A new person without a network. `asked`: what went wrong, and what the page asked of a network."""
    context = await browser.new_context(offline=True, viewport={"width": 1440, "height": 900}, **ways)
    context.set_default_timeout(SECONDS * 1000)
    page = await context.new_page()
    page.on("pageerror", lambda error: asked.append(str(error)))
    page.on("console", lambda message: asked.append(message.text))
    page.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    await page.goto(path.as_uri())
    return page


async def test_the_exported_page_shows_from_disk_what_the_session_showed(
    browser: Browser, open_page: OpenPage, tmp_path: Path
) -> None:
    ada = await open_page()
    await choose(ada, format="All three", scenario="tools")
    await run(ada)
    await ends(ada, "ended", "ended", "ended")
    asked: list[str] = []
    grace = await open_file(browser, await exported(ada, "html", tmp_path), asked)
    await ends(grace, "ended", "ended", "ended")
    for number in (1, 2, 3):
        assert await rows(grace, number) == await rows(ada, number)
        await expect(said(grace, number).locator(".said-parts")).to_have_text(
            await said(ada, number).locator(".said-parts").text_content() or ""
        )
        head = lane(ada, number).locator("lane-head .head-names")
        await expect(lane(grace, number).locator("lane-head .head-names")).to_have_text(await head.text_content() or "")
    assert asked == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_file_tells_of_findings_and_axe_finds_nothing(
    browser: Browser, open_page: OpenPage, tmp_path: Path, scheme: str
) -> None:
    ada = await open_page()
    await choose(ada, format="Messages", scenario="cut")
    await run(ada)
    await ends(ada, "cut")
    asked: list[str] = []
    grace = await open_file(browser, await exported(ada, "html", tmp_path), asked, color_scheme=scheme)
    await ends(grace, "cut")
    assert await violations(grace) == []
    for page in (ada, grace):
        await lane(page).get_by_role("tab", name="Findings").click()
    await expect(lane(ada).locator("findings-pane")).to_contain_text("missing-message-stop")
    await expect(lane(grace).locator("findings-pane")).to_have_text(
        await lane(ada).locator("findings-pane").text_content() or ""
    )
    assert await violations(grace) == []
    assert asked == []


async def test_the_bytes_of_a_row_are_in_the_file(browser: Browser, open_page: OpenPage, tmp_path: Path) -> None:
    ada = await open_page()
    await choose(ada, format="Messages", scenario="unicode")
    await run(ada)
    await ends(ada, "ended")
    asked: list[str] = []
    grace = await open_file(browser, await exported(ada, "html", tmp_path), asked)
    await ends(grace, "ended")
    texts = []
    for page in (ada, grace):
        await wire(page).focus()
        for key in ("Home", "ArrowDown", "Enter"):
            await page.keyboard.press(key)
        dump = lane(page).locator(".detail-bytes")
        await expect(dump).not_to_be_empty()
        texts.append((await dump.text_content(), await lane(page).locator(".detail-where").text_content()))
        texts[-1] += (await lane(page).locator(".wire-explain").text_content(),)
    assert texts[0] == texts[1]
    assert "Brings the next piece of an open block" in str(texts[0]) or "Opens a block" in str(texts[0])
    assert asked == []


async def test_the_menu_of_the_session_is_worked_with_keys(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="All three", scenario="text")
    await run(page)
    await ends(page, "ended", "ended", "ended")
    button = page.get_by_role("button", name="export", exact=True)
    await button.focus()
    await page.keyboard.press("Enter")
    files = page.get_by_role("group", name="Export this session as").get_by_role("link")
    await expect(files).to_have_count(len(KINDS))
    await expect(files.first).to_be_focused()
    assert await violations(page) == []
    await page.keyboard.press("Escape")
    await expect(button).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("End")
    await expect(files.last).to_be_focused()
    async with page.expect_download() as download:
        await page.keyboard.press("Enter")
    assert (await download.value).suggested_filename.endswith(".case.zip")
    await expect(files.first).to_be_hidden()
