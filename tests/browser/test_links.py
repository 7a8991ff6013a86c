"""Two-way links between Said and Wire, and what events and fields are for: by pointer, by selection, by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, has_rows, lane, run, said, wire, word

pytestmark = pytest.mark.browser

MIDDLE_OF = """(pane, word) => {
  const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + word.length);
    const box = range.getBoundingClientRect();
    if (box.width > 0) return [box.x + box.width / 2, box.y + box.height / 2];
  }
  throw new Error(`${word} is not on the page`);
}"""
LIT_TEXT = "() => [...CSS.highlights.get('lit')].map((range) => range.toString())"


async def point_at(page: Page, text: str) -> tuple[float, float]:
    x, y = await said(page).evaluate(MIDDLE_OF, text)
    await page.mouse.move(x, y)
    return x, y


def lit_rows(page: Page) -> Locator:
    return wire(page).locator(".wire-row.lit")


def lit_count(page: Page) -> Locator:
    return lane(page).locator(".lit-count")


async def lights(page: Page, wanted: str) -> None:
    """Wait until just this text of Said is lit."""
    texts: list[str] = []
    for _ in range(300):
        texts = await page.evaluate(LIT_TEXT)
        if "".join(texts) == wanted:
            return
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError(f"{texts} is lit, not {wanted}")


async def ran(open_page: OpenPage, format: str, scenario: str) -> Page:
    page = await open_page()
    await choose(page, format=format, scenario=scenario, pace="0")
    await run(page)
    await ends(page, "ended")
    await expect(said(page).locator(".usage-figure").first).to_be_visible(timeout=SOON)
    return page


async def test_ada_points_at_a_word_and_its_rows_light(open_page: OpenPage) -> None:
    page = await ran(open_page, "Responses", "tools")
    await page.mouse.click(*await point_at(page, "questions"))
    await expect(lit_rows(page)).to_have_count(2)
    await expect(lit_rows(page).first).to_contain_text("questi")
    await expect(lit_count(page)).to_contain_text("2 rows")
    await lights(page, "questions")
    await page.mouse.move(5, 5)
    await expect(lit_rows(page)).to_have_count(2)
    await page.keyboard.press("n")
    await expect(wire(page).locator(".wire-row.current.lit")).to_contain_text("ons")
    await page.keyboard.press("Escape")
    await expect(lit_rows(page)).to_have_count(0)
    await point_at(page, "Brest")
    await expect(lit_count(page)).to_contain_text("1 row")
    await page.mouse.move(5, 5)
    await expect(lit_count(page)).to_be_hidden()


async def test_ada_selects_a_sentence_and_points_at_a_figure(open_page: OpenPage) -> None:
    page = await ran(open_page, "Messages", "text")
    paragraph = said(page).locator(".said-text div").first
    await paragraph.select_text()
    await expect(lit_count(page)).to_contain_text(re.compile(r"\d+ rows"))
    await page.evaluate("() => getSelection().removeAllRanges()")
    await said(page).locator(".usage-figure", has_text="output").click()
    await expect(lit_rows(page)).to_contain_text("message_delta")
    await lane(page).locator(".head-figure", has_text="finish").hover()
    await expect(lit_count(page)).to_have_text("1 row")


async def test_grace_chooses_a_row_and_what_it_brought_comes_into_sight(open_page: OpenPage) -> None:
    page = await ran(open_page, "Messages", "long")
    await wire(page).focus()
    await page.keyboard.press("Home")
    for _ in range(5):
        await page.keyboard.press("j")
    current = wire(page).locator(".wire-row.current[aria-rowindex='7'] .wire-said")
    brought = (await current.inner_text()).strip("“”")
    await lights(page, brought)
    await expect(said(page).locator(".said-scroller")).to_have_js_property("scrollTop", 0)
    await page.keyboard.press("End")
    await page.keyboard.press("k")
    await expect(said(page).locator(".usage-figure.lit").first).to_be_in_viewport()


async def test_grace_needs_no_mouse_for_either_way(open_page: OpenPage) -> None:
    page = await ran(open_page, "Chat", "tools")
    await said(page).locator(".said-scroller").focus()
    await page.keyboard.press("Tab")
    await expect(said(page).locator(".part-label").first).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await lights(page, "Brest")
    await page.keyboard.press("Enter")
    await expect(lit_rows(page)).to_have_count(1)
    await page.keyboard.press("Escape")
    await expect(lit_rows(page)).to_have_count(0)
    await expect(word(page)).to_have_text("ended")


async def test_grace_reads_what_an_event_and_its_fields_are_for(open_page: OpenPage) -> None:
    page = await ran(open_page, "Messages", "text")
    line = lane(page).locator(".wire-explain")
    await expect(line).to_contain_text("Point at an event")
    await wire(page).focus()
    await page.keyboard.press("Home")
    await expect(line).to_contain_text("message_start Begins the message")
    current = wire(page).locator(".wire-row.current")
    await expect(current).to_have_attribute("aria-describedby", await line.get_attribute("id") or "")
    await page.keyboard.press("Enter")
    first = page.locator("row-detail [data-path]").first
    await expect(first).to_be_visible()
    await first.focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await expect(line).to_contain_text("message.id")
    await expect(line).to_contain_text("Names the message")
    await page.locator("row-detail [data-path='message.model']").hover()
    await expect(line).to_contain_text("The model that answers")


async def test_pointing_is_quick_in_a_flood(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="flood")
    await run(page)
    await expect(word(page)).to_have_text("ended", timeout=90_000)
    await has_rows(page, int(await wire(page).get_attribute("aria-rowcount") or 0) - 1)
    text = said(page).locator(".said-text")
    box = await text.bounding_box()
    view = await said(page).locator(".said-scroller").bounding_box()
    assert box is not None
    assert view is not None
    middle = (view["x"] + view["width"] / 2, view["y"] + view["height"] / 2)
    await page.mouse.move(*middle)
    await expect(lit_count(page)).to_contain_text("row")
    cost = await text.evaluate(
        """(text, [x, y]) => {
          const began = performance.now();
          for (let turn = 0; turn < 100; turn++) {
            const place = {clientX: x - 100 + 2 * turn, clientY: y, bubbles: true, pointerType: "mouse"};
            document.elementFromPoint(place.clientX, y).dispatchEvent(new PointerEvent("pointermove", place));
          }
          return (performance.now() - began) / 100;
        }""",
        list(middle),
    )
    assert cost < 4, f"{cost:.2f} ms a move"
