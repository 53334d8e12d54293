"""Tasks that follow a stream and remember every state of its local copy, to compare with reads of the exchange."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Generic, TypeAlias, TypeVar

from bellwether_exchange import LocalAccount, LocalBook
from bellwether_exchange.aio import AccountStream, MarketStream

PATIENCE_SECONDS = 60.0

Levels: TypeAlias = "tuple[tuple[Decimal, Decimal], ...]"
BookState: TypeAlias = "tuple[Levels, Levels]"
AccountState: TypeAlias = "tuple[dict[str, Decimal], tuple[Decimal, Decimal]]"
Value = TypeVar("Value")


@dataclass(frozen=True)
class State(Generic[Value]):
    """A copy after one update."""

    kind: str
    sequence: int
    head: int
    value: Value


@dataclass
class Follower(Generic[Value]):
    """Follows a stream. `look` makes a comparable value of its copy."""

    stream: MarketStream | AccountStream
    look: Callable[[], Value]
    states: list[State[Value]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        async for update in self.stream:
            self.states.append(State(update.kind, update.sequence, update.head, self.look()))
            self.news.set()

    async def at(self, sequence: int) -> Value | None:
        """The value at a sequence. None: a snapshot skipped it."""
        while not self.states or self.states[-1].head < sequence:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE_SECONDS)
        later = next((index for index, state in enumerate(self.states) if state.sequence > sequence), len(self.states))
        if later == 0 or (later < len(self.states) and self.states[later].kind == "snapshot"):
            return None
        return self.states[later - 1].value


def book_state(book: LocalBook) -> BookState:
    """All levels."""
    bids, asks = (tuple((level.price, level.quantity) for level in side) for side in (book.bids(), book.asks()))
    return bids, asks


def open_orders(account: LocalAccount) -> dict[str, Decimal]:
    """The size of each order that rests and has no fill."""
    return {order.id: order.size for order in account.orders.values() if order.status == "open"}


def dollars(account: LocalAccount) -> tuple[Decimal, Decimal]:
    """Free and held dollars."""
    wallet = account.wallets["USD"]
    return wallet.available, wallet.pending
