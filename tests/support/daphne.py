"""A real daphne in a process of its own, with its own database file and port. Used by tests that need real HTTP.

`daphne` is one server for the whole test run; `start_daphne` starts servers that a test may stop, kill and start again.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GATEWAY_ALONE = "tests.support.gateway_alone:application"
APPLICATION = "playground.asgi:application"
SECONDS_TO_START = 60
SECONDS_TO_STOP = 10


class Daphne:
    """One server: `url` (http://127.0.0.1:port), `port`, `log` (a file with what it printed), `process`.

    `folder` keeps the database file and the log; a second server on the same folder has the same database.
    """

    def __init__(self, folder: Path, environment: dict[str, str] | None = None, application: str = APPLICATION) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "daphne.log"
        # The listening socket is made here and handed over: nobody can take the port in between, and a request sent
        # before the server is up simply waits for its answer.
        with socket.create_server(("127.0.0.1", 0)) as listening, self.log.open("ab") as log:
            listening.set_inheritable(True)
            self.port: int = listening.getsockname()[1]
            self.url = f"http://127.0.0.1:{self.port}"
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.daphne", str(listening.fileno()), application],
                cwd=ROOT,
                env={
                    **os.environ,
                    "PYTHONPATH": str(ROOT),
                    "DJANGO_SETTINGS_MODULE": "playground.settings",
                    "SECRET_KEY": "for-tests-alone",
                    "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
                    "PLAYGROUND_GATEWAY_URL": f"{self.url}/v1",
                    **(environment or {}),
                },
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,  # its end tells the server that this process is gone, however it went
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self._wait_for_an_answer()
        except BaseException:
            self.kill()
            raise

    def _wait_for_an_answer(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_START)
        try:
            connection.request("GET", "/v1/models")
            connection.getresponse().read()
        except (OSError, http.client.HTTPException) as error:
            raise RuntimeError(f"daphne did not come up ({error}); it said:\n{self.log.read_text()}") from error
        finally:
            connection.close()

    def stop(self) -> int:
        """End it as Ctrl+C does and wait; the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                self.kill()
        self._let_go()
        return self.process.returncode

    def kill(self) -> None:
        """End it as a crash does."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._let_go()

    def _let_go(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()


@pytest.fixture(scope="session")
def daphne(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daphne]:
    """One server that the whole test run shares: use addresses and ids of your own, leave nothing behind."""
    server = Daphne(tmp_path_factory.mktemp("daphne"))
    yield server
    server.stop()


@pytest.fixture
def start_daphne(tmp_path: Path) -> Iterator[Callable[..., Daphne]]:
    """Start servers of this test's own, by default on one database; all are ended after the test.

    `start_daphne(environment={"PLAYGROUND_LANES_AT_ONCE": "2"})`; `folder=` gives another database.
    """
    servers: list[Daphne] = []

    def start(
        folder: Path | None = None, environment: dict[str, str] | None = None, application: str = APPLICATION
    ) -> Daphne:
        servers.append(Daphne(folder or tmp_path / "daphne", environment, application))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def serve(file_descriptor: str, application: str) -> None:
    """Run in the process of its own: migrate, then serve on the socket that was handed over."""
    import django
    from daphne.cli import CommandLineInterface
    from django.core.management import call_command

    threading.Thread(target=_end_with_the_tests, daemon=True).start()
    django.setup()
    call_command("migrate", verbosity=0)
    CommandLineInterface().run(["--fd", file_descriptor, "--application-close-timeout", "2", application])


def _end_with_the_tests() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    serve(*sys.argv[1:])
