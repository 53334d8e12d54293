"""A copy of an account, kept current by the changes of its stream: open orders, wallets, positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .book import Trust
from .models.order import OrderData


@dataclass(frozen=True)
class LocalWallet:
    """The money of one currency."""

    available: Decimal
    pending: Decimal


@dataclass(frozen=True)
class LocalPosition:
    """Shares of one outcome in one currency."""

    market_id: str
    outcome_id: str
    outcome: str
    currency: str
    balance: Decimal
    available: Decimal
    cost: Decimal


@dataclass
class LocalAccount:
    """Open orders by id, wallets by currency, positions by outcome id and currency."""

    trust: Trust = field(default_factory=Trust)
    orders: dict[str, OrderData] = field(default_factory=dict)
    wallets: dict[str, LocalWallet] = field(default_factory=dict)
    positions: dict[tuple[str, str], LocalPosition] = field(default_factory=dict)

    @property
    def is_trusted(self) -> bool:
        """Whether this is the exchange's account at `sequence`, over a live connection."""
        return self.trust.is_trusted

    @property
    def sequence(self) -> int:
        """The last request that the copy includes."""
        return self.trust.sequence

    def clear(self) -> None:
        """Discards the state, as a snapshot demands."""
        self.orders.clear()
        self.wallets.clear()
        self.positions.clear()

    def apply(self, data: Mapping[str, Any]) -> None:
        """Applies the data of a snapshot or a delta. Each item replaces the older one."""
        for change in data.get("orders", ()):
            order = OrderData.model_validate(change["order"])
            if order.is_open:
                self.orders[order.id] = order
            else:
                self.orders.pop(order.id, None)
        for wallet in data.get("wallets", ()):
            available, pending = Decimal(wallet["availableBalance"]), Decimal(wallet["pendingBalance"])
            self.wallets[wallet["currency"]] = LocalWallet(available, pending)
        for position in data.get("positions", ()):
            self._apply_position(position)

    def _apply_position(self, position: Mapping[str, Any]) -> None:
        place = (position["outcomeId"], position["currency"])
        balance = Decimal(position["balance"])
        if not balance:
            self.positions.pop(place, None)
            return
        self.positions[place] = LocalPosition(
            market_id=position["marketId"],
            outcome_id=position["outcomeId"],
            outcome=position["outcome"],
            currency=position["currency"],
            balance=balance,
            available=Decimal(position["availableBalance"]),
            cost=Decimal(position["cost"]),
        )
