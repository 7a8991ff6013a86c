"""What is wrong with a stream and when it came: a person follows findings to rows, reads figures, looks up a rule."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, has_rows, lane, rows, run, wire, word
from tests.browser.test_access import WAYS, violations

pytestmark = pytest.mark.browser


async def tab(page: Page, name: str) -> None:
    await lane(page).get_by_role("tab", name=name).click()


async def test_ada_sees_an_error_while_it_streams_and_follows_it_to_its_row(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="bad-json", pace="25")
    await run(page)
    mark = lane(page).locator(".head-findings")
    await expect(mark).to_have_text("▲ 1 error", timeout=SOON)
    await expect(word(page)).to_have_text("streaming")
    await mark.click()
    findings = lane(page).locator("findings-pane")
    await expect(findings.get_by_role("link", name="invalid-json")).to_have_attribute("href", "/rules/#invalid-json")
    await expect(findings).to_contain_text("The data of an event is no JSON.")
    await expect(findings).to_contain_text("They raise a JSON error and stop reading")
    await ends(page, "ended")

    await page.keyboard.press("]")
    current = wire(page).locator(".wire-row.current")
    await expect(current).to_contain_text("error: invalid-json")
    await expect(page).to_have_url(re.compile(r"#row=\d+$"))
    await page.keyboard.press("]")
    await expect(page.locator(".stage-notice")).to_contain_text("There is no finding behind row")
    await wire(page).focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("row-detail")).to_contain_text("The data of an event is no JSON.")

    await findings.get_by_role("button", name="Filter Wire by invalid-json").click()
    await has_rows(page, 1)
    field = page.get_by_role("searchbox", name="Filter rows by text, event name or finding")
    await field.fill("finding")
    await has_rows(page, 1)


async def test_a_stream_without_a_fault_says_so_and_so_does_one_that_ada_stopped(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="text", pace="400")
    await run(page)
    await ends(page, "ended")
    await tab(page, "Findings")
    pane = lane(page).locator("findings-pane")
    await expect(pane).to_contain_text(
        re.compile(r"Nothing is wrong with this stream: 130 rules looked at its \d+ rows")
    )
    await choose(page, scenario="long", pace="50")
    await run(page)
    await expect(word(page)).to_have_text("streaming", timeout=SOON)
    await page.keyboard.press("Escape")
    await ends(page, "stopped")
    await tab(page, "Findings")
    await expect(pane).to_contain_text("no fault where a person stopped")


async def test_ada_reads_when_things_came_and_takes_the_times_home(open_page: OpenPage, tmp_path: Path) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="reasoning", pace="200")
    await run(page)
    await ends(page, "ended")
    await tab(page, "Latency")
    pane = lane(page).locator("latency-pane")
    first = pane.locator(".latency-figures > div", has=page.get_by_text("first token", exact=True))
    head = lane(page).locator(".head-figure", has_text="first token").locator("b")
    await expect(first.locator(".latency-value")).to_have_text(await head.text_content() or "")
    await expect(first).to_contain_text("gen_ai.server.time_to_first_token")
    await expect(pane.get_by_role("img", name=re.compile(r"^Events over time: half of them by"))).to_be_visible()
    gaps = pane.get_by_role("table", name="How many gaps there are, by length")
    await expect(gaps.get_by_role("row").first).to_be_visible()
    async with page.expect_download() as download:
        await lane(page).get_by_role("button", name="download CSV").click()
    file = tmp_path / "times.csv"
    await (await download.value).save_as(file)
    lines = file.read_text().splitlines()
    assert lines[0] == "row,time_us,gap_us,read,bytes,name"
    assert len(lines) == 1 + await rows(page)


@pytest.mark.parametrize("width", [360, 390])
async def test_findings_wire_and_latency_are_tabs_on_a_narrow_screen(open_page: OpenPage, width: int) -> None:
    page = await open_page(viewport={"width": width, "height": 740})
    await choose(page, format="Chat", scenario="odd-tools", pace="0")
    await run(page)
    await ends(page, "ended")
    await lane(page).locator(".head-findings").click()
    await expect(lane(page).locator("findings-pane")).to_contain_text("tool-index-missing")
    for name in ("Latency", "Wire", "Said"):
        await tab(page, name)
        await expect(lane(page).get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await expect(wire(page)).to_be_hidden()


async def test_ada_looks_a_rule_up(open_page: OpenPage) -> None:
    page = await open_page("/rules/#stall")
    await expect(page.get_by_role("link", name="Rules")).to_have_attribute("aria-current", "page")
    await expect(page.get_by_role("status")).to_have_text("130 rules")
    await expect(page.locator("#stall")).to_be_in_viewport()
    await page.get_by_role("searchbox", name="Search the rules").fill("error json")
    await expect(page.locator("#invalid-json")).to_be_visible()
    await expect(page.locator("#stall")).to_be_hidden()
    await page.get_by_role("searchbox", name="Search the rules").fill("no such words here")
    await expect(page.get_by_role("status")).to_have_text("No rule has these words.")


@pytest.mark.axe
@pytest.mark.parametrize("way", WAYS)
async def test_axe_finds_nothing_in_findings_latency_and_rules(open_page: OpenPage, way: str) -> None:
    ways: dict[str, Any] = WAYS[way]
    page = await open_page(**ways)
    await choose(page, format="Chat", scenario="odd-tools", pace="100")
    await run(page)
    await ends(page, "ended")
    for name in ("Findings", "Latency"):
        await tab(page, name)
        assert await violations(page) == []
    await page.keyboard.press("]")
    await tab(page, "Findings")
    assert await violations(page) == []
    rules = await open_page("/rules/", **ways)
    assert await violations(rules) == []
    assert await rules.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
