"""Streams of a real exchange: local copies, resumption, cancel on disconnect."""

from __future__ import annotations

import asyncio
import threading
from decimal import Decimal

import pytest

from bellwether_exchange import AsyncClient, Client, Market, StreamRefused, Update
from bellwether_exchange.aio import AccountStream, MarketStream

from .conftest import BOOK, client_of
from .exchange import Exchange, start
from .proxy import CuttingProxy

SLUG = "rate-decision-next-meeting"


@pytest.fixture
def quiet(bola: Client) -> Market:
    """A market that only this file uses."""
    return bola.event(SLUG).markets[0]


async def next_of(stream: MarketStream | AccountStream, kind: str) -> Update:
    """The next update of a kind."""
    async for update in stream:
        if update.kind == kind:
            return update
    raise AssertionError("the stream ended")


def test_a_local_book_follows_the_exchange(quiet: Market) -> None:
    with quiet.follow() as stream:
        updates = iter(stream)
        assert next(updates).kind == "snapshot"
        assert stream.book.is_trusted
        order = quiet.yes.buy(quantity=100, price="0.02")
        update = next(update for update in updates if update.kind == "delta")
        assert update.sequence == stream.book.sequence == order.as_of
        book = quiet.yes.book()
        local = [(level.price, level.quantity) for level in stream.book.bids()]
        assert local == [(level.price, level.quantity) for level in book.bids]
        mirrored = [(level.price, level.quantity) for level in stream.book.asks("NO")]
        assert mirrored == [(level.price, level.quantity) for level in quiet.no.book().asks]
        assert "side" in stream.book.to_df().columns
    assert not stream.book.is_trusted
    assert "closed" in stream.book.trust.reason


def test_a_stream_of_two_markets_has_two_books(bola: Client) -> None:
    markets = bola.event(SLUG).markets[:2]
    with bola.follow(*markets) as stream:
        updates = iter(stream)
        rooms = {next(updates).room for _ in markets}
        assert len(rooms) == 2
        assert all(stream.books[market.id].is_trusted for market in markets)
        with pytest.raises(ValueError, match="2 markets"):
            _ = stream.book


def test_trades_arrive_with_the_change_that_they_made(exchange: Exchange, quiet: Market) -> None:
    quiet.yes.buy(quantity=100, price="0.27")
    with client_of(exchange, 4) as dayo, quiet.follow() as stream:
        updates = iter(stream)
        next(updates)
        market = dayo.event(SLUG).markets[0]
        market.mint(100)
        market.yes.sell(quantity=100, price="0.27", time_in_force="FAK")
        update = next(update for update in updates if update.trades)
        assert sum(trade.size for trade in update.trades) == 100
        assert stream.book.last_price == Decimal("0.27")


def test_an_account_follows_orders_fills_and_money(exchange: Exchange) -> None:
    with client_of(exchange, 5) as efe, efe.follow_account() as stream:
        updates = iter(stream)
        assert next(updates).kind == "snapshot"
        market = efe.event(BOOK).market
        held = stream.account.wallets["USD"].pending
        order = market.yes.buy(quantity=100, price="0.02")
        update = next(updates)
        assert [changed.id for changed in update.orders] == [order.id]
        assert order.id in stream.account.orders
        assert stream.account.wallets["USD"].pending == held + 2
        order.cancel()
        next(updates)
        assert order.id not in stream.account.orders
        taken = market.yes.buy(3)
        update = next(update for update in updates if update.fills)
        assert sum(fill.quantity for fill in update.fills) == taken.filled_size
        assert stream.account.positions[market.yes.id, "USD"].balance >= taken.filled_size
        wallet = efe.wallets()["USD"]
        assert stream.account.wallets["USD"].available == wallet.available_balance


def test_a_connection_that_ends_cancels_what_rests_if_it_was_armed(exchange: Exchange) -> None:
    with client_of(exchange, 4) as dayo:
        market = dayo.event(SLUG).markets[0]
        with dayo.follow_account(cancel_on_disconnect=True) as stream:
            updates = iter(stream)
            next(updates)
            assert stream.is_armed
            order = market.yes.buy(quantity=100, price="0.02")
            assert next(updates).orders
        assert order.wait(timeout=60).status == "cancelled"
        assert not stream.is_armed


def test_a_stream_says_that_its_book_is_stale_and_resumes_with_deltas(exchange: Exchange) -> None:
    async def scenario() -> None:
        keys = exchange.keys(2)
        async with CuttingProxy(exchange.base_url) as proxy, AsyncClient(exchange.base_url, *keys) as direct:
            market = (await direct.event(SLUG)).markets[1]
            async with AsyncClient(proxy.url) as client, client.follow(market.id) as stream:
                await next_of(stream, "snapshot")
                proxy.end_streams()
                stale = await next_of(stream, "untrusted")
                assert stale.reason
                assert not stream.book.is_trusted
                order = await market.yes.buy(quantity=100, price="0.02")
                resumed = await next_of(stream, "delta")
                assert resumed.sequence == order.as_of
                assert stream.book.is_trusted
                assert stream.book.best_bid() is not None
                await order.cancel()

    asyncio.run(scenario())


def test_a_restarted_exchange_sends_a_snapshot(own_exchange: Exchange) -> None:
    address = own_exchange.base_url.removeprefix("http://")
    with client_of(own_exchange, 1) as client:
        market = client.event(BOOK).market
        with market.follow() as stream:
            updates = iter(stream)
            next(updates)
            order = market.yes.buy(quantity=100, price="0.02")
            next(updates)
            own_exchange.stop()
            stale = next(updates)
            assert stale.kind == "untrusted"
            again = start(own_exchange.folder, listen=address)
            try:
                assert market.yes.buy(quantity=100, price="0.03").is_open
                kinds = [next(updates).kind]
                assert kinds[0] in ("snapshot", "delta")
                assert order.refresh().is_open
                assert [str(level.price) for level in stream.book.bids()][-2:] == ["0.03", "0.02"]
            finally:
                again.stop()


def test_a_market_that_does_not_exist_is_refused(bola: Client) -> None:
    with bola.follow("01a1dd98-5eaa-7503-9bb2-982c9a2980f7") as stream, pytest.raises(StreamRefused, match="not found"):
        next(iter(stream))


def test_a_wrong_key_ends_an_account_s_stream(exchange: Exchange) -> None:
    with (
        Client(exchange.base_url, "pk_live_unknown", "sk_live_unknown") as stranger,
        stranger.follow_account() as stream,
        pytest.raises(StreamRefused),
    ):
        next(iter(stream))


def test_a_channel_without_changes_is_listened_to(exchange: Exchange, quiet: Market) -> None:
    with quiet.client.listen("prices", event_ids=[quiet.event_id]) as listener:
        message = next(iter(listener))
    assert message.type == "price_update"
    assert message.data["id"] == quiet.event_id
    with quiet.client.listen("orders", market_ids=[quiet.id]) as listener:
        messages = iter(listener)
        placing = threading.Timer(0.3, lambda: quiet.yes.buy(quantity=100, price="0.02"))
        placing.start()
        message = next(messages)
        placing.join()
    assert (message.type, message.data["order"]["status"]) == ("order_updated", "OPEN")
