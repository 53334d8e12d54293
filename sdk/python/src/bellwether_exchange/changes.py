"""The recipe of the channel `changes`: applies snapshots, deltas and heartbeats to a local copy, and notices gaps.

Nothing here touches a socket. `Room.accept` takes one message and returns the update for the caller.
`Room.needs_restart` is set when a change was missed, and the stream then subscribes again without a sequence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from .book import Trust
from .models.data import Trade
from .models.order import OrderData

UpdateKind: TypeAlias = Literal["snapshot", "delta", "heartbeat", "untrusted"]


class Copy(Protocol):
    """A local copy of something that the exchange changes."""

    trust: Trust

    def clear(self) -> None:
        """Discards the state."""

    def apply(self, data: Mapping[str, Any]) -> None:
        """Applies a snapshot's or a delta's data."""


CopyType = TypeVar("CopyType", bound=Copy)


@dataclass(frozen=True)
class Fill:
    """Your side of a trade."""

    trade_id: str
    order_id: str
    market_id: str
    outcome: str
    side: str
    price: Decimal
    quantity: Decimal
    fee: Decimal
    currency: str
    role: str


@dataclass(frozen=True)
class Update:
    """One step of a stream. The local copy already includes it."""

    kind: UpdateKind
    room: str
    sequence: int
    head: int
    timestamp: int = 0
    """Milliseconds since 1970, by the exchange's journal; 0 for `untrusted`."""
    reason: str = ""
    """Why the copy is not to be trusted; empty otherwise."""
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def trades(self) -> list[Trade]:
        """The trades of a market's delta."""
        return [Trade.model_validate(trade) for trade in self.data.get("trades", ())]

    @property
    def orders(self) -> list[OrderData]:
        """Every state that your orders reached in an account's delta, in order."""
        return [OrderData.model_validate(change["order"]) for change in self.data.get("orders", ())]

    @property
    def fills(self) -> list[Fill]:
        """Your sides of the trades of an account's delta."""
        return [
            Fill(
                trade_id=fill["tradeId"],
                order_id=fill["orderId"],
                market_id=fill["marketId"],
                outcome=fill["outcome"],
                side=fill["side"],
                price=Decimal(fill["price"]),
                quantity=Decimal(fill["quantity"]),
                fee=Decimal(fill["fee"]),
                currency=fill["currency"],
                role=fill["role"],
            )
            for fill in self.data.get("fills", ())
        ]


@dataclass
class Room(Generic[CopyType]):
    """One subscription and the copy that it keeps current."""

    name: str
    copy: CopyType
    subject: Mapping[str, Any] = field(default_factory=dict)
    """What a subscription names: a market and its currency, or the account."""
    has_state: bool = False
    needs_restart: bool = False

    @property
    def resume_from(self) -> int | None:
        """The sequence to continue from; None to start over."""
        if not self.has_state or self.needs_restart:
            return None
        return max(self.copy.trust.sequence, self.copy.trust.head)

    def accept(self, message: Mapping[str, Any]) -> Update | None:
        """Applies one message of this room. None: the copy already has it, or waits for a snapshot."""
        kind = message["type"]
        if kind == "snapshot":
            return self._accept_snapshot(message)
        if self.needs_restart or not self.has_state:
            return None
        return self._accept_delta(message) if kind == "delta" else self._accept_heartbeat(message)

    def distrust(self, reason: str) -> Update | None:
        """Marks the copy as not to be trusted. None if it already was."""
        trust = self.copy.trust
        was_trusted, trust.is_trusted, trust.reason = trust.is_trusted, False, reason
        return Update("untrusted", self.name, trust.sequence, trust.head, reason=reason) if was_trusted else None

    def _accept_snapshot(self, message: Mapping[str, Any]) -> Update:
        self.copy.clear()
        self.copy.apply(message["data"])
        self.has_state, self.needs_restart = True, False
        return self._trusted("snapshot", message, message["sequence"], message["sequence"])

    def _accept_delta(self, message: Mapping[str, Any]) -> Update | None:
        trust = self.copy.trust
        mine = max(trust.sequence, trust.head)
        if message["sequence"] <= trust.sequence:
            return None
        # A heartbeat said that nothing changed up to `head`: a change below it means that one of both is wrong.
        if message["previousSequence"] > mine or message["sequence"] <= trust.head:
            return self._missed(f"the change before {message['sequence']} did not arrive")
        self.copy.apply(message["data"])
        return self._trusted("delta", message, message["sequence"], message["sequence"])

    def _accept_heartbeat(self, message: Mapping[str, Any]) -> Update | None:
        if message["sequence"] > max(self.copy.trust.sequence, self.copy.trust.head):
            return self._missed(f"the change {message['sequence']} did not arrive")
        return self._trusted("heartbeat", message, self.copy.trust.sequence, message["head"])

    def _missed(self, reason: str) -> Update | None:
        self.needs_restart = True
        return self.distrust(reason)

    def _trusted(self, kind: UpdateKind, message: Mapping[str, Any], sequence: int, head: int) -> Update:
        trust = self.copy.trust
        trust.sequence, trust.head = sequence, max(sequence, head)
        trust.is_trusted, trust.reason = True, ""
        return Update(kind, self.name, sequence, trust.head, message["timestamp"], data=message.get("data", {}))
