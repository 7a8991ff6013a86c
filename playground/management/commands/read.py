"""`manage.py read PATH...`: what the page would show of a stream, as text or as a line of JSON a path."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from playground import messages
from playground.formats import FORMATS
from playground.management.printing import transcript_lines
from playground.pipeline import Pipeline
from playground.reads import End
from playground.recordings.cases import Case, CaseError, open_case


class Command(BaseCommand):
    help = "Read streams: a raw body, a folder with stream.sse (chunks.json and http.json when there), or - for a pipe."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a case folder, or -")
        parser.add_argument(
            "--format",
            choices=["auto", *FORMATS],
            default="auto",
            help="how to read the events; auto recognises the format from the events themselves",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a path, each on a line of its own")

    def handle(self, *, paths: list[str], format: str, json: bool, **options: Any) -> None:
        for number, path in enumerate(paths):
            try:
                case = open_case(path, sys.stdin.buffer)
                pipeline = walk(case, None if format == "auto" else format)
            except (CaseError, OSError) as error:
                self.stdout.flush()
                raise CommandError(str(error), returncode=2) from error
            if json:
                self.stdout.write(messages.encode({"path": case.name, **pipeline.said(), "word": pipeline.word}))
            else:
                if len(paths) > 1:
                    self.stdout.write(f"{'' if number == 0 else chr(10)}{case.name}")
                self.stdout.write("\n".join(transcript_lines(pipeline)))


def walk(case: Case, format: str | None) -> Pipeline:
    """The whole corridor over one case."""
    pipeline = Pipeline(format)
    pipeline.head(case.head)
    for read in case.reads:
        pipeline.feed(read)
    pipeline.end(End("closed"))
    return pipeline
