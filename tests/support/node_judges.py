"""The official Node clients, run in one process for many cases. Where they are not installed a test is skipped."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.daphne import ROOT, Daphne
from tests.support.requests import FULL_SPEED

SCRIPT = Path(__file__).with_name("judge.mjs")


def node_judges(daphne: Daphne, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What they made of each case {format, request, whole}."""
    if not (ROOT / "node_modules" / "openai").exists():
        if "node" in os.environ.get("PLAYGROUND_REQUIRED", ""):
            raise pytest.UsageError("PLAYGROUND_REQUIRED names node, but its clients are not installed: npm ci")
        pytest.skip("needs the official Node clients: npm ci")
    asked = json.dumps({"url": daphne.url, "headers": FULL_SPEED, "cases": cases})
    run = subprocess.run(["node", SCRIPT], input=asked, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return list(json.loads(run.stdout))
