"""llmock, a mock of several vendors, in a process of its own: the real upstream of tests that route to one."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

SECONDS_TO_START = 30


@contextmanager
def llmock(*options: str) -> Iterator[str]:
    """Its address, http://127.0.0.1:port, as long as it runs. Options are those of `llmock serve`."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command: Sequence[str] = [sys.executable, "-c", "from llmock.cli import app; app()"]
    process = subprocess.Popen(
        [*command, "serve", "--port", str(port), "--log-level", "warning", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(process, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"llmock did not come up (exit status {process.poll()})")
