"""`manage.py rebuild`: make the library's entries anew from what is kept, with today's decoders."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from playground.recordings.rebuild import rebuild

EVERY = 50


class Command(BaseCommand):
    help = (
        "Read every kept stream again and make anew what lists and search show of it: figures, findings, words, text. "
        "The recordings themselves stay as they are. Safe while the server runs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--after", default="", metavar="ID", help="go on behind this session, where one was left")

    def handle(self, *, after: str, **options: Any) -> None:
        last, done, troubles = after, 0, 0
        try:
            for rebuilt in rebuild(after):
                last, done = rebuilt.session, rebuilt.number
                for trouble in rebuilt.troubles:
                    troubles += 1
                    self.stderr.write(trouble)
                if done % EVERY == 0 or done == rebuilt.of:
                    self.stdout.write(f"{done} of {rebuilt.of} sessions, the last is {last}")
                    self.stdout.flush()
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. To go on: manage.py rebuild --after={last}", returncode=130) from None
        if done == 0:
            self.stdout.write("There is nothing to rebuild.")
        if troubles:
            lanes = "one lane" if troubles == 1 else f"{troubles} lanes"
            raise CommandError(f"Done, but for {lanes} that cannot be read.")
