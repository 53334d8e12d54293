"""The results of a backtest."""

from __future__ import annotations

import html
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from .. import frames
from .broker import Broker, PaperFill

CENT = Decimal("0.01")


@dataclass(frozen=True)
class EquityPoint:
    """Money and shares at their marks after a request."""

    at: datetime
    sequence: int
    equity: Decimal


@dataclass(frozen=True)
class Report:
    """The result of a strategy. All amounts are exact; only `__str__` and the table of a notebook round to cents."""

    cash: Decimal
    """The money at the start."""
    currency: str
    equity: Decimal
    """Money and shares at their marks at the end."""
    realised: Decimal
    """The result of sales and settlements, fees included."""
    fees: Decimal
    """Fees paid."""
    fills: list[PaperFill]
    """Every trade, in order."""
    orders: int
    """Orders placed."""
    steps: int
    """Recorded requests that were fed; 0 for the account of an exchange."""
    curve: list[EquityPoint]

    @property
    def profit(self) -> Decimal:
        """The equity at the end less the cash at the start."""
        return self.equity - self.cash

    @property
    def volume(self) -> Decimal:
        """The value of all trades."""
        return sum((fill.value for fill in self.fills), Decimal(0))

    @property
    def drawdown(self) -> Decimal:
        """The deepest fall of the sampled equity below an earlier height."""
        height, deepest = self.cash, Decimal(0)
        for point in self.curve:
            height = max(height, point.equity)
            deepest = max(deepest, height - point.equity)
        return deepest

    def rows(self) -> dict[str, str]:
        """The numbers of the report by name, rounded to cents."""
        amounts = {
            "Cash at the start": self.cash,
            "Equity at the end": self.equity,
            "Profit": self.profit,
            "Realised": self.realised,
            "Fees": self.fees,
            "Deepest drawdown": self.drawdown,
            "Volume": self.volume,
        }
        makers = sum(fill.role == "MAKER" for fill in self.fills)
        counts = {
            "Orders": self.orders,
            "Fills as taker": len(self.fills) - makers,
            "Fills as maker": makers,
            "Recorded requests": self.steps,
        }
        shown = {name: f"{amount.quantize(CENT, ROUND_HALF_UP)} {self.currency}" for name, amount in amounts.items()}
        return shown | {name: str(count) for name, count in counts.items()}

    def fills_df(self, library: frames.Library | None = None, decimals: frames.Decimals = "decimal") -> Any:
        """A data frame of the fills."""
        return frames.to_df([vars(fill) for fill in self.fills], library, decimals)

    def curve_df(self, library: frames.Library | None = None, decimals: frames.Decimals = "decimal") -> Any:
        """A data frame of the equity curve."""
        return frames.to_df([vars(point) for point in self.curve], library, decimals)

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(name) for name in rows)
        return "\n".join(f"{name:{width}}  {text}" for name, text in rows.items())

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{html.escape(name)}</td><td style='text-align:right'>{html.escape(text)}</td></tr>"
            for name, text in self.rows().items()
        )
        return f"<table><caption>Backtest</caption>{cells}</table>"


@dataclass(frozen=True)
class BacktestReport(Report):
    """The report of a backtest, with the broker at its end."""

    broker: Broker
