"""daphne's own server on a socket that is listening already. Called by `manage.py play`."""

from __future__ import annotations

import socket

from daphne.server import Server  # first: it installs the asyncio reactor that the next lines use

from twisted.internet import defer, reactor  # isort: skip

from playground import runs
from playground.asgi import application

SECONDS_TO_CLOSE = 1


def serve(listening: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM; then runs are ended as interrupted, what they have is flushed, and it returns."""
    server = Server(
        application,
        endpoints=[f"fd:fileno={listening.fileno()}"],
        application_close_timeout=SECONDS_TO_CLOSE,
        ready_callable=lambda: _end_runs_at_shutdown(server),
        server_name="stream-playground",
    )
    server.run()


def _end_runs_at_shutdown(server: Server) -> None:
    loop = reactor._asyncioEventloop  # type: ignore[attr-defined]

    def end_runs() -> defer.Deferred[None]:
        return defer.Deferred.fromFuture(loop.create_task(runs.shutdown()))

    reactor.addSystemEventTrigger("before", "shutdown", end_runs)  # type: ignore[attr-defined]
