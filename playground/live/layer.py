"""The channel layer of one server: Channels' own in memory, with a group message put straight into the queues.

Named in settings. Channels copies every message deeply and makes a task for every viewer, 0.1 ms each; who takes
messages here never changes them.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from channels.layers import InMemoryChannelLayer


class MemoryLayer(InMemoryChannelLayer):
    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.group_send_now(group, message)

    def group_send_now(self, group: str, message: dict[str, Any]) -> None:
        """To every channel of the group. A channel that is full misses the message, as with every layer."""
        expires = time.time() + self.expiry
        for channel in self.groups.get(group, ()):
            queue = self.channels.get(channel)
            if queue is None:
                queue = self.channels[channel] = asyncio.Queue(maxsize=self.get_capacity(channel))
            if not queue.full():
                queue.put_nowait((expires, message))

    async def receive(self, channel: str) -> dict[str, Any]:
        queue = self.channels.get(channel)
        if queue is None:
            queue = self.channels[channel] = asyncio.Queue(maxsize=self.get_capacity(channel))
        try:
            _, message = await queue.get()
        except BaseException:
            self.channels.pop(channel, None)  # whoever listened there is gone
            raise
        return message
