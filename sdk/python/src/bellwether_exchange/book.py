"""A copy of a market's book, kept current by the changes of its stream.

A book can be stale: the connection may be down, or a change may have been missed. `is_trusted` says so. Ask it before
you trade on a book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from . import frames
from .models.data import ladder
from .models.market import MarketTerms


@dataclass(frozen=True)
class BookLevel:
    """All resting shares at one price."""

    price: Decimal
    quantity: Decimal


@dataclass
class Trust:
    """Whether a copy equals the exchange's state at `sequence`, and if not, why."""

    sequence: int = 0
    """The last request that the copy includes."""
    head: int = 0
    """Up to this request nothing else has changed."""
    is_trusted: bool = False
    reason: str = "no snapshot yet"


@dataclass
class LocalBook:
    """The book, the prices and the status of one market in one currency."""

    market_id: str
    currency: str
    trust: Trust = field(default_factory=Trust)
    event_id: str = ""
    engine: str = ""
    status: str = ""
    prices: Mapping[str, Decimal] = field(default_factory=dict)
    terms: MarketTerms | None = None
    last_price: Decimal | None = None
    last_side: str | None = None
    resolution: Mapping[str, Any] = field(default_factory=dict)
    _bids: dict[Decimal, Decimal] = field(default_factory=dict, repr=False)
    _asks: dict[Decimal, Decimal] = field(default_factory=dict, repr=False)

    @property
    def is_trusted(self) -> bool:
        """Whether this is the exchange's book at `sequence`, over a live connection."""
        return self.trust.is_trusted

    @property
    def sequence(self) -> int:
        """The last request that the book includes."""
        return self.trust.sequence

    def bids(self, outcome: str = "YES") -> list[BookLevel]:
        """The bids of an outcome, the highest first. The book of NO mirrors that of YES."""
        if _is_second(outcome):
            return [BookLevel(1 - level.price, level.quantity) for level in self.asks()]
        return [BookLevel(price, self._bids[price]) for price in sorted(self._bids, reverse=True)]

    def asks(self, outcome: str = "YES") -> list[BookLevel]:
        """The asks of an outcome, the lowest first."""
        if _is_second(outcome):
            return [BookLevel(1 - level.price, level.quantity) for level in self.bids()]
        return [BookLevel(price, self._asks[price]) for price in sorted(self._asks)]

    def best_bid(self, outcome: str = "YES") -> BookLevel | None:
        """The highest bid; None if there is none."""
        return next(iter(self.bids(outcome)), None)

    def best_ask(self, outcome: str = "YES") -> BookLevel | None:
        """The lowest ask; None if there is none."""
        return next(iter(self.asks(outcome)), None)

    def mid(self, outcome: str = "YES") -> Decimal | None:
        """The middle of the best bid and ask; None unless both exist."""
        bid, ask = self.best_bid(outcome), self.best_ask(outcome)
        return (bid.price + ask.price) / 2 if bid and ask else None

    def clear(self) -> None:
        """Discards the state, as a snapshot demands."""
        self._bids.clear()
        self._asks.clear()
        self.prices, self.terms, self.resolution, self.status = {}, None, {}, ""
        self.last_price = self.last_side = None

    def apply(self, data: Mapping[str, Any]) -> None:
        """Applies the data of a snapshot or a delta. Quantities are absolute; 0 removes a level."""
        _replace(self._bids, data.get("bids", ()))
        _replace(self._asks, data.get("asks", ()))
        self.event_id = data.get("eventId", self.event_id)
        self.engine = data.get("engine", self.engine)
        self.status = data.get("status", self.status)
        if "prices" in data:
            self.prices = {name: Decimal(price) for name, price in data["prices"].items()}
        if "terms" in data:
            self.terms = MarketTerms.model_validate(data["terms"])
        self.resolution = data.get("resolution", self.resolution)
        if "lastTrade" in data:
            self.last_price = Decimal(data["lastTrade"]["price"])
            self.last_side = data["lastTrade"]["side"]

    def to_df(self, library: frames.Library | None = None, decimals: frames.Decimals = "decimal") -> Any:
        """A data frame of all levels of YES, bids first."""
        sides = (("bid", self.bids()), ("ask", self.asks()))
        rows = [
            {"side": side, "price": level.price, "quantity": level.quantity}
            for side, levels in sides
            for level in levels
        ]
        return frames.to_df(rows, library, decimals)

    def _repr_html_(self) -> str:
        state = f"at sequence {self.sequence}" if self.is_trusted else f"not to be trusted: {self.trust.reason}"
        return ladder(f"Book, {state}", self.bids(), self.asks())


def _is_second(outcome: str) -> bool:
    if outcome not in ("YES", "NO"):
        raise ValueError(f"an outcome is YES or NO, not {outcome!r}")
    return outcome == "NO"


def _replace(levels: dict[Decimal, Decimal], changed: Any) -> None:
    for level in changed:
        price, quantity = Decimal(level["price"]), Decimal(level["quantity"])
        if quantity:
            levels[price] = quantity
        else:
            levels.pop(price, None)
