"""Orders on a real exchange: placed, filled, amended, cancelled, alone and in batches."""

from __future__ import annotations

import threading
from decimal import Decimal

import pytest

from bellwether_exchange import (
    Amendment,
    BadRequest,
    BellwetherError,
    Client,
    Market,
    NotFound,
    RuleRefused,
    Unauthorized,
    WaitTimedOut,
)

from .conftest import BOOK, POOL, client_of
from .exchange import Exchange


def test_buying_for_an_amount_fills_at_once_and_shows_in_the_portfolio(ada: Client, market: Market) -> None:
    quote = market.yes.quote("BUY", 10)
    order = market.yes.buy(10)
    assert (order.status, order.side, order.order_type) == ("filled", "BUY", "MARKET")
    assert order.filled_size == quote.quantity
    assert order.is_filled
    assert isinstance(order.avg_fill_price, Decimal)
    held = [position for position in ada.positions(market_id=market.id) if position.outcome_id == market.yes.id]
    assert held[0].balance >= order.filled_size
    sold = market.yes.sell(quantity=order.filled_size)
    assert sold.filled_size == order.filled_size


def test_a_limit_order_rests_is_amended_and_cancelled(market: Market) -> None:
    order = market.yes.buy(quantity=20, price=0.05, post_only=True, client_order_id="rests-1")
    assert (order.status, order.price, order.size) == ("open", Decimal("0.05"), 20)
    assert order.client_order_id == "rests-1"
    order.amend(price="0.06", size=30)
    assert (order.price, order.size, order.is_open) == (Decimal("0.06"), 30, True)
    assert market.client.order(order.id).size == 30
    order.cancel()
    assert order.status == "cancelled"
    with pytest.raises(RuleRefused) as caught:
        order.cancel()
    assert caught.value.code == "ORDER_NOT_OPEN"


def test_an_order_gets_exactly_the_digits_that_were_typed(market: Market) -> None:
    order = market.yes.buy(quantity="20.1234", price=Decimal("0.07"))
    assert (order.size, order.amount) == (Decimal("20.1234"), Decimal("1.408638"))


def test_waiting_ends_when_somebody_fills_the_order(market: Market, bola: Client) -> None:
    order = market.yes.buy(quantity=30, price="0.35")
    assert order.is_open
    other = bola.event(BOOK).market
    other.mint(30)
    seller = threading.Timer(0.2, lambda: other.yes.sell(quantity=30, price="0.35"))
    seller.start()
    order.wait(timeout=60)
    seller.join()
    assert (order.status, order.filled_size, order.remaining_size) == ("filled", 30, 0)


def test_waiting_for_an_order_that_rests_times_out_and_changes_nothing(market: Market) -> None:
    order = market.yes.buy(quantity=60, price="0.02", stp_mode="CANCEL_OLDEST")
    with pytest.raises(WaitTimedOut):
        order.wait(timeout=0.01)
    assert order.refresh().is_open


def test_a_batch_places_what_it_can_and_names_what_failed(market: Market) -> None:
    good = market.yes.new_order("BUY", quantity=50, price="0.03", client_order_id="batch-good")
    bad = market.no.new_order("SELL", quantity=999_999, price="0.99")
    batch = market.client.place([good, bad])
    assert (batch.summary.succeeded, batch.summary.failed) == (1, 1)
    assert batch.orders[0].client_order_id == "batch-good"
    assert batch.failures[0].error is not None
    assert batch.failures[0].error.code == "INSUFFICIENT_SHARES"
    with pytest.raises(BellwetherError, match="INSUFFICIENT_SHARES"):
        batch.failures[0].placed()
    amended = market.client.amend([Amendment(batch.orders[0].id, size=60)])
    assert amended.orders[0].size == 60
    cancelled = market.client.cancel([batch.orders[0].id, "01a1dd98-5eaa-7503-9bb2-982c9a2980f7"])
    assert [item.success for item in cancelled.results] == [True, False]


def test_cancelling_all_cancels_what_rests_in_the_market(market: Market) -> None:
    placed = {market.yes.buy(quantity=50, price="0.03").id for _ in range(3)}
    assert {order.id for order in market.cancel_all()} >= placed
    assert market.orders(status="open").all() == []


def test_money_becomes_pairs_and_pairs_become_money(market: Market) -> None:
    before = market.client.wallets()["USD"].available_balance
    minted = market.mint("12.5")
    assert minted.quantity == Decimal("12.5")
    burnt = market.burn("12.5")
    assert burnt.proceeds == Decimal("12.5")
    assert market.client.wallets()["USD"].available_balance == before


def test_one_idempotency_key_is_one_order(market: Market) -> None:
    first = market.yes.buy(quantity=50, price="0.03", idempotency_key="only-once")
    again = market.yes.buy(quantity=50, price="0.03", idempotency_key="only-once")
    assert first.id == again.id
    with pytest.raises(RuleRefused) as caught:
        market.yes.buy(quantity=51, price="0.03", idempotency_key="only-once")
    assert caught.value.code == "IDEMPOTENCY_KEY_REUSED"


def test_naira_are_traded_in_the_market_that_was_read_in_naira(ada: Client) -> None:
    market = ada.event(BOOK, currency="NGN").market
    assert market.minimum_order_amount == 100
    order = market.yes.buy(quantity=50, price="0.03")
    assert (order.currency, order.amount) == ("NGN", 150)
    order.cancel()


def test_a_market_is_read_again_in_place(market: Market) -> None:
    before = market.total_orders
    market.yes.buy(quantity=50, price="0.03")
    assert market.refresh() is market
    assert market.total_orders == before + 1
    assert market.yes.buy(quantity=50, price="0.03").is_open


def test_a_pool_fills_at_once(ada: Client) -> None:
    market = ada.event(POOL).market
    order = market.yes.buy(5)
    assert (order.status, order.order_type) == ("filled", "MARKET")
    assert market.yes.sell(quantity=order.filled_size).is_filled


def test_a_quote_of_an_order_says_what_would_become_of_it(market: Market) -> None:
    quote = market.yes.quote_order(market.yes.new_order("BUY", quantity=50, price="0.03"))
    assert quote.order is not None
    assert (quote.order.status, quote.order.resting_size, quote.order.hold) == ("open", 50, Decimal("1.5"))


def test_the_dead_man_s_switch_is_set_and_disarmed(ada: Client) -> None:
    assert ada.cancel_after(3600).startswith("20")
    assert ada.cancel_after(0) == ""


def test_refusals_name_the_rule(market: Market) -> None:
    with pytest.raises(RuleRefused) as caught:
        market.yes.buy(quantity=900_000, price="0.33")
    assert caught.value.code == "INSUFFICIENT_BALANCE"
    with pytest.raises(BadRequest, match="price"):
        market.yes.buy(quantity=50, price="0.035")
    with pytest.raises(NotFound):
        market.client.order("01a1dd98-5eaa-7503-9bb2-982c9a2980f7")


def test_an_order_has_an_amount_or_a_quantity(market: Market) -> None:
    with pytest.raises(ValueError, match="either"):
        market.yes.sell(price="0.5")
    with pytest.raises(ValueError, match="either"):
        market.yes.buy(10, quantity=10)


def test_a_wrong_secret_is_refused_with_its_reason(exchange: Exchange) -> None:
    public_key, secret_key = exchange.keys(1)
    with Client(exchange.base_url, public_key, secret_key + "x") as client:
        with pytest.raises(Unauthorized) as caught:
            client.check_signature()
        assert caught.value.reason == "signature_mismatch"
    with client_of(exchange, 1) as client:
        assert client.check_signature().valid


def test_a_login_creates_a_key_that_trades(exchange: Exchange) -> None:
    person = exchange.record["users"][5]
    with Client(exchange.base_url) as client:
        issued = client.create_key(person["email"], person["password"], "from-the-test")
    assert issued.secret_key not in repr(issued)
    assert issued.secret_key not in issued._repr_html_()
    with Client(exchange.base_url, issued.public_key, issued.secret_key) as client:
        order = client.event(BOOK).market.yes.buy(quantity=50, price="0.03")
        assert order.cancel().status == "cancelled"
