"""The channel layer of one server keeps the promises of Channels' own."""

from __future__ import annotations

import asyncio

from playground.live.layer import MemoryLayer


async def test_a_group_message_reaches_all_who_joined_and_nobody_else() -> None:
    layer = MemoryLayer()
    one, two, away = [await layer.new_channel() for _ in range(3)]
    for channel in (one, two):
        await layer.group_add("group", channel)
    await layer.group_send("group", {"type": "x", "number": 1})
    await layer.group_discard("group", two)
    await layer.group_send("group", {"type": "x", "number": 2})
    assert [(await layer.receive(one))["number"] for _ in range(2)] == [1, 2]
    assert (await layer.receive(two))["number"] == 1
    for channel in (two, away):
        assert channel not in layer.channels or layer.channels[channel].empty()


async def test_a_full_channel_misses_messages_and_nobody_waits() -> None:
    layer = MemoryLayer(capacity=3)
    channel = await layer.new_channel()
    await layer.group_add("group", channel)
    for number in range(9):
        layer.group_send_now("group", {"type": "x", "number": number})
    assert [(await layer.receive(channel))["number"] for _ in range(3)] == [0, 1, 2]


async def test_who_stops_listening_leaves_nothing_behind() -> None:
    layer = MemoryLayer()
    channel = await layer.new_channel()
    await layer.group_add("group", channel)
    listening = asyncio.get_running_loop().create_task(layer.receive(channel))
    await asyncio.sleep(0)
    await layer.group_discard("group", channel)
    listening.cancel()
    await asyncio.wait([listening])
    assert channel not in layer.channels
