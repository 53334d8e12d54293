"""Market data: books, tickers, quotes, trades, candles, prices over time."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from pydantic import Field

from .. import frames, html
from .base import Model


class Level(Model):
    """All resting shares at one price."""

    price: Decimal
    quantity: Decimal
    total: Decimal


class Book(Model):
    """The book of one outcome, the best levels first."""

    market_id: str
    outcome_id: str
    timestamp: datetime
    bids: tuple[Level, ...]
    asks: tuple[Level, ...]
    last_traded_price: Decimal | None = None
    last_traded_side: str | None = None

    @property
    def best_bid(self) -> Level | None:
        """The highest bid."""
        return self.bids[0] if self.bids else None

    @property
    def best_ask(self) -> Level | None:
        """The lowest ask."""
        return self.asks[0] if self.asks else None

    def to_df(self, library: frames.Library | None = None, decimals: frames.Decimals = "decimal") -> Any:
        """A data frame of all levels, bids first."""
        sides = (("bid", self.bids), ("ask", self.asks))
        rows = [
            {"side": side, "price": level.price, "quantity": level.quantity, "total": level.total}
            for side, levels in sides
            for level in levels
        ]
        return frames.to_df(rows, library, decimals)

    def _repr_html_(self) -> str:
        return ladder("Book", self.bids, self.asks)


def ladder(caption: str, bids: Any, asks: Any) -> str:
    """A book as a table, the highest price first."""
    rows = [("", level.price, level.quantity) for level in reversed(tuple(asks))]
    rows += [(level.quantity, level.price, "") for level in bids]
    return html.table(caption, ("bid", "price", "ask"), rows)


class Ticker(Model):
    """The state of an outcome now and over the last 24 hours. A number is 0 where there is nothing."""

    market_id: str
    outcome_id: str
    outcome: str
    currency: str
    last_price: Decimal
    best_bid: Decimal
    best_ask: Decimal
    mid_price: Decimal
    spread: Decimal
    volume24h: Decimal
    high24h: Decimal
    low24h: Decimal
    price_change24h: Decimal
    trade_count24h: int
    timestamp: datetime


class QuotedRefusal(Model):
    """Why the exchange would refuse an order."""

    code: str
    message: str


class QuotedOrder(Model):
    """What would become of an order."""

    status: str | None = None
    resting_size: Decimal
    cancelled_size: Decimal
    cancelled_orders: int
    hold: Decimal
    refusal: QuotedRefusal | None = None


class Quote(Model):
    """What an order would do now. Not binding."""

    price: Decimal
    current_market_price: Decimal
    quantity: Decimal
    amount: Decimal
    cost_of_shares: Decimal
    fee: Decimal
    price_impact_absolute: Decimal
    profit_percentage: Decimal
    currency_base_multiplier: int
    complete_fill: bool
    trade_goes_over_max_liability: bool
    order: QuotedOrder | None = None


class Trade(Model):
    """A trade between two orders, or with a pool. `outcome` and `price` are the taker's."""

    shown: ClassVar[tuple[str, ...]] = (
        "created_at",
        "taker_side",
        "outcome",
        "price",
        "size",
        "currency",
        "id",
    )

    id: str
    market_id: str
    outcome: str
    price: Decimal
    size: Decimal
    currency: str
    engine: str
    match_type: str
    taker_side: str
    taker_price: Decimal
    maker_price: Decimal
    taker_fee: Decimal
    taker_order_id: str
    maker_order_id: str
    taker_outcome_id: str
    maker_outcome_id: str
    taker_user_id: str
    maker_user_id: str
    created_at: datetime


class Candle(Model):
    """Prices and volume of one interval. `volume` is in shares."""

    start: datetime
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    volume: Decimal
    count: int


class PricePoint(Model):
    """The price of outcome 1 of a market at one moment."""

    milliseconds: int = Field(alias="e")
    price: Decimal = Field(alias="p")
