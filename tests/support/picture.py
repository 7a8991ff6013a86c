"""python -m tests.support.picture PATH: the picture of the running page that the README shows."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright, expect

from tests.browser.conftest import FLAGS
from tests.browser.people import choose, run, wire
from tests.support.available import chromium
from tests.support.daphne import Daphne


async def take(server: Daphne, path: str) -> None:
    """The Play page in the middle of two tool calls."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = await browser.new_page(base_url=server.url, viewport={"width": 1440, "height": 900})
        await page.goto("/")
        await choose(page, format="Messages", scenario="tools", pace="25")
        await run(page)
        await expect(wire(page).get_by_text("wind_at")).to_be_visible(timeout=30_000)
        await expect(wire(page).get_by_text("hour")).to_be_visible(timeout=30_000)
        await page.screenshot(path=path)
        await browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Daphne(Path(folder))
        try:
            asyncio.run(take(server, sys.argv[1]))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
