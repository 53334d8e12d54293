"""Rate limits of a real exchange: the client waits as long as it is told, and nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bellwether_exchange import Client, RateLimited, Retry

from .conftest import BOOK
from .exchange import Exchange, start


@pytest.fixture(scope="module")
def slow_exchange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    """An exchange that takes five requests of a kind in a second."""
    running = start(tmp_path_factory.mktemp("slow") / "data", per_second=5)
    yield running
    running.stop()


def test_more_orders_than_a_second_allows_are_all_placed_once(slow_exchange: Exchange) -> None:
    with Client(slow_exchange.base_url, *slow_exchange.keys(1)) as client:
        market = client.event(BOOK).market
        placed = [market.yes.buy(quantity=100, price="0.02").id for _ in range(12)]
        assert sorted(order.id for order in market.orders(status="open")) == sorted(placed)


def test_without_retries_the_limit_is_an_error_and_nothing_happened(slow_exchange: Exchange) -> None:
    with Client(slow_exchange.base_url, *slow_exchange.keys(2), retry=Retry(0)) as client:
        market = client.event(BOOK).market
        placed: list[str] = []
        with pytest.raises(RateLimited) as caught:
            placed.extend(market.yes.buy(quantity=100, price="0.02").id for _ in range(100))
        assert caught.value.refusal.retry_after
    with Client(slow_exchange.base_url, *slow_exchange.keys(2)) as client:
        assert sorted(order.id for order in client.orders(status="open")) == sorted(placed)
