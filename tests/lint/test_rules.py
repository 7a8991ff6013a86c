"""The list of rules: whole, once, and the same in the docs."""

import re
from pathlib import Path

import pytest

from playground.lint.rule import SEVERITIES
from playground.lint.rules import RULES, SECTIONS
from playground.management.rules_page import page
from tests.support.streams import CASES, expected

ROOT = Path(__file__).resolve().parent.parent.parent
LINT = ROOT / "playground" / "lint"
TABLES = {path.name for path in LINT.glob("rules*.py")}


def test_the_page_of_rules_is_the_list_of_rules():
    assert (ROOT / "docs" / "rules.md").read_text() == page(), "run: manage.py rules > docs/rules.md"


def test_no_rule_stands_twice():
    assert sum(len(section) for section in SECTIONS.values()) == len(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_says_all_that_people_need(rule):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
    assert rule.severity in SEVERITIES
    assert rule.formats in {"CMR", "C", "M", "R", "MR", "CR"}
    assert rule.where
    assert rule.says[0].isupper() or rule.says[0] in "`[" or rule.says.split()[0].islower()
    assert rule.says.endswith(".")
    assert not rule.expected.endswith(".")
    assert rule.source
    assert not rule.clients or rule.clients.endswith(".")


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_raised_in_the_judges(rule):
    raised = "".join(path.read_text() for path in LINT.glob("*.py") if path.name not in TABLES)
    assert f'"{rule}"' in raised


def test_every_finding_of_a_golden_stream_is_a_rule():
    assert {name for case in CASES for name in expected(case)["findings"]} <= RULES.keys()
