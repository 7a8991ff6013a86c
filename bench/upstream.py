"""python -m bench.upstream PORT: an upstream that sends one event a write, on a schedule. Run by bench.relay.

The request's model says how: "rate=100 events=500" (events a second, how many). Every event carries the time of its
writing: `sent`, nanoseconds of the machine's monotonic clock, the same for all processes of the machine.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import time

_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
_EVENT = (
    '{"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1767200000,"model":"bench","sent":%d,'
    '"choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}'
)
_FINISH = (
    '{"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1767200000,"model":"bench",'
    '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
)


def _chunk(text: str) -> bytes:
    event = f"data: {text}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(event), event)


def _request_body(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:  # somebody looked whether this port listens
            return b""
        received += piece
    head, body = received.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])  # type: ignore[index]
    while len(body) < length:
        body += connection.recv(65536)
    return body


def _answer(connection: socket.socket) -> None:
    with connection:
        body = _request_body(connection)
        if not body:
            return
        model = json.loads(body)["model"]
        wanted = dict(pair.split("=") for pair in model.split())
        rate, events = float(wanted["rate"]), int(wanted["events"])
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(_HEAD)
        start = time.monotonic() + 0.2
        for number in range(events):
            early = start + number / rate - time.monotonic()
            if early > 0:
                time.sleep(early)
            connection.sendall(_chunk(_EVENT % time.monotonic_ns()))
        connection.sendall(_chunk(_FINISH) + _chunk("[DONE]") + b"0\r\n\r\n")


def main() -> None:
    with socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=128) as server:
        while True:
            connection, _ = server.accept()
            threading.Thread(target=_answer, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    main()
