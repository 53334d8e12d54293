"""Streams against a server that misbehaves as planned: gaps, duplicates, silence, refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from bellwether_exchange import AsyncClient, StreamRefused, Update
from bellwether_exchange.aio import MarketStream

ROOM = "changes:m:USD"


def message(kind: str, sequence: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "room": ROOM, "sequence": sequence, "timestamp": 1, **more}


def snapshot(sequence: int, quantity: int) -> dict[str, Any]:
    return message("snapshot", sequence, data={"bids": [{"price": 0.4, "quantity": quantity}]})


def delta(sequence: int, previous: int, quantity: int) -> dict[str, Any]:
    return {**snapshot(sequence, quantity), "type": "delta", "previousSequence": previous}


@dataclass
class Venue:
    """Answers the n-th subscription with the n-th script. A script ends with "close" or leaves the connection open."""

    scripts: list[list[Any]]
    subscriptions: list[dict[str, Any]] = field(default_factory=list)

    async def handle(self, connection: ServerConnection) -> None:
        try:
            await connection.send(json.dumps({"type": "connected", "clientId": "c", "timestamp": 1}))
            async for text in connection:
                self.subscriptions.append(json.loads(text))
                await self.play(connection)
        except ConnectionClosed:
            return

    async def play(self, connection: ServerConnection) -> None:
        for step in self.scripts[min(len(self.subscriptions), len(self.scripts)) - 1]:
            if step == "close":
                await connection.close(1013, "updates were missed")
            elif isinstance(step, str):
                await connection.send(step)
            else:
                await connection.send(json.dumps(step))


@asynccontextmanager
async def following(venue: Venue, silence_seconds: float | None = None) -> AsyncIterator[MarketStream]:
    async with serve(venue.handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with (
            AsyncClient(f"http://127.0.0.1:{port}") as client,
            client.follow("m", silence_seconds=silence_seconds) as stream,
        ):
            yield stream


async def first(stream: MarketStream, count: int) -> list[Update]:
    updates: list[Update] = []
    async for update in stream:
        updates.append(update)
        if len(updates) == count:
            break
    return updates


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_a_gap_starts_the_room_over_once() -> None:
    venue = Venue([[snapshot(5, 1), delta(9, 8, 2), delta(10, 9, 3), delta(11, 10, 4)], [snapshot(12, 7)]])

    async def scenario() -> None:
        async with following(venue) as stream:
            updates = await first(stream, 3)
            assert [update.kind for update in updates] == ["snapshot", "untrusted", "snapshot"]
            assert stream.book.bids()[0].quantity == 7

    run(scenario)
    assert ["resumeFrom" in subscription for subscription in venue.subscriptions] == [False, False]


def test_a_duplicate_changes_nothing() -> None:
    venue = Venue([[snapshot(5, 1), delta(6, 5, 2), delta(6, 5, 9), delta(7, 6, 3)]])

    async def scenario() -> None:
        async with following(venue) as stream:
            updates = await first(stream, 3)
            assert [update.sequence for update in updates] == [5, 6, 7]
            assert stream.book.bids()[0].quantity == 3

    run(scenario)


def test_a_closed_connection_is_resumed_from_the_last_sequence() -> None:
    venue = Venue([[snapshot(5, 1), delta(6, 5, 2), "close"], [delta(8, 6, 4)]])

    async def scenario() -> None:
        async with following(venue) as stream:
            updates = await first(stream, 4)
            assert [update.kind for update in updates] == ["snapshot", "delta", "untrusted", "delta"]
            assert "1013" in updates[2].reason
            assert (stream.book.sequence, stream.book.is_trusted) == (8, True)

    run(scenario)
    assert venue.subscriptions[1]["resumeFrom"] == 6


def test_a_silent_connection_is_dead() -> None:
    venue = Venue([[snapshot(5, 1)], [delta(6, 5, 2)]])

    async def scenario() -> None:
        async with following(venue, silence_seconds=0.2) as stream:
            updates = await first(stream, 3)
            assert [update.kind for update in updates] == ["snapshot", "untrusted", "delta"]
            assert "no message" in updates[1].reason

    run(scenario)


@pytest.mark.parametrize("garbage", ["[]", "not json", '"text"', '{"type":"delta"'])
def test_garbage_ends_the_connection_and_not_the_stream(garbage: str) -> None:
    venue = Venue([[snapshot(5, 1), garbage], [delta(6, 5, 2)]])

    async def scenario() -> None:
        async with following(venue) as stream:
            updates = await first(stream, 3)
            assert [update.kind for update in updates] == ["snapshot", "untrusted", "delta"]

    run(scenario)


def test_a_subscription_that_is_refused_again_and_again_is_an_error() -> None:
    refusal = {"type": "error", "data": {"message": "Market not found: m"}, "room": ROOM, "timestamp": 1}
    venue = Venue([[refusal]])

    async def scenario() -> None:
        async with following(venue) as stream:
            with pytest.raises(StreamRefused, match="Market not found"):
                await first(stream, 1)

    run(scenario)
    assert len(venue.subscriptions) == 3
