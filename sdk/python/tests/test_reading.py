"""Reads of a real exchange: pages as iteration, data frames, books at a sequence."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pandas
import polars
import pytest

from bellwether_exchange import Client, Market, to_df
from bellwether_exchange.models import MarketData

from .conftest import BOOK
from .exchange import Exchange


@pytest.fixture
def public(exchange: Exchange) -> Iterator[Client]:
    with Client(exchange.base_url) as client:
        yield client


def test_events_are_read_page_by_page(public: Client) -> None:
    by_twos = [event.slug for event in public.events(size=2)]
    at_once = [event.slug for event in public.events(size=100)]
    assert by_twos == at_once
    assert len(set(at_once)) == len(at_once) > 20
    assert [len(page) for page in public.events(size=9).pages()][:2] == [9, 9]
    assert [event.slug for event in public.events(size=2).first(3)] == at_once[:3]


def test_filters_of_events_reach_the_exchange(public: Client) -> None:
    assert {event.engine for event in public.events(engine="AMM")} == {"AMM"}
    assert BOOK in [event.slug for event in public.events(keyword="rain")]


def test_an_event_is_found_by_slug_and_by_id(public: Client) -> None:
    event = public.event(BOOK)
    assert public.event(event.id).slug == BOOK
    assert event.market.event_id == event.id
    assert event.find("rain in LAGOS").id == event.market.id
    assert event.market.outcome("yes").id == event.market.yes.id
    assert public.market(event.market.id).title == event.market.title
    with pytest.raises(ValueError, match="no market"):
        event.find("snow")


def test_an_event_with_several_markets_asks_for_a_choice(public: Client) -> None:
    with pytest.raises(ValueError, match="3 markets"):
        _ = public.event("city-referendum").market


def test_a_list_with_a_cursor_has_every_row_once_while_it_grows(ada: Client, market: Market) -> None:
    placed = [market.yes.buy(quantity=100, price="0.01").id for _ in range(7)]
    read = []
    for order in market.orders(size=2, status="open"):
        read.append(order.id)
        if len(read) == 3:
            market.yes.buy(quantity=100, price="0.01")
    assert [order_id for order_id in read if order_id in placed] == placed[::-1]
    assert len(set(read)) == len(read)


def test_an_order_is_found_by_its_own_name(ada: Client, market: Market) -> None:
    order = market.yes.buy(quantity=100, price="0.01", client_order_id="found-by-name")
    assert next(found.id for found in ada.orders(client_order_id="found-by-name")) == order.id


def test_a_book_is_of_the_sequence_that_it_names(market: Market) -> None:
    before = market.yes.book()
    order = market.yes.buy(quantity=177, price="0.01")
    after = market.yes.book()
    assert before.as_of is not None
    assert after.as_of is not None
    assert after.as_of > before.as_of
    assert after.bids[-1].price == Decimal("0.01")
    assert after.bids[-1].quantity >= 177
    mirrored = market.no.book()
    assert mirrored.asks[-1].price == Decimal("0.99")
    order.cancel()


def test_history_has_the_trade(ada: Client, bola: Client, market: Market) -> None:
    order = market.yes.buy(4)
    trades = [trade for trade in market.trades() if trade.taker_order_id == order.id]
    assert sum(trade.size for trade in trades) == order.filled_size
    assert market.candles("1m")[-1].volume >= order.filled_size
    assert market.yes.ticker().last_price == trades[0].price
    assert ada.statement().first(1)[0].type == "BUY"
    assert ada.activities(type="buys").first(1)[0].order_id == order.id
    assert ada.pnl().currency == "USD"
    history = ada.price_history(market.event_id)
    assert set(history) == {market.id}
    market.yes.sell(quantity=order.filled_size)


def test_the_watchlist_follows(ada: Client) -> None:
    event = ada.event(BOOK)
    ada.watch(event.id)
    assert ada.event(BOOK).user_watchlisted
    ada.watch(event.id, False)
    assert not ada.event(BOOK).user_watchlisted


def test_series_and_version_can_be_read(public: Client) -> None:
    assert public.version().version
    for series in public.series():
        assert isinstance(public.series_events(series.slug), list)


def test_a_data_frame_of_pandas_keeps_decimals_and_can_make_floats(public: Client, market: Market) -> None:
    frame = market.yes.book().to_df("pandas")
    assert list(frame.columns) == ["side", "price", "quantity", "total"]
    assert isinstance(frame["price"].iloc[0], Decimal)
    assert market.yes.book().to_df(decimals="float")["price"].dtype == float
    events = public.events().to_df()
    assert isinstance(events, pandas.DataFrame)
    assert len(events) == len(public.events().all())
    assert "markets" not in events.columns


def test_a_data_frame_of_polars_has_decimal_columns(ada: Client, market: Market) -> None:
    market.yes.buy(quantity="100.5", price="0.01")
    frame = ada.orders(status="open").to_df("polars")
    assert isinstance(frame, polars.DataFrame)
    assert isinstance(frame.schema["price"], polars.Decimal)
    assert Decimal("100.5") in frame["size"].to_list()
    assert to_df([], "polars").is_empty()


def test_tables_of_a_notebook_escape_what_strangers_wrote(market: Market, ada: Client) -> None:
    hostile = '<script>alert("1")</script>'
    event = ada.event(BOOK)
    event.title = market.title = hostile
    market.outcome1_label = hostile
    order = market.yes.buy(quantity=100, price="0.01")
    order.outcome_label = hostile
    shown: list[Any] = [event, market, market.yes, order, market.yes.book(), ada.orders(client_order_id=hostile)]
    for thing in shown:
        html = thing._repr_html_()
        assert html.startswith("<table>")
        assert "<script" not in html
    assert "&lt;script&gt;" in market._repr_html_()
    assert isinstance(market, MarketData)
