"""Every rule, once. docs/rules.md and the page of rules are made from this list.

A rule is an entry in one of the tables and one place that raises it.
"""

from __future__ import annotations

from typing import Final

from playground.lint.rule import Rule
from playground.lint.rules_chat import CHAT_RULES
from playground.lint.rules_checks import CHECK_RULES
from playground.lint.rules_messages import MESSAGES_RULES
from playground.lint.rules_responses import RESPONSES_RULES
from playground.lint.rules_sse import SSE_RULES

SECTIONS: Final[dict[str, tuple[Rule, ...]]] = {
    "Every format": SSE_RULES,
    "Chat Completions": CHAT_RULES,
    "Messages, and what Responses shares with it": MESSAGES_RULES,
    "Responses": RESPONSES_RULES,
    "Time and sums": CHECK_RULES,
}
"""The rules in the order and under the titles of the page."""

RULES: Final[dict[str, Rule]] = {rule.id: rule for section in SECTIONS.values() for rule in section}
