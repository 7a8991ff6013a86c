"""`manage.py read PATH...`: what the page would show of a stream, as text, as a line of JSON a path, or as SARIF.

With --strict the findings decide the exit status: 0 none that matters, 1 some, 2 a path that cannot be read.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from playground import messages
from playground.formats import FORMATS
from playground.lint.findings import Finding
from playground.lint.rule import SEVERITIES
from playground.lint.rules import RULES
from playground.management.live import Live
from playground.management.printing import finding_lines, transcript_lines
from playground.management.sarif import Lines
from playground.management.sarif import log as sarif_log
from playground.pipeline import Pipeline
from playground.reads import End
from playground.recordings.cases import BODY_FILE, Case, CaseError, open_case

FOUND, UNREADABLE = 1, 2
CLOSED = 141  # what a shell reports of a program that wrote into a closed pipe


class Command(BaseCommand):
    help = (
        "Read streams: a raw body, a folder with stream.sse (chunks.json and http.json when there), or - for a pipe. "
        "With --strict: exit 0 when nothing is wrong, 1 when something is, 2 when a path cannot be read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a case folder, or -")
        parser.add_argument(
            "--format",
            choices=["auto", *FORMATS],
            default="auto",
            help="how to read the events; auto recognises the format from the events themselves",
        )
        output = parser.add_mutually_exclusive_group()
        output.add_argument("--json", action="store_true", help="one JSON object a path, each on a line of its own")
        output.add_argument("--sarif", action="store_true", help="the findings of all paths as one SARIF 2.1.0 log")
        parser.add_argument("--strict", action="store_true", help="let the findings decide the exit status")
        parser.add_argument(
            "--fail-on",
            choices=SEVERITIES,
            default="warning",
            help="with --strict: the mildest severity that matters (default: warning)",
        )
        parser.add_argument(
            "--ignore", action="append", default=[], metavar="RULE", help="leave a rule out (may come several times)"
        )

    def handle(self, **options: Any) -> None:
        try:
            self._read(**options)
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever reads what is printed has seen enough; at exit nothing may be flushed into the closed pipe.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(CLOSED)

    def _read(
        self,
        *,
        paths: list[str],
        format: str,
        json: bool,
        sarif: bool,
        strict: bool,
        fail_on: str,
        ignore: list[str],
        **options: Any,
    ) -> None:
        ignored = frozenset(ignore)
        if unknown := sorted(ignored - RULES.keys()):
            raise CommandError(f"There is no rule {unknown[0]}; docs/rules.md lists them.", returncode=UNREADABLE)
        log: list[tuple[str, Sequence[Finding], Lines | None]] = []
        for number, path in enumerate(paths):
            self._head(path, number, several=len(paths) > 1 and not (json or sarif))
            try:
                case = open_case(path, sys.stdin.buffer)
                live = Live(self.stdout, ignored) if path == "-" and not (json or sarif) else None
                pipeline, lines = walk(case, None if format == "auto" else format, live)
            except BrokenPipeError:
                raise
            except (CaseError, OSError) as error:
                self.stdout.flush()
                raise CommandError(str(error), returncode=UNREADABLE) from error
            findings = [finding for finding in pipeline.findings if finding.rule.id not in ignored]
            log.append((file_of(case.name), findings, lines))
            if json:
                self.stdout.write(messages.encode(described(case, pipeline, findings)))
            elif not sarif and live is None:
                self.stdout.write("\n".join([*transcript_lines(pipeline), *finding_lines(findings)]))
        if sarif:
            self.stdout.write(messages.encode(sarif_log(log)))
        matter = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
        if strict and any(finding.rule.severity in matter for _, findings, _ in log for finding in findings):
            sys.exit(FOUND)

    def _head(self, path: str, number: int, *, several: bool) -> None:
        if several:
            self.stdout.write(f"{'' if number == 0 else chr(10)}{path}")


def file_of(path: str) -> str:
    """The file that the bytes of a path are in."""
    return f"{path}/{BODY_FILE}" if Path(path).is_dir() else path


def walk(case: Case, format: str | None, live: Live | None = None) -> tuple[Pipeline, Lines | None]:
    """The whole corridor over one case; where its lines start, None where the body was compressed."""
    pipeline = Pipeline(format, thresholds=settings.THRESHOLDS)
    lines = None if case.head.header("content-encoding") else Lines()
    pipeline.head(case.head)
    for read in case.reads:
        step = pipeline.feed(read)
        if lines:
            lines.feed(read.body)
        if live:
            live.step(pipeline, step)
    step = pipeline.end(End("closed"))
    if live:
        live.step(pipeline, step)
        live.end(pipeline)
    return pipeline, lines


def described(case: Case, pipeline: Pipeline, findings: Sequence[Finding]) -> dict[str, Any]:
    """What --json prints of a path: expect.json, and more of each finding."""
    return {
        "path": case.name,
        **pipeline.said(),
        "word": pipeline.word,
        "findings": sorted(finding.rule.id for finding in findings),
        "details": [
            {
                "rule": finding.rule.id,
                "severity": finding.rule.severity,
                "count": finding.count,
                "rows": list(finding.rows),
                "examples": [example._asdict() for example in finding.examples],
            }
            for finding in findings
        ],
    }
