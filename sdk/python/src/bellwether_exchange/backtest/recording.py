"""The recorded requests in order: everything that one of them changed in the chosen markets."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import Any

from ..book import LocalBook
from .exports import Export, Row


@dataclass(frozen=True)
class MarketTerms:
    """A market's terms of trade, as of a request."""

    market_id: str
    event_id: str
    title: str
    status: str
    fee_percentage: Decimal
    minimum: Decimal
    """In the currency of the recording."""


@dataclass(frozen=True)
class RecordedTrade:
    """A trade of others, from the side of its taker."""

    market_id: str
    outcome: str
    side: str
    price: Decimal
    quantity: Decimal
    match_type: str

    @property
    def yes_price(self) -> Decimal:
        """The price of YES."""
        return self.price if self.outcome == "YES" else 1 - self.price

    @property
    def takes_bids(self) -> bool:
        """Whether it took a bid of YES: it sold YES or bought NO."""
        return (self.side == "SELL") == (self.outcome == "YES")


@dataclass(frozen=True)
class Resolution:
    """The end of a market. A share of YES pays `yes_payout` of the base unit, a share of NO the rest to 1."""

    market_id: str
    status: str
    yes_payout: Decimal


@dataclass
class Step:
    """One recorded request."""

    sequence: int
    at: datetime
    terms: list[MarketTerms] = field(default_factory=list)
    trades: list[RecordedTrade] = field(default_factory=list)
    changed: list[LocalBook] = field(default_factory=list)
    """The books that it changed; they are current when the step is given out."""
    resolutions: list[Resolution] = field(default_factory=list)


class Recording:
    """The recorded books and everything else about the chosen markets, request by request.

    `steps()` gives one `Step` for each request that changed something; `books` has the books after it.
    """

    def __init__(self, export: Export, markets: Collection[str] | None = None, currency: str = "USD") -> None:
        self.export = export
        self.currency = currency
        self.markets = set(markets) if markets is not None else None
        self.books: dict[str, LocalBook] = {}

    def book(self, market_id: str) -> LocalBook:
        """The book of a market after the last step."""
        if market_id not in self.books:
            self.books[market_id] = LocalBook(market_id, self.currency)
        return self.books[market_id]

    def steps(self) -> Iterator[Step]:
        """Every recorded request in order. Call it once."""
        for sequence, step, levels in self._parts():
            for market_id, data in levels.items():
                book = self.book(market_id)
                book.apply(data)
                _trust(book, sequence)
                step.changed.append(book)
            yield step

    def book_at(self, market_id: str, sequence: int) -> LocalBook:
        """The book of a market after a request, from the files alone: the last snapshot before it, then the changes."""
        book, base = LocalBook(market_id, self.currency), 0
        for row in self.export.rows("book_snapshots"):
            if row["sequence"] > sequence:
                break
            if row["sequence"] != base:
                # Only the last snapshot counts: a market without a row in it had an empty book.
                book, base = LocalBook(market_id, self.currency), row["sequence"]
            if row["market_id"] == market_id and self._is_ours(row):
                book.apply(_change([row]))
        for row in self.export.rows("book_changes"):
            if row["sequence"] > sequence:
                break
            if row["sequence"] > base and row["market_id"] == market_id and self._is_ours(row):
                book.apply(_change([row]))
        _trust(book, sequence)
        return book

    def _parts(self) -> Iterator[tuple[int, Step, dict[str, dict[str, Any]]]]:
        """Steps without their books, and the changed levels of each market."""
        sources = [
            self._keyed(0, self.export.rows("markets")),
            self._keyed(1, self.export.rows("trades"), self._is_ours),
            self._keyed(2, self._first_snapshot()),
            self._keyed(2, self.export.rows("book_changes"), self._is_ours),
            self._keyed(3, self.export.rows("resolutions")),
        ]
        merged = heapq.merge(*sources, key=lambda item: item[:2])
        for sequence, items in groupby(merged, key=lambda item: item[0]):
            rows = [(kind, row) for _, kind, row in items]
            step = Step(sequence, rows[0][1]["at"])
            step.terms = [self._terms(row) for kind, row in rows if kind == 0]
            step.trades = [_trade(row) for kind, row in rows if kind == 1]
            step.resolutions = [_resolution(row) for kind, row in rows if kind == 3]
            levels: dict[str, list[Row]] = {}
            for kind, row in rows:
                if kind == 2:
                    levels.setdefault(row["market_id"], []).append(row)
            yield sequence, step, {market_id: _change(changed) for market_id, changed in levels.items()}

    def _first_snapshot(self) -> Iterator[Row]:
        """The books before the first request; later snapshots repeat what the changes say."""
        parts = self.export.manifest["parts"]
        first = int(parts[0]["firstSequence"]) if parts else 0
        for row in self.export.rows("book_snapshots"):
            if row["sequence"] >= first:
                return
            if self._is_ours(row):
                yield row

    def _is_ours(self, row: Row) -> bool:
        return bool(row["currency"] == self.currency)

    def _keyed(
        self, kind: int, rows: Iterator[Row], admits: Callable[[Row], bool] = lambda row: True
    ) -> Iterator[tuple[int, int, Row]]:
        for row in rows:
            if (self.markets is None or row["market_id"] in self.markets) and admits(row):
                yield row["sequence"], kind, row

    def _terms(self, row: Row) -> MarketTerms:
        return MarketTerms(
            row["market_id"],
            row["event_id"],
            row["title"],
            row["status"],
            row["fee_percentage"],
            row["minimum_usd" if self.currency == "USD" else "minimum_ngn"],
        )


def _trust(book: LocalBook, sequence: int) -> None:
    """Marks a book as the exchange's after a request."""
    book.trust.sequence = book.trust.head = sequence
    book.trust.is_trusted, book.trust.reason = True, ""


def _trade(row: Row) -> RecordedTrade:
    return RecordedTrade(
        row["market_id"], row["outcome"], row["side"], row["price"], row["quantity"], row["match_type"]
    )


def _resolution(row: Row) -> Resolution:
    return Resolution(row["market_id"], row["status"], row["yes_payout"])


def _change(rows: list[Row]) -> dict[str, Any]:
    """Rows of levels in the shape of the stream's changes."""
    sides = {"bid": "bids", "ask": "asks"}
    data: dict[str, Any] = {"bids": [], "asks": []}
    for row in rows:
        data[sides[row["side"]]].append({"price": row["price"], "quantity": row["quantity"]})
    return data
