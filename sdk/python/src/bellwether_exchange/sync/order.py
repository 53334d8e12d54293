# Made from bellwether_exchange/aio by scripts/make_sync.py: edit that file, not this one.
"""An order that can be watched, changed and cancelled."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from ..errors import ApiError, BellwetherError, WaitTimedOut
from ..models.base import Model
from ..models.order import ItemError, OrderData, Summary
from ..numbers import Number
from ..requests import trading
from ..requests.base import Access, read

if TYPE_CHECKING:
    from .client import Client

POLL_SECONDS = 20
"""The longest time that the exchange lets one request wait for a change."""


class Order(OrderData):
    """An order of yours. Its fields are those of the last answer; each method brings them up to date."""

    _client: Client | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """Takes the client from the context of the validation."""
        super().model_post_init(context)
        if isinstance(context, dict):
            self._client = context.get("client")

    def refresh(self) -> Order:
        """Reads the order again."""
        answer = self._bound().send(trading.get_order(self.id))
        self._take(self._bound().build(Order, answer.payload, answer))
        return self

    def cancel(self) -> Order:
        """Cancels the rest of the order. Fills remain."""
        client = self._bound()
        try:
            answer = client.send(trading.cancel_order(self.id))
        except ApiError as error:
            # The first try got no answer, and may be the reason for this refusal.
            if error.is_repeated and error.code == "ORDER_NOT_OPEN":
                self.refresh()
                if self.status == "cancelled":
                    return self
            raise
        self._take(client.build(Order, answer.payload["order"], answer))
        return self

    def amend(self, price: Number | None = None, size: Number | None = None) -> Order:
        """Sets a new price, a new total size in shares (the filled part included), or both."""
        batch = self._bound().amend([trading.Amendment(self.id, price, size)])
        self._take(batch.results[0].placed())
        return self

    def wait(self, timeout: float | None = None) -> Order:
        """Waits until the order is filled, cancelled, expired or rejected.

        Raises `WaitTimedOut` after `timeout` seconds; the order then stays as it is.
        """
        began = time.monotonic()
        self.refresh()
        while self.is_open:
            left = POLL_SECONDS if timeout is None else timeout - (time.monotonic() - began)
            if left <= 0:
                raise WaitTimedOut(f"order {self.id} is still {self.status}")
            if self._has_changed(int(min(POLL_SECONDS, max(1, left)))):
                self.refresh()
        return self

    def _has_changed(self, seconds: int) -> bool:
        """Waits for a change of the account, and says whether it concerns this order."""
        parameters = {"after": self.as_of or 0, "wait": seconds}
        request = read("/v1/pm/account/changes", parameters, Access.READ, timeout=seconds + 10.0)
        payload = (self._bound().send(request)).payload
        self._as_of = payload["sequence"]
        changes = payload["changes"]
        orders = [item["order"]["id"] for change in changes for item in change["data"].get("orders", ())]
        return self.id in orders or any(change["type"] == "snapshot" for change in changes)

    def _bound(self) -> Client:
        if self._client is None:
            raise BellwetherError("this order belongs to no client: read it with client.order(id)")
        return self._client


class BatchItem(Model):
    """The result of one item of a batch: an order, or an error."""

    index: int
    success: bool
    order: Order | None = None
    order_id: str | None = None
    client_order_id: str | None = None
    error: ItemError | None = None

    def placed(self) -> Order:
        """The order. Raises the item's error if it failed."""
        if self.order is None:
            word = f"{self.error.reason or self.error.code}: {self.error.message}" if self.error else "no order"
            raise BellwetherError(f"item {self.index} failed: {word}")
        return self.order


class Batch(Model):
    """The results of a batch, in the order of its items. Items succeed and fail one by one."""

    results: tuple[BatchItem, ...]
    summary: Summary

    @property
    def orders(self) -> list[Order]:
        """The orders of the items that succeeded."""
        return [item.order for item in self.results if item.order is not None]

    @property
    def failures(self) -> list[BatchItem]:
        """The items that failed."""
        return [item for item in self.results if not item.success]
