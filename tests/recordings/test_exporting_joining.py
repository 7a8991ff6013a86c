"""Joined modules stand in the order in which they need each other, style sheets in the order of the page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from playground.recordings.exporting.joining import joined_modules, joined_sheets


def test_the_joined_module_imports_and_exports_nothing() -> None:
    joined = joined_modules("exported.js")
    assert not any(line.startswith(("import ", "import{", "export ")) for line in joined.splitlines())
    assert joined.index("class SessionModel") < joined.index("new SessionModel")
    assert joined.count("class SessionModel {") == 1


@pytest.mark.node
@pytest.mark.parametrize("entry", ["exported.js", "unpack.js"])
def test_what_a_page_runs_is_a_module_of_its_own(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "joined.mjs"
    path.write_text(joined_modules(entry))
    subprocess.run(["node", "--check", str(path)], check=True, capture_output=True)


def test_a_sheet_stands_behind_those_that_it_imports_each_once() -> None:
    sheet = joined_sheets("pages/share.css")
    assert "@import" not in sheet
    assert sheet.startswith("@layer reset,")
    assert sheet.count("@layer reset,") == 1
    assert sheet.index(".bar {") < sheet.index("wire-pane {")
