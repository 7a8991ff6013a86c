"""A person at a browser: headless Chromium on a real daphne. Console errors and page errors fail the test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright

from tests.support.available import chromium
from tests.support.daphne import Daphne

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECONDS = 20

OpenPage = Callable[..., Awaitable[Page]]


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
async def open_page(browser: Browser, daphne: Daphne) -> AsyncIterator[OpenPage]:
    """Open a tab of a new person at an address of the playground; `complaints_expected` where the test causes some."""
    complaints: list[str] = []

    async def open_page(
        path: str = "/", *, server: Daphne = daphne, complaints_expected: bool = False, **ways: Any
    ) -> Page:
        context = await browser.new_context(base_url=server.url, **{"viewport": {"width": 1440, "height": 900}, **ways})
        context.set_default_timeout(SECONDS * 1000)
        page = await context.new_page()
        if not complaints_expected:
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
        await page.goto(path)
        return page

    yield open_page
    assert complaints == []
