"""The gateway's page, and what a run costs: a person, a real daphne, programs run as they stand on the page."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.people import SOON, choose, ends, lane, run, word
from tests.browser.test_access import WAYS, violations
from tests.support.daphne import Daphne

pytestmark = pytest.mark.browser

ENDS = {
    "Chat Completions": "chat.completion.chunk",
    "Messages": "message_stop",
    "Responses": "response.completed",
}
"""By format, what its stream says."""
PROGRAMS = {
    "curl": ["bash"],
    "Python · httpx": [sys.executable],
    "Python · client": [sys.executable],
    "Node · fetch": ["node"],
}
MICROS = re.compile(r"\$0\.\d{6}")


def calls(page: Page) -> Locator:
    return page.get_by_role("region", name="Calls").locator("tbody tr")


async def program(page: Page, format: str, language: str) -> str:
    await page.get_by_role("radio", name=format, exact=True).check()
    await page.get_by_role("radio", name=language, exact=True).check()
    return await page.get_by_role("region", name="Program", exact=True).text_content() or ""


async def printed(code: str, command: list[str], folder: Path) -> str:
    """What a program prints; its language's endings are enough for all four."""
    file = folder / ("request.mjs" if command == ["node"] else "request")
    file.write_text(code)
    running = await asyncio.create_subprocess_exec(
        *command, str(file), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, complained = await asyncio.wait_for(running.communicate(), 60)
    assert running.returncode == 0, complained.decode()
    return said.decode()


@pytest.mark.node
@pytest.mark.parametrize("language", PROGRAMS)
async def test_every_program_on_the_page_runs_as_it_stands(open_page: OpenPage, tmp_path: Path, language: str) -> None:
    page = await open_page("/gateway/")
    for format, end in ENDS.items():
        assert end in await printed(await program(page, format, language), PROGRAMS[language], tmp_path)


async def test_ada_reads_the_page_and_sees_her_call_in_the_ledger(
    open_page: OpenPage, daphne: Daphne, tmp_path: Path
) -> None:
    page = await open_page("/gateway/")
    await expect(page.get_by_role("link", name="Gateway")).to_have_attribute("aria-current", "page")
    await expect(page.locator("#gateway-address")).to_have_text(f"{daphne.url}/v1")
    models = page.get_by_role("region", name="Models and prices")
    await expect(models.get_by_role("row", name=re.compile("claude-sonnet-5"))).to_contain_text("$15.00")
    await expect(page.locator(".gateway-scenarios div", has=page.get_by_text("stall", exact=True))).to_contain_text(
        "silence"
    )

    await page.get_by_label("Key").fill("a-key-of-ada")
    await page.keyboard.press("Enter")
    await expect(page.locator(".gateway-empty")).to_be_visible()
    await expect(page.locator(".gateway-sums")).to_contain_text("spent $0.000000")

    code = await program(page, "Messages", "Python · client")
    await printed(code.replace('"none"', '"a-key-of-ada"'), [sys.executable], tmp_path)
    await expect(calls(page)).to_have_count(1, timeout=SOON)
    await expect(calls(page)).to_contain_text("claude-sonnet-5")
    await expect(calls(page)).to_contain_text("/messages")
    await expect(calls(page)).to_contain_text("ended", timeout=SOON)
    cost = await calls(page).locator("td").nth(5).text_content() or ""
    assert MICROS.fullmatch(cost)
    assert cost != "$0.000000"
    await expect(page.locator(".gateway-sums")).to_contain_text(f"spent {cost}")

    await page.get_by_label("Key").fill("not a key")
    await page.keyboard.press("Enter")
    await expect(page.locator("#ledger-key-problem")).to_contain_text("spaces")


async def test_a_run_says_what_it_cost_and_after_a_stop_what_was_charged(open_page: OpenPage) -> None:
    page = await open_page()
    await choose(page, format="Messages", scenario="text", pace="0")
    await run(page)
    await ends(page, "ended")
    await expect(lane(page).locator(".head-cost b")).to_have_text(MICROS, timeout=SOON)
    await expect(lane(page).locator(".head-charged")).to_be_hidden()

    await choose(page, scenario="long", pace="400")
    await run(page)
    await expect(word(page)).to_have_text("streaming", timeout=SOON)
    await expect(lane(page).get_by_role("treegrid")).to_contain_text("text_delta", timeout=SOON)
    await page.keyboard.press("Escape")
    await ends(page, "stopped")
    await expect(lane(page).locator(".head-cost b")).to_have_text(MICROS, timeout=SOON)
    charged = lane(page).locator(".head-charged")
    await expect(charged).to_have_text(re.compile(r"^charged [\d,]+ output tokens, ~?\d+ seen$"), timeout=SOON)
    await expect(charged).to_be_visible(timeout=SOON)
    figures = re.findall(r"[\d,]+\d|\d", await charged.text_content() or "")
    paid, seen = (int(figure.replace(",", "")) for figure in figures)
    assert paid > 1_000
    assert paid > 2 * seen
    await page.reload()
    await expect(charged).to_be_visible(timeout=SOON)


async def test_a_target_with_a_ledger_is_asked_with_the_key_of_the_run(open_page: OpenPage, daphne: Daphne) -> None:
    page = await open_page()
    await page.get_by_label("Target").select_option("custom")
    await page.get_by_label("Base URL").fill(f"{daphne.url}/v1")
    await page.locator("#key").fill("sk-test-ada-for-the-ledger")
    await page.locator("#model").fill("claude-sonnet-5:text")
    await page.keyboard.press("Control+Enter")
    await ends(page, "ended")
    await expect(lane(page).locator(".head-cost b")).to_have_text(MICROS, timeout=SOON)


@pytest.mark.axe
@pytest.mark.parametrize("way", WAYS)
async def test_axe_finds_nothing_on_the_gateways_page(open_page: OpenPage, way: str) -> None:
    page = await open_page("/gateway/", **WAYS[way])
    await expect(page.get_by_role("region", name="Models and prices")).to_be_visible()
    await expect(page.locator(".gateway-sums")).to_contain_text("spent $")
    assert await violations(page) == []
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
