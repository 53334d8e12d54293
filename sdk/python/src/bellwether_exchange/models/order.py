"""Orders as data, and the results of batches."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from .base import Model, OptionalMoment

OPEN_STATUSES = frozenset({"pending", "open", "partial_filled"})


class OrderData(Model):
    """An order, as the exchange described it last."""

    shown: ClassVar[tuple[str, ...]] = (
        "status", "side", "outcome_label", "order_type", "time_in_force", "price", "size", "filled_size",
        "remaining_size", "avg_fill_price", "amount", "fee", "currency", "client_order_id", "created_at", "id",
    )  # fmt: skip

    id: str
    event_id: str
    market_id: str
    outcome_id: str
    outcome: str
    outcome_label: str
    side: str
    order_type: str
    time_in_force: str
    status: str
    price: Decimal
    amount: Decimal
    size: Decimal
    filled_size: Decimal
    remaining_size: Decimal
    quantity: Decimal
    avg_fill_price: Decimal
    fee: Decimal
    currency: str
    post_only: bool
    stp_mode: str
    client_order_id: str | None = None
    expires_at: OptionalMoment = None
    created_at: datetime
    updated_at: datetime

    def caption(self) -> str:
        """Side, outcome and status in one line."""
        return f"{self.side} {self.outcome_label}, {self.status}"

    @property
    def is_open(self) -> bool:
        """Whether the order rests in the book and can still fill."""
        return self.status in OPEN_STATUSES

    @property
    def is_filled(self) -> bool:
        """Whether all of the order has filled."""
        return self.status == "filled"


class ItemError(Model):
    """Why one item of a batch failed."""

    code: str
    message: str
    reason: str = ""


class Summary(Model):
    """How many items of a batch succeeded."""

    total: int
    succeeded: int
    failed: int


class BatchCancelItem(Model):
    """The result of one cancel. After a retry, ORDER_NOT_OPEN may mean that the first try cancelled the order."""

    order_id: str
    success: bool
    error: ItemError | None = None


class BatchCancel(Model):
    """The result of a batch of cancels."""

    results: tuple[BatchCancelItem, ...]
    summary: Summary


class Minted(Model):
    """The result of a mint or a burn. `quantity` is pairs; `proceeds` is the money that a burn paid."""

    operation_id: str
    market_id: str
    quantity: Decimal
    outcome1_price: Decimal
    outcome2_price: Decimal
    proceeds: Decimal | None = None
