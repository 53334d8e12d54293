"""Fixtures: an exchange for the whole run, and clients of its people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bellwether_exchange import Client, Market

from .exchange import Exchange, start

BOOK = "rain-in-lagos-on-new-years-day"
POOL = "marathon-record-this-season"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cuts", type=int, default=50, help="how often to cut the maker's connections")
    parser.addoption("--seed", type=int, default=20261117, help="the seed of the cuts")


@pytest.fixture(scope="session")
def exchange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    """One exchange for all tests. Each test uses a market or a person of its own where others would disturb it."""
    running = start(tmp_path_factory.mktemp("exchange") / "data")
    yield running
    running.stop()


@pytest.fixture
def own_exchange(tmp_path: Path) -> Iterator[Exchange]:
    """An exchange that a test may stop."""
    running = start(tmp_path / "data")
    yield running
    if running.process.poll() is None:
        running.stop()


def client_of(exchange: Exchange, user: int) -> Client:
    return Client(exchange.base_url, *exchange.keys(user))


@pytest.fixture
def ada(exchange: Exchange) -> Iterator[Client]:
    with client_of(exchange, 1) as client:
        yield client
        client.cancel_all()


@pytest.fixture
def bola(exchange: Exchange) -> Iterator[Client]:
    with client_of(exchange, 2) as client:
        yield client
        client.cancel_all()


@pytest.fixture
def market(ada: Client) -> Market:
    """A market with a book, as ada sees it."""
    return ada.event(BOOK).market
