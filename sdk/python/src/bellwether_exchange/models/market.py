"""Markets and events as data. The objects that can act on them are in the modules `aio` and `sync`."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from pydantic import Field

from .base import Model, OptionalMoment


class AnnouncedTerms(Model):
    """Terms that will apply to orders to come."""

    fee_percentage: Decimal
    minimum_order_amount: Decimal
    from_: datetime = Field(alias="from")


class MarketTerms(Model):
    """The terms of orders to come in one currency, with those that are announced."""

    fee_percentage: Decimal
    minimum_order_amount: Decimal
    announced_terms: AnnouncedTerms | None = None


class MarketData(Model):
    """A question with two outcomes. Prices are of one share, from 0 to 1."""

    shown: ClassVar[tuple[str, ...]] = (
        "title", "status", "outcome1_label", "outcome1_price", "yes_buy_price", "outcome2_label", "outcome2_price",
        "no_buy_price", "minimum_order_amount", "fee_percentage", "resolved_outcome", "id",
    )  # fmt: skip

    id: str
    title: str
    status: str
    outcome1_id: str
    outcome2_id: str
    outcome1_label: str
    outcome2_label: str
    outcome1_price: Decimal
    outcome2_price: Decimal
    yes_buy_price: Decimal
    no_buy_price: Decimal
    minimum_order_amount: Decimal
    fee_percentage: Decimal
    announced_terms: AnnouncedTerms | None = None
    total_orders: int
    rules: str = ""
    resolved_outcome: str = ""
    resolved_outcome_id: str | None = None
    resolution_price: Decimal = Decimal(0)
    market_threshold: Decimal | None = None
    market_close_value: Decimal | None = None

    def caption(self) -> str:
        """The market's title."""
        return self.title


class EventData(Model):
    """A subject with one or more markets."""

    shown: ClassVar[tuple[str, ...]] = (
        "title", "slug", "status", "engine", "type", "category", "closing_date", "liquidity", "total_volume", "id",
    )  # fmt: skip

    id: str
    slug: str
    title: str
    description: str = ""
    category: str
    subcategory: str = ""
    type: str
    engine: str
    status: str
    liquidity: Decimal
    total_volume: Decimal
    total_orders: int
    supported_currencies: tuple[str, ...]
    created_at: datetime
    opening_date: OptionalMoment = None
    closing_date: OptionalMoment = None
    resolution_date: OptionalMoment = None
    resolved_at: OptionalMoment = None
    hashtags: tuple[str, ...] = ()
    user_watchlisted: bool = False
    series_slug: str | None = None
    asset_symbol_pair: str | None = None
    event_threshold: Decimal | None = None
    event_close_value: Decimal | None = None
    sport_game_slug: str | None = None
    sport_market_type: str | None = None
    markets: tuple[MarketData, ...]

    def caption(self) -> str:
        """The event's title."""
        return self.title


class Series(Model):
    """A series of events, one for each interval."""

    id: str
    slug: str
    display_name: str
    description: str = ""
    category: str
    interval_type: str
    asset_symbol: str
    automation_type: str = ""


class LeanEvent(Model):
    """An event of a series, without its markets."""

    id: str
    title: str
    opening_date: OptionalMoment = None
    closing_date: OptionalMoment = None
    resolution_date: OptionalMoment = None
