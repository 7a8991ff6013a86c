"""The browser's modules joined into one inline module, its style sheets into one sheet. Called by page.py.

Modules have named imports and exports only and no top-level name in common (tests/js/modules.test.js), so that without
their imports and the word export they stand in one scope, each behind those that it imports.
"""

from __future__ import annotations

import json
import re
import zlib
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from django.conf import settings

from playground.messages import encode
from playground.recordings.exporting.stripping import strip_css, strip_javascript

IMPORT: Final = re.compile(r'import\s*(?:\{[^}]*\}\s*from\s*)?"([^"]+)";\n?')
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|let|function\*?|class)\b)", re.M)
TABLES: Final = re.compile(r"model/explain-[\w-]+\.js")
TABLE: Final = re.compile(r"const (\w+)=\{")
STYLESHEET: Final = re.compile(r"""rel="stylesheet" href="\{% static 'css/(.+?)' %\}""")
PAGES: Final = ("base.html", "viewing_assets.html", "share_assets.html")
"""Templates whose style sheets an exported page has."""


@cache
def joined_modules(entry: str) -> str:
    """The module at that path below static/js and all that it stands on, tables of sentences empty."""
    found: dict[str, str] = {}
    _walk(entry, found)
    return "".join(found.values())


def _walk(path: str, found: dict[str, str]) -> None:
    if path in found:
        return
    source = strip_javascript(EXPORT.sub("", (_static("js") / path).read_text()))
    position = 0
    while match := IMPORT.match(source, position):
        _walk(normpath(join(dirname(path), match[1])), found)
        position = match.end()
    if TABLES.fullmatch(path):
        found[path] = "".join(f"const {name}={{}};" for name in _tables(source))
    else:
        found[path] = source[position:]


@cache
def sentence_tables() -> bytes:
    """JSON of what the tables hold, by name, deflated: sentences are a quarter of the page, and shrink to a fourth."""
    paths = sorted(path.name for path in (_static("js") / "model").glob("explain-*.js"))
    sources = [strip_javascript(EXPORT.sub("", (_static("js") / "model" / name).read_text())) for name in paths]
    tables = {name: table for source in sources for name, table in _tables(source).items()}
    return zlib.compress(encode(tables).encode(), 9)


def _tables(source: str) -> dict[str, dict[str, str]]:
    """Tables are JSON but for a comma behind the last entry. Raises ValueError for what is more than tables."""
    tables = {}
    position = 0
    while match := TABLE.match(source, position):
        end = source.index("};", match.end())
        tables[match[1]] = json.loads(source[match.end() - 1 : end].removesuffix(",") + "}")
        position = end + 2
    if source[position:].strip():
        raise ValueError(f"no table: {source[position : position + 40]!r}")
    return tables


@cache
def joined_styles() -> str:
    templates = (settings.BASE_DIR / "templates" / name for name in PAGES)
    paths = [path for template in templates for path in STYLESHEET.findall(template.read_text())]
    return "".join(strip_css((_static("css") / path).read_text()) for path in paths)


def _static(kind: str) -> Path:
    place: Path = settings.BASE_DIR / "static" / kind
    return place
