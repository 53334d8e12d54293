"""Writes: orders, batches, cancels, amends, sets of shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from ..numbers import Number, encode, exact
from ..text import moment, part
from .base import Access, Request, keyed_write, read, write

Side: TypeAlias = Literal["BUY", "SELL"]
TimeInForce: TypeAlias = Literal["GTC", "GTD", "FAK", "FOK"]
StpMode: TypeAlias = Literal["SKIP", "CANCEL_OLDEST", "CANCEL_NEWEST", "CANCEL_BOTH"]
Currency: TypeAlias = Literal["USD", "NGN"]


@dataclass(frozen=True)
class NewOrder:
    """An order to place or to quote: a limit order with a price, a market order without one.

    Give either `amount` (money, on both sides) or `quantity` (shares).
    """

    outcome_id: str
    side: Side
    amount: Number | None = None
    quantity: Number | None = None
    price: Number | None = None
    currency: str = "USD"
    time_in_force: TimeInForce | None = None
    post_only: bool | None = None
    expires_at: datetime | str | None = None
    max_slippage: Number | None = None
    stp_mode: StpMode | None = None
    client_order_id: str | None = None

    def __post_init__(self) -> None:
        if (self.amount is None) == (self.quantity is None):
            raise ValueError("an order has either an amount (money) or a quantity (shares)")

    def fields(self) -> dict[str, Any]:
        """The order as the exchange reads it."""
        given = {
            "outcomeId": self.outcome_id,
            "side": self.side,
            "type": "MARKET" if self.price is None else "LIMIT",
            "currency": self.currency,
            "amount": _exact(self.amount),
            "quantity": _exact(self.quantity),
            "price": _exact(self.price),
            "timeInForce": self.time_in_force,
            "postOnly": self.post_only,
            "expiresAt": None if self.expires_at is None else moment(self.expires_at),
            "maxSlippage": _exact(self.max_slippage),
            "stpMode": self.stp_mode,
            "clientOrderId": self.client_order_id,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Amendment:
    """A new price, a new total size in shares, or both, of an open order."""

    order_id: str
    price: Number | None = None
    size: Number | None = None

    def fields(self) -> dict[str, Any]:
        """The item as the exchange reads it."""
        given = {"orderId": self.order_id, "newPrice": _exact(self.price), "newSize": _exact(self.size)}
        return {name: value for name, value in given.items() if value is not None}


def place_order(event_id: str, market_id: str, order: NewOrder, key: str | None) -> Request:
    """Places one order."""
    return keyed_write("POST", f"{_market(event_id, market_id)}/orders", order.fields(), key)


def quote_order(event_id: str, market_id: str, order: NewOrder, *, as_order: bool) -> Request:
    """Asks what an order would do. Without `as_order`, what a market order without a bound would do."""
    body = order.fields()
    if not as_order:
        body = {name: body[name] for name in ("outcomeId", "side", "currency", "amount", "quantity") if name in body}
    return Request("POST", f"{_market(event_id, market_id)}/quote", body=encode(body))


def place_batch(orders: Sequence[NewOrder], key: str | None) -> Request:
    """Places 1 to 20 orders, one after another."""
    return keyed_write("POST", "/v1/pm/orders/batch", {"orders": [order.fields() for order in orders]}, key)


def amend_batch(items: Sequence[Amendment]) -> Request:
    """Amends 1 to 20 orders. New prices and sizes are absolute, so a repetition changes nothing."""
    return write("POST", "/v1/pm/orders/batch/amend", {"items": [item.fields() for item in items]})


def cancel_order(order_id: str) -> Request:
    """Cancels one order."""
    return write("DELETE", f"/v1/pm/orders/{part(order_id)}")


def cancel_batch(order_ids: Sequence[str]) -> Request:
    """Cancels 1 to 100 orders. Some proxies drop the body of a DELETE, so this is the POST form."""
    return write("POST", "/v1/pm/orders/batch/cancel", {"orderIds": list(order_ids)})


def cancel_all(conditions: Mapping[str, str | None], key: str | None) -> Request:
    """Cancels all open orders that meet the conditions. Keyed: a late repetition must not cancel newer orders."""
    body = {name: value for name, value in conditions.items() if value is not None}
    return keyed_write("POST", "/v1/pm/orders/cancel-all", body, key)


def cancel_after(seconds: int) -> Request:
    """Sets the dead man's switch: all orders are cancelled unless it is set again within this time."""
    return write("POST", "/v1/pm/orders/cancel-after", {"seconds": seconds})


def mint(market_id: str, amount: Number, currency: str, key: str | None) -> Request:
    """Turns money into pairs of shares."""
    return _sets("mint", market_id, amount, currency, key)


def burn(market_id: str, amount: Number, currency: str, key: str | None) -> Request:
    """Turns pairs of shares into money."""
    return _sets("burn", market_id, amount, currency, key)


def get_order(order_id: str) -> Request:
    """Reads one order."""
    return read(f"/v1/pm/orders/{part(order_id)}", access=Access.READ)


def _sets(verb: str, market_id: str, amount: Number, currency: str, key: str | None) -> Request:
    body = {"quantity": exact(amount), "currency": currency}
    return keyed_write("POST", f"/v1/pm/markets/{part(market_id)}/{verb}", body, key)


def _market(event_id: str, market_id: str) -> str:
    return f"/v1/pm/events/{part(event_id)}/markets/{part(market_id)}"


def _exact(value: Number | None) -> Any:
    return None if value is None else exact(value)
