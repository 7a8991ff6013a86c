"""Ada reads the timeline: by pointer, by keys, as a table; what she chooses is marked in Wire."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, run, wire

pytestmark = pytest.mark.browser


async def tools_over_time(page: Page) -> None:
    await choose(page, format="Messages", scenario="tools", pace="200")
    await run(page)
    await ends(page, "ended")


async def test_ada_chooses_a_span_with_keys_and_sees_its_figures_and_its_rows(open_page: OpenPage) -> None:
    page = await open_page()
    await tools_over_time(page)
    place = page.get_by_role("slider", name="Place on the timeline")
    await place.focus()
    await page.keyboard.press("Home")
    await expect(place).to_have_attribute("aria-valuetext", re.compile(r"^row \d+ · \w+ · \d\.\d{3} s$"))
    await page.keyboard.press("Shift+End")
    figures = page.locator(".time-figures")
    await expect(figures).to_contain_text(re.compile(r"\d+ events in \d+ reads"))
    await expect(figures).to_contain_text("longest gap")
    chosen = wire(page).locator(".wire-row.chosen")
    await expect(chosen.first).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(figures).to_be_empty()
    await expect(chosen).to_have_count(0)


async def test_ada_drags_over_the_plot_and_reads_what_is_under_the_pointer(open_page: OpenPage) -> None:
    page = await open_page()
    await tools_over_time(page)
    plot = page.locator(".time-plot")
    box = await plot.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 2, box["y"] + 8)
    await page.mouse.down()
    await page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 8, steps=4)
    await page.mouse.up()
    await expect(page.locator(".time-figures")).to_contain_text("events in")
    await page.get_by_role("button", name="clear").click()
    await expect(page.locator(".time-figures")).to_be_empty()
    await page.mouse.move(box["x"] + box["width"] - 3, box["y"] + 56)
    await expect(page.locator(".time-tip")).to_contain_text(re.compile(r"row \d+ · message_delta"), timeout=SOON)


async def test_the_table_says_the_same_and_a_fold_is_remembered(open_page: OpenPage) -> None:
    page = await open_page()
    await tools_over_time(page)
    await page.get_by_role("button", name="table").click()
    table = page.get_by_role("table", name="Events over time, by kind")
    await expect(table.get_by_role("columnheader", name="reasoning")).to_be_visible()
    await page.get_by_role("button", name="Timeline", exact=True).click()
    await expect(table).to_be_hidden()
    await page.reload()
    await ends(page, "ended")
    await expect(page.get_by_role("button", name="Timeline", exact=True)).to_have_attribute("aria-expanded", "false")
