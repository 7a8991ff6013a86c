"""The modules of a page joined into one, its style sheets into one sheet. Called by page.py and web/joined_files.py.

Modules have named imports and exports only and no top-level name in common (tests/js/modules.test.js), so that without
their imports and the word export they stand in one scope, each behind those that it imports.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from django.conf import settings

MODULE_IMPORT: Final = re.compile(r'^import\s*(?:\{[^}]*\}\s*from\s*)?"([^"]+)";\n', re.M)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|let|function\*?|class)\b)", re.M)
SHEET_IMPORT: Final = re.compile(r'^@import "([^"]+)";\n', re.M)


@cache
def joined_modules(entry: str) -> str:
    """The module at that path below static/js and all that it stands on."""
    found: dict[str, str] = {}
    _walk("js", entry, MODULE_IMPORT, found)
    return "".join(EXPORT.sub("", source) for source in found.values())


@cache
def joined_sheets(entry: str) -> str:
    """The sheet at that path below static/css with those that it imports in its place."""
    found: dict[str, str] = {}
    _walk("css", entry, SHEET_IMPORT, found)
    return "".join(found.values())


def module(path: str) -> str:
    return _source("js", path)


def _walk(kind: str, path: str, imports: re.Pattern[str], found: dict[str, str]) -> None:
    if path in found:
        return
    source = _source(kind, path)
    for imported in imports.findall(source):
        _walk(kind, normpath(join(dirname(path), imported)), imports, found)
    found[path] = imports.sub("", source)


def _source(kind: str, path: str) -> str:
    place: Path = settings.BASE_DIR / "static" / kind / path
    return place.read_text()
