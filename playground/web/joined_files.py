"""Each page's module and style sheet, joined at the first use: the tags that templates write, and the files themselves.

`{% module "main" %}` stands for static/js/main.js and all below it, `{% sheet "play" %}` for static/css/pages/play.css.
Called by templates and static_files.py. With DEBUG the browser gets the files one by one, as they stand on the disk.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings
from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

from playground.recordings.exporting.joining import joined_modules, joined_sheets

PREFIX: Final = "/static/joined/"
MODULES: Final = ("main", "library-page", "gateway-page", "rules-page", "share-page")
SHEETS: Final = ("plain", "play", "library", "gateway", "rules", "share", "preview")

register = Library()


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """`address` changes with the content, so that a browser may keep it for good."""

    address: str
    media_type: str
    content: bytes
    packed: bytes


@register.simple_tag
def module(name: str) -> SafeString:
    """A page's script: it runs when the page is there."""
    address = f"/static/js/{name}.js" if settings.DEBUG else joined_file(f"{name}.js").address
    return format_html('<script type="module" src="{}"></script>', address)


@register.simple_tag
def sheet(name: str) -> SafeString:
    address = f"/static/css/pages/{name}.css" if settings.DEBUG else joined_file(f"{name}.css").address
    return format_html('<link rel="stylesheet" href="{}">', address)


def found(path: str) -> JoinedFile | None:
    """The file at an address below PREFIX, the one of today also under an earlier address; None when there is none."""
    _, _, name = path.removeprefix(PREFIX).rpartition("/")
    stem, _, kind = name.rpartition(".")
    return joined_file(name) if stem in {"js": MODULES, "css": SHEETS}.get(kind, ()) else None


@cache
def joined_file(name: str) -> JoinedFile:
    stem, _, kind = name.rpartition(".")
    text = joined_modules(f"{stem}.js") if kind == "js" else joined_sheets(f"pages/{stem}.css")
    content = text.encode()
    digest = hashlib.sha256(content).hexdigest()[:16]
    media_type = f"text/{'javascript' if kind == 'js' else 'css'}; charset=utf-8"
    return JoinedFile(f"{PREFIX}{digest}/{name}", media_type, content, gzip.compress(content, 6, mtime=0))
