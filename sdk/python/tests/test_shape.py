"""The sync and the async client have one shape, and what is made by scripts is up to date."""

from __future__ import annotations

import asyncio
import inspect
from decimal import Decimal

import pytest

import bellwether_exchange
from bellwether_exchange import aio, sync

from .conftest import BOOK
from .exchange import Exchange

PAIRS = [
    (aio.AsyncClient, sync.Client),
    (aio.Event, sync.Event),
    (aio.Market, sync.Market),
    (aio.Outcome, sync.Outcome),
    (aio.Order, sync.Order),
    (aio.Pager, sync.Pager),
    (aio.MarketStream, sync.MarketStream),
    (aio.AccountStream, sync.AccountStream),
    (aio.Listener, sync.Listener),
]


def shape(kind: type) -> dict[str, list[str]]:
    methods = inspect.getmembers(kind, inspect.isfunction)
    return {name: list(inspect.signature(method).parameters) for name, method in methods if not name.startswith("_")}


@pytest.mark.parametrize(("asynchronous", "synchronous"), PAIRS)
def test_both_clients_have_the_same_methods_with_the_same_arguments(asynchronous: type, synchronous: type) -> None:
    assert shape(asynchronous) == shape(synchronous)
    assert shape(asynchronous)


def test_every_public_name_exists_and_is_documented() -> None:
    for name in bellwether_exchange.__all__:
        thing = getattr(bellwether_exchange, name)
        assert inspect.getdoc(thing), name


def test_the_async_client_trades(exchange: Exchange) -> None:
    async def scenario() -> None:
        async with aio.AsyncClient.from_demo(exchange.demo_file, user=2) as client:
            market = (await client.event(BOOK)).market
            orders = await asyncio.gather(*(market.yes.buy(quantity=100, price="0.02") for _ in range(10)))
            assert len({order.id for order in orders}) == 10
            open_orders = [order async for order in market.orders(status="open", size=3)]
            assert {order.id for order in orders} <= {order.id for order in open_orders}
            await orders[0].cancel()
            assert (await orders[0].wait()).status == "cancelled"
            await market.cancel_all()
            bought = await market.yes.buy(5)
            assert (await market.yes.sell(quantity=bought.filled_size)).is_filled
            frame = await client.trades(market_id=market.id).to_df()
            assert isinstance(frame["price"].iloc[0], Decimal)

    asyncio.run(scenario())
