"""Runs a strategy on a recording."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal

from ..book import LocalBook
from .broker import Broker
from .exports import Export
from .recording import RecordedTrade, Recording, Resolution
from .report import BacktestReport, EquityPoint


class Strategy:
    """A trading strategy. Override the methods that you need; `broker` places orders."""

    def on_start(self, broker: Broker) -> None:
        """Called once, before the first request."""

    def on_trade(self, broker: Broker, trade: RecordedTrade) -> None:
        """Others traded. The books are those after the trade."""

    def on_book(self, broker: Broker, book: LocalBook) -> None:
        """A recorded book has changed."""

    def on_resolution(self, broker: Broker, resolution: Resolution) -> None:
        """A market ended and was paid out."""

    def on_end(self, broker: Broker) -> None:
        """Called once, after the last request."""


class Backtest:
    """A run of a strategy on an export, with paper money.

    `markets` selects markets by id; without it, all of them. `latency` delays orders and cancels: they meet the
    books of that later time. `sample` is the distance of points of the equity curve.
    """

    def __init__(
        self,
        export: Export,
        strategy: Strategy,
        *,
        markets: Collection[str] | None = None,
        currency: str = "USD",
        cash: Decimal | int | str = 10_000,
        latency: timedelta = timedelta(0),
        sample: timedelta = timedelta(hours=1),
    ) -> None:
        self.strategy = strategy
        self.recording = Recording(export, markets, currency)
        self.cash = Decimal(cash)
        self.broker = Broker(self.recording, self.cash, latency)
        self.sample = sample

    def run(self) -> BacktestReport:
        """Feeds every recorded request to the strategy. Call it once."""
        broker, strategy = self.broker, self.strategy
        points: list[EquityPoint] = []
        due: datetime | None = None
        strategy.on_start(broker)
        steps = 0
        for step in self.recording.steps():
            steps += 1
            broker.begin(step)
            broker.advance(step)
            for terms in step.terms:
                broker.note_terms(terms)
            for trade in step.trades:
                broker.note_trade(trade)
            for book in step.changed:
                broker.note_book(book)
            for resolution in step.resolutions:
                broker.note_resolution(resolution)
            for trade in step.trades:
                strategy.on_trade(broker, trade)
            for book in step.changed:
                strategy.on_book(broker, book)
            for resolution in step.resolutions:
                strategy.on_resolution(broker, resolution)
            if due is None or step.at >= due:
                points.append(EquityPoint(step.at, step.sequence, broker.equity()))
                due = step.at + self.sample
        strategy.on_end(broker)
        if broker.now is not None:
            points.append(EquityPoint(broker.now, broker.sequence, broker.equity()))
        return BacktestReport(
            cash=self.cash,
            currency=broker.account.currency,
            equity=broker.equity(),
            realised=broker.account.realised,
            fees=broker.account.fees,
            fills=broker.fills,
            orders=len(broker.orders),
            steps=steps,
            curve=points,
            broker=broker,
        )
