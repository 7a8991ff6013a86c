"""A viewer over a real socket: starts sessions on a daphne and collects every step of every lane."""

from __future__ import annotations

import json
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tests.support.daphne import Daphne

SECONDS = 30


async def start_session(daphne: Daphne, *lanes: dict[str, Any]) -> str:
    """POST /sessions/ as the page does; the session's id."""
    async with httpx.AsyncClient(base_url=daphne.url, trust_env=False, timeout=SECONDS) as client:
        await client.get("/")
        headers = {"x-csrftoken": client.cookies.get("csrftoken") or "", "origin": daphne.url}
        answer = await client.post("/sessions/", json={"lanes": list(lanes)}, headers=headers)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


async def watch_to_the_end(daphne: Daphne, session: str) -> dict[int, list[dict[str, Any]]]:
    """All steps by lane, from step 0 to the one with the end; frames acknowledged, pieces joined."""
    steps: dict[int, list[dict[str, Any]]] = {}
    open_lanes: set[int] = set()
    pieces: list[str] = []
    address = f"ws://127.0.0.1:{daphne.port}/ws/sessions/{session}/"
    async with connect(address, origin=daphne.url, max_size=None, proxy=None) as socket:  # type: ignore[arg-type]
        async for text in socket:
            message = json.loads(text)
            frame = message.get("frame")
            if message["type"] == "piece":
                pieces.append(message["text"])
                if len(pieces) < message["of"]:
                    continue
                message, pieces = json.loads("".join(pieces)), []
            if frame is not None:
                await socket.send(json.dumps({"type": "ack", "frame": frame}))
            if message["type"] == "session":
                open_lanes = {lane["lane"] for lane in message["lanes"]}
                steps = {lane: [] for lane in open_lanes}
            elif message["type"] == "steps":
                steps[message["lane"]] += message["steps"]
                if "end" in message["steps"][-1]:
                    open_lanes.discard(message["lane"])
            if not open_lanes:
                return steps
    raise AssertionError("the socket closed before every lane had its end")
