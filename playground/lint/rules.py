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

RULES: Final[dict[str, Rule]] = {
    rule.id: rule for rule in (*SSE_RULES, *CHAT_RULES, *MESSAGES_RULES, *RESPONSES_RULES, *CHECK_RULES)
}
