"""The account: wallets, positions, results, history, keys."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from .base import Model


class Wallet(Model):
    """The money of one currency. `pending_balance` is held by open orders."""

    shown: ClassVar[tuple[str, ...]] = ("symbol", "available_balance", "pending_balance")

    id: str
    symbol: str
    available_balance: Decimal
    pending_balance: Decimal
    currency_base_multiplier: int


class PositionEvent(Model):
    """The event of a position."""

    id: str
    title: str
    engine: str


class PositionMarket(Model):
    """The market of a position."""

    id: str
    title: str
    event: PositionEvent


class Position(Model):
    """Shares of one outcome in one currency."""

    shown: ClassVar[tuple[str, ...]] = (
        "outcome", "balance", "available_balance", "average_price", "cost", "current_value", "sell_price", "currency",
    )  # fmt: skip

    id: str
    outcome: str
    outcome_id: str
    balance: Decimal
    available_balance: Decimal
    average_price: Decimal
    cost: Decimal
    current_value: Decimal
    sell_price: Decimal
    payout_if_outcome_wins: Decimal
    percentage_change: Decimal
    currency: str
    market: PositionMarket
    created_at: datetime
    updated_at: datetime

    def caption(self) -> str:
        """The market's title."""
        return self.market.title


class Pnl(Model):
    """What was won and lost, in one currency."""

    realized_pnl: Decimal
    realized_pnl_percent: Decimal
    settlement_pnl: Decimal
    trade_pnl: Decimal
    wins: int
    losses: int
    currency: str


class Movement(Model):
    """One movement of money. `amount` is below 0 where money left the account."""

    id: str
    type: str
    amount: Decimal
    balance: Decimal
    fee: Decimal
    currency: str
    created_at: datetime
    event_id: str | None = None
    event_title: str | None = None
    market_id: str | None = None
    market_title: str | None = None
    order_id: str | None = None
    outcome: str | None = None
    price: Decimal | None = None
    size: Decimal | None = None
    reference: str | None = None


class Activity(Model):
    """Something that happened to an order or a position."""

    id: str
    type: str
    status: str
    event_id: str
    event_title: str
    market_id: str
    market_title: str
    outcome: str
    outcome_id: str
    order_id: str | None = None
    currency: str
    amount: Decimal
    fee: Decimal
    size: Decimal
    price: Decimal
    total_cost: Decimal
    filled_size: Decimal | None = None
    remaining_size: Decimal | None = None
    payout: Decimal | None = None
    created_at: datetime
    updated_at: datetime


class AuthCheck(Model):
    """The verifier's word on a signed request. `skew_seconds` is how far this machine's clock is ahead."""

    valid: bool
    server_time: int
    skew_seconds: int
    body_hash: str


class IssuedKey(Model):
    """A new API key. The exchange shows its secret only once."""

    shown: ClassVar[tuple[str, ...]] = ("name", "public_key", "created_at")

    id: str
    name: str
    public_key: str
    secret_key: str
    created_at: datetime

    def __repr_args__(self) -> list[tuple[str | None, object]]:
        """Leaves the secret out of logs and notebooks."""
        return [("id", self.id), ("name", self.name), ("public_key", self.public_key)]


class Version(Model):
    """The build of the exchange."""

    version: str
    commit: str
