"""All that is said of recordings and runs holds on PostgreSQL too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.available import POSTGRESQL_URL

ROOT = Path(__file__).resolve().parent.parent.parent
STORIES = [
    "tests/recordings/test_replay.py",
    "tests/runs/test_watching.py",
    "tests/runs/test_hall.py",
    "tests/management/test_rebuild.py",
    "tests/recordings/test_shelf.py",
]


@pytest.mark.postgresql
def test_the_same_stories_pass_on_postgresql() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *STORIES],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": POSTGRESQL_URL},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert told.returncode == 0, told.stdout[-3000:]
