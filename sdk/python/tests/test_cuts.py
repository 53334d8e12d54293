"""The bar: a maker quotes while its connections are cut at random bytes. Nothing doubles, and local copies stay right.

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

from bellwether_exchange import AsyncClient, BellwetherError, Retry
from bellwether_exchange.aio import Market
from bellwether_exchange.requests.base import Access, read

from .exchange import Exchange
from .followers import AccountState, BookState, Follower, book_state, dollars, open_orders
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
OTHER_BYTES_MAX = 3000


@dataclass
class Maker:
    """Quotes through the proxy, and counts what the exchange confirmed."""

    market: Market
    choice: random.Random
    placed: set[str] = field(default_factory=set)
    minted: int = 0
    is_stopping: bool = False

    async def run(self) -> None:
        steps: list[Callable[[], Awaitable[None]]] = [self.place, self.place, self.batch, self.amend, self.mint]
        while not self.is_stopping:
            await self.choice.choice(steps)()
            await self.cancel_oldest()

    async def place(self) -> None:
        order = await self.market.yes.buy(quantity=self.size(), price=self.price())
        assert order.id not in self.placed, "two placements got one order"
        self.placed.add(order.id)

    async def batch(self) -> None:
        orders = [self.market.no.new_order("BUY", quantity=self.size(), price=self.price()) for _ in range(3)]
        batch = await self.market.client.place(orders)
        assert not batch.failures, batch.failures
        self.placed.update(order.id for order in batch.orders)

    async def amend(self) -> None:
        for order in await self.market.orders(status="open").first(1):
            await unless_filled(order.amend(size=order.size + 1))

    async def mint(self) -> None:
        await self.market.mint(2)
        self.minted += 1

    async def cancel_oldest(self) -> None:
        resting = await self.market.orders(status="open").all()
        for order in resting[6:]:
            await unless_filled(order.cancel())

    def size(self) -> int:
        return self.choice.randint(50, 90)

    def price(self) -> Decimal:
        return Decimal(self.choice.randint(5, 25)) / 100


async def unless_filled(change: Awaitable[Any]) -> None:
    """Changes an order that the taker may have filled in the meantime."""
    try:
        await change
    except BellwetherError as error:
        if "ORDER_NOT_OPEN" not in str(error):
            raise


async def read_book(market: Market) -> tuple[int, BookState]:
    book = await market.yes.book()
    assert book.as_of is not None
    bids, asks = (tuple((level.price, level.quantity) for level in side) for side in (book.bids, book.asks))
    return book.as_of, (bids, asks)


async def read_orders(client: AsyncClient) -> tuple[int, dict[str, Decimal]]:
    answer = await client.send(read("/v1/pm/orders", {"status": "open", "size": 100}, Access.READ))
    assert answer.as_of is not None
    assert answer.payload["pagination"]["lastPage"] == 1
    return answer.as_of, {row["id"]: Decimal(row["size"]) for row in answer.payload["orders"]}


async def read_dollars(client: AsyncClient) -> tuple[int, tuple[Decimal, Decimal]]:
    wallet = (await client.wallets())["USD"]
    assert wallet.as_of is not None
    return wallet.as_of, (wallet.available_balance, wallet.pending_balance)


async def compare(
    what: str, look: Callable[[], Awaitable[tuple[int, Any]]], at: Callable[[int], Awaitable[Any]]
) -> None:
    """The local copy equals the exchange's state at one sequence. A sequence that a snapshot skipped is read anew."""
    while True:
        sequence, expected = await look()
        local = await at(sequence)
        if local is not None:
            assert local == expected, f"{what} differ at sequence {sequence}"
            return


async def happened(tasks: list[asyncio.Task[None]], done: asyncio.Event) -> None:
    """Waits for a cut, or for the error of a task."""
    waiting = asyncio.create_task(done.wait())
    everything: set[asyncio.Task[Any]] = {waiting, *tasks}
    await asyncio.wait(everything, timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    for task in tasks:
        if task.done():
            task.result()
    assert done.is_set(), "the cut did not happen in time"


async def part(follower: Follower[AccountState], sequence: int, index: int) -> Any:
    state = await follower.at(sequence)
    return None if state is None else state[index]


def plan(proxy: CuttingProxy, choice: random.Random) -> asyncio.Event:
    """Plans the next cut: of an order's request or answer, or of a stream, at any byte."""
    kind, direction = choice.choice(KINDS)
    after_bytes = choice.randint(0, BYTES_MAX.get((kind, direction), OTHER_BYTES_MAX))
    done = proxy.cut(direction, kind, after_bytes, is_reset=choice.random() < 0.5)
    if (kind, direction) == ("stream", "to the exchange"):
        # Bytes go there only while a connection begins.
        proxy.end_streams()
    return done


async def cut_and_compare(exchange: Exchange, cuts: int, seed: int) -> dict[str, int]:
    choice = random.Random(seed)
    keys = exchange.keys(3)
    async with (
        CuttingProxy(exchange.base_url) as proxy,
        AsyncClient(exchange.base_url, *keys) as direct,
        AsyncClient(exchange.base_url, *exchange.keys(4)) as other,
        AsyncClient(proxy.url, *keys, retry=Retry(seconds=300)) as client,
    ):
        seen = (await direct.event(SLUG)).market
        taker = (await other.event(SLUG)).market
        await taker.mint(10 * cuts)
        before = {order.id async for order in direct.orders(market_id=seen.id)}
        minted_before = len(await direct.activities(type="sets").all())
        maker = Maker((await client.event(SLUG)).market, random.Random(seed + 1))
        async with client.follow(seen.id) as stream, client.follow_account() as account:
            books = Follower(stream, lambda: book_state(stream.book))
            accounts = Follower(account, lambda: (open_orders(account.account), dollars(account.account)))
            tasks = [asyncio.create_task(work.run()) for work in (maker, books, accounts)]
            for _ in range(cuts):
                await happened(tasks, plan(proxy, choice))
                await taker.yes.sell(quantity=choice.randint(1, 9), price="0.05", time_in_force="FAK")
                await compare("the books", lambda: read_book(seen), books.at)
                await compare("the orders", lambda: read_orders(direct), lambda at: part(accounts, at, 0))
                await compare("the dollars", lambda: read_dollars(direct), lambda at: part(accounts, at, 1))
            maker.is_stopping = True
            await tasks[0]
            for task in tasks[1:]:
                task.cancel()
        after = {order.id async for order in direct.orders(market_id=seen.id)}
        assert after - before == maker.placed
        assert len(await direct.activities(type="sets").all()) - minted_before == maker.minted
        await seen.cancel_all()
    return proxy.cuts


def test_cut_connections_double_no_order_and_leave_local_copies_right(
    exchange: Exchange, request: pytest.FixtureRequest
) -> None:
    cuts, seed = request.config.getoption("--cuts"), request.config.getoption("--seed")
    made = asyncio.run(cut_and_compare(exchange, cuts, seed))
    assert sum(made.values()) >= cuts, f"seed {seed}"
    assert min(made.values()) > 0, f"seed {seed}: each kind of connection is cut"
