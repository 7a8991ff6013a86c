"""Which servers live: several may share the tables, and only calls of those that are gone are settled by others.

Asked by ledger.py. A server is named by its host, its number there and when it began, since numbers are given again.
"""

from __future__ import annotations

import datetime
import functools
import os
import socket
from pathlib import Path

from django.utils import timezone

BEAT = 1.0
"""Seconds after which a server says again that a call runs, and what it came to so far."""

SILENCE = datetime.timedelta(seconds=30 * BEAT)
"""A server on another host that has not said so for this long is gone."""


@functools.cache
def _name(number: int) -> str:
    return f"{socket.gethostname()[:255]}/{number}/{_born(number)}"


def this_server() -> str:
    return _name(os.getpid())


def lives(server: str, seen: datetime.datetime) -> bool:
    """Whether the server that called itself so, last at `seen`, still runs."""
    if server == this_server():
        return True
    host, number, born = server.rsplit("/", 2)
    if host != socket.gethostname()[:255]:
        return timezone.now() - seen < SILENCE
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return born == _born(int(number))


def _born(number: int) -> str:
    """In the system's own ticks; "" where it does not say."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
