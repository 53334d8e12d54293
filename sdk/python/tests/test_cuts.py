"""The bar: a maker quotes while its connections are cut at random bytes. Nothing doubles, and the book stays right.

`--cuts N` cuts N times, `--seed S` repeats a run.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from bellwether import AsyncClient, Retry
from bellwether.aio import Market, MarketStream
from bellwether.models import Book

from .exchange import Exchange
from .proxy import CuttingProxy, Direction, Kind

SLUG = "housing-bill-this-session"
PATIENCE_SECONDS = 60.0
KINDS: list[tuple[Kind, Direction]] = [
    ("http", "to the exchange"),
    ("http", "to the client"),
    ("stream", "to the exchange"),
    ("stream", "to the client"),
]
BYTES_MAX = {("http", "to the exchange"): 900, ("stream", "to the exchange"): 300}

Levels = tuple[tuple[Decimal, Decimal], ...]


@dataclass(frozen=True)
class State:
    """The local book after one update."""

    sequence: int
    head: int
    bids: Levels
    asks: Levels
    is_trusted: bool


@dataclass
class Follower:
    """Records every state of a local book."""

    stream: MarketStream
    states: list[State] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        async for update in self.stream:
            book = self.stream.book
            bids = tuple((level.price, level.quantity) for level in book.bids())
            asks = tuple((level.price, level.quantity) for level in book.asks())
            self.states.append(State(book.sequence, book.trust.head, bids, asks, book.is_trusted))
            self.kinds.append(update.kind)
            self.news.set()

    async def until_passed(self, sequence: int) -> None:
        """Waits until the book is known up to a sequence."""
        while not self.states or self.states[-1].head < sequence:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE_SECONDS)

    def at(self, sequence: int) -> State | None:
        """The state at a sequence. None: it was skipped by a snapshot, or has not arrived."""
        before = [index for index, state in enumerate(self.states) if state.sequence <= sequence]
        if not before:
            return None
        state = self.states[before[-1]]
        # The next state, if there is one, must have come as a delta: a snapshot may skip what was in between.
        following = before[-1] + 1
        if following < len(self.states) and self.kinds[following] == "snapshot":
            return None
        return state


@dataclass
class Maker:
    """Quotes through the proxy, and counts what the exchange confirmed."""

    market: Market
    choice: random.Random
    placed: set[str] = field(default_factory=set)
    minted: list[str] = field(default_factory=list)
    is_stopping: bool = False

    async def run(self) -> None:
        steps: list[Callable[[], Awaitable[None]]] = [self.place, self.place, self.batch, self.amend, self.mint]
        while not self.is_stopping:
            await self.choice.choice(steps)()
            await self.cancel_oldest()

    async def place(self) -> None:
        order = await self.market.yes.buy(quantity=self.size(), price=self.price(), stp_mode="CANCEL_OLDEST")
        assert order.id not in self.placed, "two placements got one order"
        self.placed.add(order.id)

    async def batch(self) -> None:
        orders = [self.market.no.new_order("BUY", quantity=self.size(), price=self.price()) for _ in range(3)]
        batch = await self.market.client.place(orders)
        assert not batch.failures, batch.failures
        self.placed.update(order.id for order in batch.orders)

    async def amend(self) -> None:
        for order in await self.market.orders(status="open").first(1):
            await order.amend(size=order.size + 1)

    async def mint(self) -> None:
        self.minted.append((await self.market.mint(2)).operation_id)

    async def cancel_oldest(self) -> None:
        resting = await self.market.orders(status="open").all()
        for order in resting[6:]:
            cancelled = await order.cancel()
            assert cancelled.status == "cancelled"

    def size(self) -> int:
        return self.choice.randint(50, 90)

    def price(self) -> Decimal:
        return Decimal(self.choice.randint(5, 25)) / 100


def levels(book: Book) -> tuple[Levels, Levels]:
    sides = (book.bids, book.asks)
    bids, asks = (tuple((level.price, level.quantity) for level in side) for side in sides)
    return bids, asks


async def compare(direct: Market, follower: Follower) -> None:
    """The local book equals the exchange's at one sequence. A sequence that a snapshot skipped is asked anew."""
    while True:
        book = await direct.yes.book()
        sequence = book.as_of
        assert sequence is not None
        await follower.until_passed(sequence)
        state = follower.at(sequence)
        if state is not None:
            assert (state.bids, state.asks) == levels(book), f"the books differ at sequence {sequence}"
            return


async def cut_and_compare(exchange: Exchange, cuts: int, seed: int) -> dict[str, int]:
    choice = random.Random(seed)
    keys = exchange.keys(3)
    async with (
        CuttingProxy(exchange.base_url) as proxy,
        AsyncClient(exchange.base_url, *keys) as direct,
        AsyncClient(proxy.url, *keys, retry=Retry(seconds=300)) as client,
    ):
        seen = (await direct.event(SLUG)).market
        maker = Maker((await client.event(SLUG)).market, random.Random(seed + 1))
        before = {order.id async for order in direct.orders(market_id=seen.id)}
        minted_before = [row.id async for row in direct.activities(type="sets")]
        async with client.follow(seen.id) as stream:
            follower = Follower(stream)
            following = asyncio.ensure_future(follower.run())
            making = asyncio.ensure_future(maker.run())
            for _ in range(cuts):
                kind, direction = choice.choice(KINDS)
                done = proxy.cut(
                    direction, kind, choice.randint(0, BYTES_MAX.get((kind, direction), 3000)), choice.random() < 0.5
                )
                if (kind, direction) == ("stream", "to the exchange"):
                    # Bytes go there only while a connection begins.
                    proxy.end_streams()
                await happened(making, following, done)
                await compare(seen, follower)
            maker.is_stopping = True
            await making
            following.cancel()
        after = {order.id async for order in direct.orders(market_id=seen.id)}
        minted_after = [row.id async for row in direct.activities(type="sets")]
        assert after - before == maker.placed
        assert len(minted_after) - len(minted_before) == len(maker.minted)
        await seen.cancel_all()
    return proxy.cuts


async def happened(making: asyncio.Future[None], following: asyncio.Future[None], done: asyncio.Event) -> None:
    """Waits for a cut, or for the error of a task."""
    waiting = asyncio.ensure_future(done.wait())
    tasks: set[asyncio.Future[Any]] = {waiting, making, following}
    await asyncio.wait(tasks, timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    for task in (making, following):
        if task.done():
            waiting.cancel()
            task.result()
    assert done.is_set(), "the cut did not happen in time"


def test_cut_connections_double_no_order_and_leave_the_local_book_right(
    exchange: Exchange, request: pytest.FixtureRequest
) -> None:
    cuts, seed = request.config.getoption("--cuts"), request.config.getoption("--seed")
    made = asyncio.run(cut_and_compare(exchange, cuts, seed))
    assert sum(made.values()) >= cuts, f"seed {seed}"
    assert min(made.values()) > 0, f"seed {seed}: each kind of connection is cut"
