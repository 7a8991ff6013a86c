"""What a test needs beside Python: Chromium, axe, Node, Redis, PostgreSQL.

Absent: skipped with the reason; in CI: an error. CI names in PLAYGROUND_REQUIRED what must be there, marks with commas
between them.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/9")
POSTGRESQL_URL = os.environ.get("PLAYGROUND_TEST_POSTGRESQL", "postgres://postgres@127.0.0.1:5432/postgres")
AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of a Chromium of this machine."""
    return os.environ.get("CHROMIUM") or next((path for name in _BROWSERS if (path := shutil.which(name))), None)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


NEEDS: dict[str, tuple[Callable[[], object], str]] = {
    "browser": (chromium, "needs Chromium: install it, or name it in CHROMIUM"),
    "axe": (AXE.exists, "needs axe-core: npm ci"),
    "redis": (lambda: _listens(6379), "needs Redis on 127.0.0.1:6379"),
    "postgresql": (lambda: _listens(5432), "needs PostgreSQL on 127.0.0.1:5432"),
    "node": (lambda: shutil.which("node"), "needs Node 20 or newer"),
}


def check_needs(items: list[pytest.Item]) -> None:
    """Skip what cannot run here, with the reason; fail at once where it must run."""
    required = set(filter(None, os.environ.get("PLAYGROUND_REQUIRED", "").split(",")))
    for mark, (available, reason) in NEEDS.items():
        marked = [item for item in items if item.get_closest_marker(mark)]
        if not marked or available():
            continue
        if mark in required:
            raise pytest.UsageError(f"PLAYGROUND_REQUIRED names {mark}, but this machine lacks it: {reason}")
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))
