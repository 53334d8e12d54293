"""The exchange as CCXT sees it, through CCXT's own methods."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from ccxt.base.errors import AuthenticationError, BadSymbol, InsufficientFunds, OrderNotFound

from bellwether_exchange import Client
from bellwether_exchange.ccxt import bellwether

from .conftest import BOOK
from .exchange import Exchange


def run(exchange: Exchange, scenario: Callable[[Any], Awaitable[None]], **settings: Any) -> None:
    async def with_exchange() -> None:
        public_key, secret_key = exchange.keys(6)
        options = {"baseUrl": exchange.base_url}
        venue = bellwether({"apiKey": public_key, "secret": secret_key, "options": options, **settings})
        try:
            await scenario(venue)
        finally:
            await venue.close()

    asyncio.run(with_exchange())


async def yes_of(venue: Any) -> str:
    event = await venue.fetch_event(BOOK)
    return str(event["markets"][0]["outcomes"][0]["outcome"])


def test_events_markets_and_outcomes_have_ccxt_s_shape(exchange: Exchange) -> None:
    async def scenario(venue: Any) -> None:
        event = await venue.fetch_event(BOOK)
        market = event["markets"][0]
        assert (market["marketType"], market["executionModel"], market["collateral"]) == ("binary", "clob", "USD")
        assert [outcome["label"] for outcome in market["outcomes"]] == ["YES", "NO"]
        handle = market["outcomes"][0]["outcome"]
        assert handle.endswith(":YES")
        assert venue.outcome(handle)["outcomeId"] == market["outcomes"][0]["outcomeId"]
        markets = await venue.load_markets(True)
        assert market["market"] in markets
        assert len(markets) > 20
        assert len(venue.outcomes) == 2 * len(markets)
        found = await venue.fetch_events({"query": "rain"})
        assert BOOK in [row["slug"] for row in found]
        with pytest.raises(BadSymbol):
            await venue.fetch_ticker("NO_SUCH:YES")

    run(exchange, scenario)


def test_market_data_is_of_the_outcome(exchange: Exchange) -> None:
    async def scenario(venue: Any) -> None:
        yes = await yes_of(venue)
        no = yes.replace(":YES", ":NO")
        book, mirrored = await venue.fetch_order_book(yes), await venue.fetch_order_book(no)
        assert book["bids"][0][0] == pytest.approx(1 - mirrored["asks"][0][0])
        assert book["nonce"] > 0
        ticker = await venue.fetch_ticker(yes)
        assert (ticker["bid"], ticker["ask"]) == (book["bids"][0][0], book["asks"][0][0])
        order = await venue.create_market_buy_order_with_cost(yes, 5)
        trades = await venue.fetch_trades(yes, limit=5)
        assert (trades[-1]["price"], trades[-1]["side"]) == (order["average"], "buy")
        assert (await venue.fetch_ohlcv(yes, "1m"))[-1][5] >= order["filled"]
        mine = await venue.fetch_my_trades(yes)
        assert (mine[-1]["order"], mine[-1]["side"], mine[-1]["takerOrMaker"]) == (order["id"], "buy", "taker")
        positions = await venue.fetch_positions([yes])
        assert positions[0]["contracts"] >= order["filled"]
        sold = await venue.create_order(yes, "market", "sell", order["filled"])
        assert (sold["status"], sold["filled"]) == ("closed", order["filled"])

    run(exchange, scenario)


def test_a_maker_s_trade_has_the_maker_s_side_and_price(exchange: Exchange, ada: Client) -> None:
    async def scenario(venue: Any) -> None:
        yes = await yes_of(venue)
        order = await venue.create_order(yes, "limit", "buy", 100, 0.35)
        # A buyer of NO meets a buyer of YES: a pair is created.
        await asyncio.to_thread(ada.event(BOOK).market.no.buy, quantity=100, price="0.65")
        trade = (await venue.fetch_my_trades(yes))[-1]
        assert (trade["order"], trade["side"], trade["takerOrMaker"]) == (order["id"], "buy", "maker")
        assert (trade["price"], trade["amount"], trade["fee"]["cost"]) == (0.35, 100, 0)
        public = (await venue.fetch_trades(yes))[-1]
        assert (public["side"], public["price"]) == ("sell", 0.35)

    run(exchange, scenario)


def test_orders_are_placed_edited_listed_and_cancelled(exchange: Exchange) -> None:
    async def scenario(venue: Any) -> None:
        yes = await yes_of(venue)
        order = await venue.create_order(yes, "limit", "buy", 100, 0.02, {"postOnly": True, "clientOrderId": "ccxt-1"})
        assert (order["status"], order["price"], order["amount"]) == ("open", 0.02, 100)
        assert (order["outcome"], order["clientOrderId"]) == (yes, "ccxt-1")
        edited = await venue.edit_order(order["id"], yes, "limit", "buy", 120, 0.03)
        assert (edited["amount"], edited["price"]) == (120, 0.03)
        assert order["id"] in [row["id"] for row in await venue.fetch_open_orders(yes)]
        assert (await venue.fetch_balance())["USD"]["used"] >= 3.6
        assert (await venue.cancel_order(order["id"]))["status"] == "canceled"
        assert (await venue.fetch_order(order["id"]))["status"] == "canceled"
        item = {"outcome": yes, "type": "limit", "side": "buy", "amount": 100, "price": 0.02}
        batch = await venue.create_orders([item, {**item, "side": "sell", "amount": 999_999, "price": 0.99}])
        assert [row["status"] for row in batch] == ["open", "rejected"]
        cancelled = await venue.cancel_orders([batch[0]["id"]])
        assert cancelled[0]["status"] == "canceled"
        await venue.create_orders([item, item])
        assert len(await venue.cancel_all_orders(yes)) >= 2

    run(exchange, scenario)


def test_refusals_are_ccxt_s_errors(exchange: Exchange) -> None:
    async def scenario(venue: Any) -> None:
        yes = await yes_of(venue)
        with pytest.raises(InsufficientFunds):
            await venue.create_order(yes, "limit", "buy", 9_000_000, 0.02)
        with pytest.raises(OrderNotFound):
            await venue.cancel_order("01a1dd98-5eaa-7503-9bb2-982c9a2980f7")

    async def stranger(venue: Any) -> None:
        with pytest.raises(AuthenticationError):
            await venue.fetch_balance()

    run(exchange, scenario)
    run(exchange, stranger, apiKey="pk_live_unknown")
