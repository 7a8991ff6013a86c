"""`manage.py import FILE`: what the page's import does, for scripts and pipes; prints the session's address."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from playground.recordings.cases import BODY_FILE, CUTS_FILE, HEAD_FILE
from playground.recordings.importing import KINDS, ImportRefused, read_together
from playground.recordings.records import Record, Trouble
from playground.recordings.taking import take_in

UNREADABLE = 2


class Command(BaseCommand):
    help = "Keep a stream that was saved elsewhere as a session: " + "; ".join(
        f"{kind.title[0].lower()}{kind.title[1:]}" for kind in KINDS.values()
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="FILE", help="a file, a case folder, or - for standard input")
        parser.add_argument("--title", default="", help="the session's title, where the file has none")
        parser.add_argument("--kind", choices=list(KINDS), default="", help="what it is; without it that is recognised")

    def handle(self, *, path: str, title: str, kind: str, **options: Any) -> None:
        try:
            with ExitStack() as opened:
                records = read_together(self._files(path, opened), kind)
                name = "" if path == "-" else Path(path).resolve().name
                session = take_in(self._told(records), title or name)
        except (ImportRefused, OSError) as error:
            raise CommandError(f"{path}: {error}", returncode=UNREADABLE) from None
        self.stdout.write(f"/sessions/{session}/")

    def _files(self, path: str, opened: ExitStack) -> Mapping[str, BinaryIO]:
        if path == "-":
            return {"": sys.stdin.buffer}
        place = Path(path)
        if not place.is_dir():
            return {place.name: opened.enter_context(place.open("rb"))}
        files = {
            name: opened.enter_context((place / name).open("rb"))
            for name in (BODY_FILE, CUTS_FILE, HEAD_FILE)
            if (place / name).is_file()
        }
        if BODY_FILE not in files:
            raise CommandError(
                f"{path}: a folder without {BODY_FILE}; name a file, or a folder with {BODY_FILE} in it.",
                returncode=UNREADABLE,
            )
        return files

    def _told(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in records:
            if isinstance(record, Trouble):
                self.stderr.write(f"{record.where}: {record.message}")
            yield record
