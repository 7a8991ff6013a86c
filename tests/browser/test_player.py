"""Stories with the player: a kept stream shows again what it showed live, at every moment of it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, has_rows, lane, rows, run, said, wire, word

pytestmark = pytest.mark.browser


def player(page: Page) -> Locator:
    return page.get_by_role("group", name="Player")


def moment(page: Page) -> Locator:
    return page.get_by_role("slider", name="Moment")


IN_SIGHT = """grid => {
  const box = grid.getBoundingClientRect();
  const seen = [...grid.querySelectorAll(".wire-row")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top < box.bottom && bottom > box.top;
  });
  const place = (row) => Number(row.getAttribute("aria-rowindex"));
  return seen.sort((one, other) => place(one) - place(other)).map((row) => row.innerText).slice(-8);
}"""


async def shown(page: Page, lanes: int = 1) -> list[list[str]]:
    """What the panes show, lane by lane: the head, Said, and the last rows of Wire in sight."""
    found = []
    for number in range(1, lanes + 1):
        head = await lane(page, number).locator("lane-head").inner_text()
        words = await said(page, number).inner_text()
        found.append([head, words, *await wire(page, number).evaluate(IN_SIGHT)])
    return found


async def shows(page: Page, wanted: list[list[str]]) -> None:
    """Wait until the panes show this, and say what differs when they do not."""
    for _ in range(200):
        if await shown(page, len(wanted)) == wanted:
            return
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    for lane_shown, lane_wanted in zip(await shown(page, len(wanted)), wanted, strict=True):
        assert lane_shown == lane_wanted


async def kept(page: Page, scenario: str, format: str = "Messages", pace: str = "100") -> None:
    """Run a stream to its end."""
    await choose(page, format=format, scenario=scenario, pace=pace)
    await run(page)
    await ends(page, *(["ended"] * (3 if format == "All three" else 1)))
    await expect(player(page)).to_be_visible()
    await expect(lane(page).locator(".head-cost")).to_be_visible(timeout=SOON)


async def test_what_was_live_is_there_again_at_the_end_of_a_replay(open_page: OpenPage) -> None:
    page = await open_page()
    await kept(page, "tools", "All three", pace="60")
    live = await shown(page, 3)
    address = page.url
    await page.close()
    page = await open_page(address)
    await ends(page, "ended", "ended", "ended")
    for number in (1, 2, 3):
        await expect(lane(page, number).locator(".head-cost")).to_be_visible(timeout=SOON)
    await shows(page, live)
    speed = player(page).get_by_label("Speed")
    await speed.select_option("0.25×")
    await player(page).get_by_role("button", name="Play").click()
    await expect(player(page).get_by_role("button", name="Pause")).to_be_visible()
    await speed.select_option("16×")
    await expect(player(page).get_by_role("button", name="Play")).to_be_visible(timeout=SOON)
    await shows(page, live)


async def test_ada_scrubs_back_and_forward_and_each_moment_is_the_same_again(open_page: OpenPage) -> None:
    page = await open_page()
    await kept(page, "tools")
    end = await shown(page)
    total = await rows(page)
    await moment(page).focus()
    await page.keyboard.press("Home")
    await has_rows(page, 0)
    await expect(word(page)).to_have_text("waiting")
    await expect(said(page)).to_contain_text("on its way")
    for _ in range(3):
        await page.keyboard.press("PageUp")
    await expect(wire(page)).not_to_have_attribute("aria-rowcount", "1")
    begun = await rows(page)
    seen = []
    for count in range(begun + 1, begun + 7):
        await page.keyboard.press("ArrowRight")
        await has_rows(page, count)
        seen.append((count, await shown(page)))
    for count, before in reversed(seen[:-1]):
        await page.keyboard.press("ArrowLeft")
        await has_rows(page, count)
        await shows(page, before)
    await expect(word(page)).to_have_text("streaming")
    await page.keyboard.press("End")
    await has_rows(page, total)
    await ends(page, "ended")
    await shows(page, end)


async def test_a_stream_can_be_held_still_while_it_comes(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Chat", scenario="long", pace="80")
    await run(page)
    await expect(player(page)).to_be_visible(timeout=SOON)
    live = player(page).get_by_role("button", name="live")
    await expect(live).to_have_attribute("aria-pressed", "true")
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("Space")
    await expect(live).to_have_attribute("aria-pressed", "false")
    held = await rows(page)
    text = await said(page).text_content()
    await expect(moment(page)).not_to_have_attribute(
        "aria-valuemax", str(await moment(page).get_attribute("aria-valuenow"))
    )
    assert (await rows(page), await said(page).text_content()) == (held, text)
    await live.click()
    await expect(live).to_have_attribute("aria-pressed", "true")
    await expect(wire(page)).not_to_have_attribute("aria-rowcount", str(held + 1))
    await page.keyboard.press("Escape")
    await ends(page, "stopped")


async def test_an_address_names_a_row_and_opens_at_it(open_page: OpenPage) -> None:
    page = await open_page()
    await kept(page, "tools")
    address = page.url
    page = await open_page(f"{address}#row=14")
    await has_rows(page, 14)
    await expect(word(page)).to_have_text("streaming")
    await expect(wire(page).locator(".wire-row.current .wire-number")).to_have_text("14")
    await wire(page).focus()
    await page.keyboard.press("ArrowUp")
    await expect(page).to_have_url(re.compile(r"#row=13$"))
    await page.evaluate("location.hash = '#row=9'")
    await has_rows(page, 9)
    page = await open_page(f"{address}#row=9000")
    await expect(page.locator(".stage-notice")).to_contain_text("There is no row 9000", timeout=SOON)


async def test_a_row_that_the_filter_hides_comes_in_sight_and_so_do_all_its_bytes(open_page: OpenPage) -> None:
    page = await open_page()
    await kept(page, "long", pace="0")
    filter = page.get_by_label("Filter rows by text, event name or finding")
    await page.locator("wire-pane").get_by_role("switch", name="follow").click()
    await filter.fill("message_stop")
    await expect(wire(page)).to_have_attribute("aria-rowcount", "2")
    await page.evaluate("location.hash = '#row=120'")
    current = wire(page).locator(".wire-row.current")
    await expect(current.locator(".wire-number")).to_have_text("120")
    await expect(current).to_be_in_viewport(ratio=0.9)
    await expect(filter).to_have_value("")
    await wire(page).focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".wire-detail")).to_be_in_viewport(ratio=0.99)


async def test_the_player_needs_no_mouse(open_page: OpenPage) -> None:
    page = await open_page()
    await kept(page, "text", "Chat")
    total = await rows(page)
    await page.get_by_label("User").focus()
    await page.keyboard.press("Home")
    await has_rows(page, total)
    await page.get_by_label("User").blur()
    await page.keyboard.press("Home")
    await has_rows(page, 0)
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await has_rows(page, 2)
    await page.keyboard.press("ArrowLeft")
    await has_rows(page, 1)
    await page.keyboard.press("Space")
    await ends(page, "ended")
    await has_rows(page, total)


async def test_a_marker_stays_with_its_row(open_page: OpenPage) -> None:
    page = await open_page()
    await kept(page, "tools")
    address = page.url
    page = await open_page(f"{address}#row=14")
    await has_rows(page, 14)
    await page.keyboard.press("m")
    note = page.get_by_label("Note for row 14")
    await expect(note).to_be_focused()
    await page.keyboard.type("here he stumbles")
    await page.keyboard.press("Enter")
    await expect(note).to_be_hidden()
    page = await open_page(address)
    await ends(page, "ended")
    await expect(page.locator(".scrub-mark.marker")).to_be_visible()
    await page.get_by_role("button", name="1 marker").click()
    await page.get_by_role("button", name="here he stumbles", exact=False).first.click()
    await has_rows(page, 14)
    await expect(wire(page).locator(".wire-row.current")).to_contain_text("here he stu")
    await page.get_by_role("button", name="Edit here he stumbles").click()
    await page.get_by_label("Note for row 14").fill("here it stumbles")
    await page.keyboard.press("Enter")
    await expect(wire(page).locator(".wire-row.current")).to_contain_text("here it stu")
    await page.get_by_role("button", name="Delete here it stumbles").click()
    await expect(page.locator(".scrub-mark.marker")).to_have_count(0)
