"""The rules as a page needs them to tell of findings: plain values out of rules.py, no second list. Called by doors."""

from __future__ import annotations

from typing import Any

from playground.lint.rules import RULES
from playground.lint.thresholds import Thresholds, described


def rule_book(thresholds: Thresholds, address: str) -> dict[str, Any]:
    """All rules by id, the thresholds that hold, and where the page of rules is, "" where there is none.

    {"rules": {id: {"says", "expected", "clients", "links": [[text, address]]}}, "thresholds": [[name, value, what it
    is]], "address"}
    """
    rules = {
        rule.id: {"says": rule.says, "expected": rule.expected, "clients": rule.clients, "links": rule.links}
        for rule in RULES.values()
    }
    return {"rules": rules, "thresholds": described(thresholds), "address": address}
