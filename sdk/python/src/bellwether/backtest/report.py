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
    """What a strategy earned. All amounts are exact; only `__str__` and the table of a notebook round to cents."""

    cash: Decimal
    """The paper money at the start."""
    steps: int
    """Recorded requests that were fed."""
    broker: Broker
    curve: list[EquityPoint]

    @property
    def fills(self) -> list[PaperFill]:
        """Every simulated trade, in order."""
        return self.broker.fills

    @property
    def equity(self) -> Decimal:
        """Money and shares at their marks at the end."""
        return self.broker.equity()

    @property
    def profit(self) -> Decimal:
        """The equity at the end less the cash at the start."""
        return self.equity - self.cash

    @property
    def fees(self) -> Decimal:
        """Fees paid."""
        return self.broker.account.fees

    @property
    def realised(self) -> Decimal:
        """The result of sales and settlements, fees included."""
        return self.broker.account.realised

    @property
    def volume(self) -> Decimal:
        """The value of all simulated trades."""
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
            "Orders": len(self.broker.orders),
            "Fills as taker": len(self.fills) - makers,
            "Fills as maker": makers,
            "Recorded requests": self.steps,
        }
        currency = self.broker.account.currency
        shown = {name: f"{amount.quantize(CENT, ROUND_HALF_UP)} {currency}" for name, amount in amounts.items()}
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
