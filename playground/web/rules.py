"""The page of rules: every rule that a stream can break, out of lint/rules.py, and the thresholds that hold here."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from playground.lint.book import rule_book
from playground.lint.rule import Rule
from playground.lint.rules import RULES, SECTIONS
from playground.lint.thresholds import PREFIX, Thresholds, described

PAGE = "/rules/"


async def rules(request: HttpRequest) -> HttpResponse:
    defaults = {name: value for name, value, _ in described(Thresholds())}
    limits = [
        {
            "name": name,
            "variable": PREFIX + name.upper(),
            "value": f"{value:g}",
            "default": f"{defaults[name]:g}",
            "says": says,
        }
        for name, value, says in described(settings.THRESHOLDS)
    ]
    sections = [(title, [(rule, told(rule)) for rule in rules]) for title, rules in SECTIONS.items()]
    return render(request, "rules.html", {"sections": sections, "count": len(RULES), "limits": limits})


def told(rule: Rule) -> dict[str, list[tuple[bool, str]]]:
    """The sentences of a rule in pieces, with whether each is code: it stands between backquotes."""
    texts = {"says": rule.says, "expected": rule.expected, "clients": rule.clients}
    return {
        name: [(place % 2 == 1, piece) for place, piece in enumerate(text.split("`")) if piece]
        for name, text in texts.items()
    }


@cache
def lint_rules(address: str = PAGE) -> dict[str, Any]:
    """What pages that show findings say of the rules; `address` is "" where the page of rules cannot be opened."""
    return rule_book(settings.THRESHOLDS, address)
