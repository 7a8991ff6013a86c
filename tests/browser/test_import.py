"""A person brings streams from elsewhere: chosen, pasted, dropped; each kind is shown as it came, and what is none is
said in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_access import WAYS, violations
from tests.recordings.importing.test_curl import BODY, GOT, HEAD, LEFT, SENT
from tests.recordings.importing.test_har import entry, har, messages
from tests.support.imported import zipped

pytestmark = pytest.mark.browser

SAID = "Low tide"


def payloads() -> list[str]:
    return [line.removeprefix("data: ") for line in BODY.decode().split("\n\n") if line]


def har_of_it() -> bytes:
    content = {"mimeType": "text/event-stream", "text": BODY.decode()}
    return har(entry(content, _eventSourceMessages=messages(payloads())))


KINDS: dict[str, Callable[[], bytes]] = {
    "tide.sse": lambda: BODY,
    "with-i.txt": lambda: HEAD + BODY,
    "with-v.txt": lambda: SENT + GOT + BODY + LEFT,
    "tide.jsonl": lambda: "\n".join(payloads()).encode(),
    "tide.har": har_of_it,
    "case.zip": lambda: zipped({"stream.sse": BODY, "http.json": b"{}"}),
}


async def open_dialog(page: Page) -> Any:
    await page.get_by_role("button", name="Import a stream").click()
    return page.get_by_role("dialog", name="Import a stream")


def chosen(name: str, content: bytes) -> Any:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


async def sees_the_tide(page: Page) -> None:
    await expect(page.locator("said-pane").first).to_contain_text(SAID)
    await expect(page.locator("wire-pane").first).to_contain_text("[DONE]")


@pytest.mark.parametrize("name", KINDS)
async def test_a_file_of_each_kind_is_chosen_and_shown(open_page: OpenPage, name: str) -> None:
    page = await open_page()
    dialog = await open_dialog(page)
    await dialog.locator("input[type=file]").set_input_files(chosen(name, KINDS[name]()))
    await page.wait_for_url("**/sessions/*/")
    await sees_the_tide(page)


async def test_what_curl_printed_is_pasted(open_page: OpenPage) -> None:
    page = await open_page()
    dialog = await open_dialog(page)
    await dialog.get_by_role("textbox").fill((HEAD + BODY).decode())
    await dialog.get_by_role("textbox").press("Control+Enter")
    await page.wait_for_url("**/sessions/*/")
    await sees_the_tide(page)


async def test_the_files_of_a_case_are_dropped_anywhere_on_the_page(open_page: OpenPage) -> None:
    page = await open_page()
    files = [["stream.sse", BODY.decode()], ["chunks.json", "[40]"]]
    transfer = await page.evaluate_handle(
        """(files) => {
          const transfer = new DataTransfer();
          for (const [name, text] of files) transfer.items.add(new File([text], name));
          return transfer;
        }""",
        files,
    )
    await page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    await page.wait_for_url("**/sessions/*/")
    await sees_the_tide(page)


async def test_what_is_no_stream_is_said_in_place_and_the_rest_is_kept(open_page: OpenPage) -> None:
    page = await open_page(complaints_expected=True)
    dialog = await open_dialog(page)
    files = [chosen("page.html", b"<!doctype html><p>502"), chosen("tide.sse", BODY)]
    await dialog.locator("input[type=file]").set_input_files(files)
    await expect(dialog.get_by_role("status")).to_contain_text("page.html: It is a web page.")
    await dialog.get_by_role("link", name="tide.sse").click()
    await sees_the_tide(page)


async def test_an_upload_can_be_stopped(open_page: OpenPage) -> None:
    page = await open_page()
    held: list[Any] = []
    await page.route("**/sessions/import?*", lambda route: held.append(route))
    dialog = await open_dialog(page)
    await dialog.locator("input[type=file]").set_input_files(chosen("tide.sse", BODY))
    await expect(dialog.get_by_role("progressbar")).to_be_visible()
    await dialog.get_by_role("button", name="Stop").click()
    await expect(dialog.get_by_role("status")).to_contain_text("nothing of it was kept")


@pytest.mark.axe
@pytest.mark.parametrize("way", WAYS)
async def test_axe_finds_nothing_in_the_dialog(open_page: OpenPage, way: str) -> None:
    page = await open_page(complaints_expected=True, **WAYS[way])
    dialog = await open_dialog(page)
    await dialog.locator("input[type=file]").set_input_files(chosen("page.html", b"<html>"))
    await expect(dialog.get_by_role("status")).to_contain_text("web page")
    assert await violations(page) == []


async def test_what_is_missing_is_noted_and_the_composer_stays_as_it_was(open_page: OpenPage) -> None:
    page = await open_page()
    dialog = await open_dialog(page)
    await dialog.get_by_role("textbox").fill(BODY.decode())
    await dialog.get_by_role("button", name="Import the text").click()
    await page.wait_for_url("**/sessions/*/")
    await expect(page.locator("lane-head")).to_contain_text("Not in what was imported: the request,")
    await expect(page.get_by_text("the body is empty")).to_have_count(0)
