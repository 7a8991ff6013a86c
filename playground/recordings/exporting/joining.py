"""The browser's modules joined into one inline module, its style sheets into one sheet. Called by page.py.

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

IMPORT: Final = re.compile(r'^import\s*(?:\{[^}]*\}\s*from\s*)?"([^"]+)";\n', re.M)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|let|function\*?|class)\b)", re.M)
STYLESHEET: Final = re.compile(r"""rel="stylesheet" href="\{% static 'css/(.+?)' %\}""")
PAGES: Final = ("base.html", "viewing_assets.html", "share_assets.html")
"""Templates whose style sheets an exported page has."""


@cache
def joined_modules(entry: str) -> str:
    """The module at that path below static/js and all that it stands on."""
    found: dict[str, str] = {}
    _walk(entry, found)
    return "".join(found.values())


def _walk(path: str, found: dict[str, str]) -> None:
    if path in found:
        return
    source = module(path)
    for imported in IMPORT.findall(source):
        _walk(normpath(join(dirname(path), imported)), found)
    found[path] = EXPORT.sub("", IMPORT.sub("", source))


def module(path: str) -> str:
    return (_static("js") / path).read_text()


@cache
def joined_styles() -> str:
    templates = (settings.BASE_DIR / "templates" / name for name in PAGES)
    paths = [path for template in templates for path in STYLESHEET.findall(template.read_text())]
    return "".join((_static("css") / path).read_text() for path in paths)


def _static(kind: str) -> Path:
    place: Path = settings.BASE_DIR / "static" / kind
    return place
