"""What a person does and sees on the Play page, in words."""

from __future__ import annotations

from playwright.async_api import Locator, Page, expect

SOON = 20_000


def lane(page: Page, number: int = 1) -> Locator:
    return page.locator("stream-lane").nth(number - 1)


def word(page: Page, number: int = 1) -> Locator:
    return lane(page, number).locator(".head-word")


def said(page: Page, number: int = 1) -> Locator:
    return lane(page, number).locator("said-pane")


def wire(page: Page, number: int = 1) -> Locator:
    return lane(page, number).get_by_role("treegrid")


async def choose(page: Page, *, format: str = "", scenario: str = "", pace: str = "") -> None:
    """Set the composer: a format tab by its words, a scenario chip, a pace in tokens a second."""
    composer = page.locator("stream-composer")
    if format:
        await composer.get_by_role("radio", name=format, exact=True).first.check()
    if scenario:
        await expect(composer.get_by_role("button", name="text", exact=True)).to_be_visible()
        chip = composer.get_by_role("button", name=scenario, exact=True)
        if not await chip.is_visible():
            await composer.get_by_role("button", name="more").click()
        await chip.click()
    if pace:
        sending = composer.locator("details", has_text="Sending")
        if not await sending.get_attribute("open"):
            await sending.locator("summary").click()
        await sending.get_by_label("Pace").fill(pace)
        await sending.locator("summary").click()


async def run(page: Page) -> None:
    await page.keyboard.press("Control+Enter")
    await expect(lane(page)).to_be_visible()


async def ends(page: Page, *words: str) -> None:
    """Wait until the lanes say these words, one a lane."""
    for number, wanted in enumerate(words, 1):
        await expect(word(page, number)).to_have_text(wanted, timeout=SOON)


async def rows(page: Page, number: int = 1) -> int:
    """How many rows the lane has so far."""
    return int(await wire(page, number).get_attribute("aria-rowcount") or 1) - 1


async def has_rows(page: Page, wanted: int, number: int = 1) -> None:
    """Wait until the lane has so many rows: a lane says its word before all its rows are there."""
    await expect(wire(page, number)).to_have_attribute("aria-rowcount", str(wanted + 1), timeout=SOON)
