"""Thresholds come out of the environment, and what is no number is told in a sentence."""

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from playground.lint.thresholds import PREFIX, Thresholds, chosen

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_environment_chooses_thresholds_and_leaves_the_others():
    limits = chosen({"PLAYGROUND_LINT_STALL": "2.5", "PLAYGROUND_LINT_BURST_EVENTS": "7", "HOME": "/"})
    assert limits == Thresholds(stall=2.5, burst_events=7)


@pytest.mark.parametrize("one", fields(Thresholds), ids=lambda one: one.name)
@pytest.mark.parametrize("written", ["", "many", "0", "-1", "nan", "inf"])
def test_what_is_no_threshold_is_told_in_a_sentence(one, written):
    name = PREFIX + one.name.upper()
    with pytest.raises(ValueError, match=rf"^{name} is .*: write an? .*number above 0\.$"):
        chosen({name: written})


def test_a_name_that_chooses_nothing_is_told_with_those_that_do():
    with pytest.raises(ValueError, match=r"PLAYGROUND_LINT_STALLS chooses no threshold.*PLAYGROUND_LINT_STALL,"):
        chosen({"PLAYGROUND_LINT_STALLS": "3"})


def test_read_judges_by_them():
    stream = ROOT / "tests" / "streams" / "ref-msg-text"
    told = subprocess.run(
        [sys.executable, "manage.py", "read", str(stream), "--json"],
        cwd=ROOT,
        env={"SECRET_KEY": "x", PREFIX + "CHARACTERS_PER_TOKEN": "0.1", PREFIX + "USAGE_SLACK": "1"},
        capture_output=True,
        check=True,
    )
    assert b'"usage-implausible"' in told.stdout


def test_a_server_with_a_wrong_one_does_not_start():
    told = subprocess.run(
        [sys.executable, "manage.py", "read", "-"],
        cwd=ROOT,
        env={"SECRET_KEY": "x", PREFIX + "STALL": "soon"},
        capture_output=True,
    )
    assert told.returncode == 1
    assert told.stderr.decode().strip().endswith("make a stall: write a number above 0.")
