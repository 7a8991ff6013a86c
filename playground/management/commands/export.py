"""`manage.py export SESSION KIND`: a kept session as a file, the same bytes as the page's menu gives."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from playground.recordings.archive import take
from playground.recordings.exporting import KINDS, export


class Command(BaseCommand):
    help = "Write a session to a file. Kinds: " + " ".join(f"{kind.name} - {kind.purpose}" for kind in KINDS.values())

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("session", metavar="SESSION", help="the id in its address, /sessions/ID/")
        parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
        parser.add_argument("-o", "--output", metavar="FILE", help="- for standard output; default: named by its title")
        parser.add_argument("--lane", type=int, help="one lane of the session, from 0")

    def handle(self, *, session: str, kind: str, output: str | None, lane: int | None, **options: Any) -> None:
        taken = take(session, lane)
        if taken is None:
            place = "here" if lane is None else f"here with a lane {lane}"
            raise CommandError(f"There is no session {session} {place}.")
        file = export(taken, KINDS[kind])
        if output == "-":
            _print(file.pieces)
            return
        path = Path(output or file.name)
        try:
            with path.open("wb") as written:
                written.writelines(file.pieces)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        self.stderr.write(f"{path}: {path.stat().st_size:,} bytes")


def _print(pieces: Any) -> None:
    try:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; at exit nothing may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
