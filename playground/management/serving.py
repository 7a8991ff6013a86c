"""daphne's own server on a socket that is listening already. Called by `manage.py play`."""

from __future__ import annotations

import asyncio
import gc
import socket
from typing import Any

from channels.routing import get_default_application
from daphne.server import Server  # first: it installs the asyncio reactor that the next lines use

from twisted.internet import defer, reactor  # isort: skip

from playground import runs

SECONDS_TO_CLOSE = 1
ALLOCATIONS_A_COLLECTION = 50_000
_reactor: Any = reactor
"""Typed as nothing in particular: its interfaces are declared without their event loop."""


def serve(listening: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM; then runs are ended as interrupted, what they have is flushed, and it returns."""
    server = Server(
        get_default_application(),
        endpoints=[f"fd:fileno={listening.fileno()}"],
        application_close_timeout=SECONDS_TO_CLOSE,
        ready_callable=_prepare,
        server_name="stream-playground",
    )
    server.run()


def _prepare() -> None:
    loop: asyncio.AbstractEventLoop = _reactor._asyncioEventloop

    def end_runs() -> defer.Deferred[None]:
        return defer.Deferred.fromFuture(loop.create_task(runs.shutdown()))

    _reactor.addSystemEventTrigger("before", "shutdown", end_runs)
    # Rows and operations are many and make no cycles: the collector's usual pace costs 0.5 to 1 µs an event.
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_A_COLLECTION, 20, 20)
