"""The sync client, whose sockets are its own code, while its connections are cut."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator

import pytest

from bellwether_exchange import Client, MarketStream, Retry, Update

from .conftest import client_of
from .exchange import Exchange
from .proxy import CuttingProxy, Direction, Kind

SLUG = "city-referendum"
CUTS = 12
PATIENCE_SECONDS = 60.0


class ThreadedProxy:
    """A proxy in a thread of its own."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))

    def __enter__(self) -> ThreadedProxy:
        self._thread.start()
        assert self._is_ready.wait(PATIENCE_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE_SECONDS)
        self._loop.close()

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        async with CuttingProxy(self._target) as self.proxy:
            self._is_ready.set()
            await self._end.wait()

    def cut(self, direction: Direction, kind: Kind, after_bytes: int, is_reset: bool) -> None:
        self._loop.call_soon_threadsafe(self.proxy.cut, direction, kind, after_bytes, is_reset)

    def end_streams(self) -> None:
        self._loop.call_soon_threadsafe(self.proxy.end_streams)


@pytest.fixture
def proxy(exchange: Exchange) -> Iterator[ThreadedProxy]:
    with ThreadedProxy(exchange.base_url) as running:
        yield running


def test_a_cut_request_or_answer_doubles_no_order(
    exchange: Exchange, proxy: ThreadedProxy, request: pytest.FixtureRequest
) -> None:
    choice = random.Random(request.config.getoption("--seed"))
    directions: list[Direction] = ["to the exchange", "to the client"]
    with Client(proxy.proxy.url, *exchange.keys(5), retry=Retry(300)) as client, client_of(exchange, 5) as direct:
        market = client.event(SLUG).markets[0]
        before = {order.id for order in direct.orders(market_id=market.id)}
        placed = []
        while proxy.proxy.cuts["http"] < CUTS:
            proxy.cut(choice.choice(directions), "http", choice.randint(0, 900), choice.random() < 0.5)
            placed.append(market.yes.buy(quantity=100, price="0.02").id)
        after = {order.id for order in direct.orders(market_id=market.id)}
        assert after - before == set(placed)
        assert len(set(placed)) == len(placed)
        direct.cancel_all(market_id=market.id)


def test_a_cut_stream_says_so_and_continues_without_a_gap(exchange: Exchange, proxy: ThreadedProxy) -> None:
    with client_of(exchange, 5) as direct, Client(proxy.proxy.url) as client:
        market = direct.event(SLUG).markets[1]
        with client.follow(market.id) as stream:
            updates = iter(stream)
            assert next(updates).kind == "snapshot"
            for number in range(CUTS):
                proxy.end_streams()
                assert next(update for update in updates if update.kind == "untrusted").reason
                assert not stream.book.is_trusted
                order = market.yes.buy(quantity=100 + number, price="0.02")
                wait_for(updates, stream, order.as_of)
                book = market.yes.book()
                local = [(level.price, level.quantity) for level in stream.book.bids()]
                assert local == [(level.price, level.quantity) for level in book.bids]
                order.cancel()


def wait_for(updates: Iterator[Update], stream: MarketStream, sequence: int | None) -> None:
    assert sequence is not None
    while not (stream.book.is_trusted and stream.book.sequence >= sequence):
        next(updates)
