"""The page of rules, and what pages with a stage say of them, are the one list of rules."""

import html
import json
import re
from dataclasses import replace

import pytest
from django.test import AsyncClient

from playground.lint.rules import RULES
from playground.lint.thresholds import Thresholds, described


async def page(path):
    answer = await AsyncClient().get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def plain(markup):
    """The text of a piece of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def articles(text):
    return dict(re.findall(r'<article class="rule" id="(.+?)">(.+?)</article>', text, re.S))


async def test_the_page_has_every_rule_in_the_order_of_the_list_and_all_that_it_says():
    shown = articles(await page("/rules/"))
    assert list(shown) == list(RULES)
    for rule in RULES.values():
        text = plain(shown[rule.id])
        for wanted in (rule.says, rule.expected, rule.clients):
            assert " ".join(wanted.replace("`", "").split()) in text
        assert rule.severity in text
        assert rule.formats_told in text
        for source, address in rule.links:
            assert source in text
            assert not address or f'href="{html.escape(address)}"' in shown[rule.id]


async def test_the_page_and_the_docs_have_the_same_rules(docs_of_rules):
    assert re.findall(r"^### (.+)$", docs_of_rules, re.M) == list(articles(await page("/rules/")))


async def test_the_page_shows_the_thresholds_that_hold_beside_the_defaults(settings):
    settings.THRESHOLDS = replace(Thresholds(), stall=2.5)
    text = plain(await page("/rules/"))
    for name, _, says in described(Thresholds()):
        assert name in text
        assert says in text
    assert "stall2.510seconds without an event" in text


@pytest.mark.django_db
async def test_a_page_with_a_stage_brings_the_rules_along():
    told = json.loads(re.search(r'<script id="lint-rules".*?>(.+?)</script>', await page("/")).group(1))
    assert told["rules"].keys() == RULES.keys()
    assert all(told["rules"][rule.id]["says"] == rule.says for rule in RULES.values())
    assert [name for name, _, _ in told["thresholds"]] == [name for name, _, _ in described(Thresholds())]
    assert told["address"] == "/rules/"


@pytest.fixture
def docs_of_rules(request):
    return (request.config.rootpath / "docs" / "rules.md").read_text()
