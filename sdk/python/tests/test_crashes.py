"""Orders while the exchange is killed and started again: every answered order exists, and none exists twice."""

from __future__ import annotations

import threading

from bellwether_exchange import Client, Retry

from .conftest import BOOK
from .exchange import Exchange, start

KILLS = 2
ORDERS_BETWEEN = 8


def test_a_killed_exchange_doubles_and_loses_no_order(own_exchange: Exchange) -> None:
    address = own_exchange.base_url.removeprefix("http://")
    placed: list[str] = []
    failures: list[BaseException] = []
    progress = threading.Semaphore(0)
    is_stopping = threading.Event()

    def place() -> None:
        try:
            with Client(own_exchange.base_url, *own_exchange.keys(1), retry=Retry(300)) as client:
                market = client.event(BOOK).market
                while not is_stopping.is_set():
                    placed.append(market.yes.buy(quantity=100, price="0.02").id)
                    progress.release()
        except BaseException as error:
            failures.append(error)
            progress.release(1000)
            raise

    placing = threading.Thread(target=place)
    placing.start()
    running = own_exchange
    try:
        for _ in range(KILLS):
            for _ in range(ORDERS_BETWEEN):
                assert progress.acquire(timeout=60)
            running.kill()
            running = start(own_exchange.folder, listen=address)
        for _ in range(ORDERS_BETWEEN):
            assert progress.acquire(timeout=60)
        is_stopping.set()
        placing.join(60)
        assert not failures
        with Client(running.base_url, *running.keys(1)) as client:
            resting = [order.id for order in client.orders(status="open")]
        assert sorted(resting) == sorted(placed)
    finally:
        is_stopping.set()
        running.stop()
        placing.join(60)
