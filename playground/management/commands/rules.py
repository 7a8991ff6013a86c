"""`manage.py rules`: the page of all rules as Markdown, for docs/rules.md."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from playground.management.rules_page import page


class Command(BaseCommand):
    help = "Print docs/rules.md: every rule that a stream can break."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        self.stdout.write(page(), ending="")
