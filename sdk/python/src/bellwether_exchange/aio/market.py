"""Events, markets and outcomes that can be read and traded."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from .. import html
from ..errors import BellwetherError
from ..models.data import Book, Candle, Quote, Ticker, Trade
from ..models.market import EventData, MarketData
from ..models.order import Minted
from ..numbers import Number
from ..requests import trading
from ..requests.base import read
from ..requests.trading import NewOrder, Side, StpMode, TimeInForce
from ..text import part
from .order import Order
from .pager import Pager

if TYPE_CHECKING:
    from .client import AsyncClient
    from .stream import MarketStream


class Market(MarketData):
    """A question with two outcomes: `market.yes` and `market.no`."""

    _client: AsyncClient | None = PrivateAttr(default=None)
    _event_id: str = PrivateAttr(default="")
    _currency: str = PrivateAttr(default="USD")

    def model_post_init(self, context: Any) -> None:
        """Takes the client and the currency from the context of the validation."""
        super().model_post_init(context)
        if isinstance(context, dict):
            self._client = context.get("client")
            self._currency = context.get("currency") or "USD"

    @property
    def event_id(self) -> str:
        """The id of the market's event."""
        return self._event_id

    @property
    def currency(self) -> str:
        """The currency that the market was read in, and that its methods trade in."""
        return self._currency

    @property
    def client(self) -> AsyncClient:
        """The client that read the market."""
        if self._client is None:
            raise BellwetherError("this market belongs to no client: read it with client.event(slug)")
        return self._client

    @property
    def yes(self) -> Outcome:
        """The first outcome, whatever its label."""
        return Outcome(self, "YES")

    @property
    def no(self) -> Outcome:
        """The second outcome."""
        return Outcome(self, "NO")

    def outcome(self, label: str) -> Outcome:
        """The outcome with this label, such as "Up", or YES or NO."""
        for outcome in (self.yes, self.no):
            if label.casefold() in (outcome.label.casefold(), outcome.side_name.casefold()):
                return outcome
        raise ValueError(f"{self.title} has the outcomes {self.outcome1_label} and {self.outcome2_label}, not {label}")

    async def refresh(self) -> Market:
        """Reads the market again: prices, status, result."""
        event = await self.client.event(self.event_id, currency=self.currency)
        self._take(event.find(self.id))
        return self

    async def mint(self, amount: Number, *, idempotency_key: str | None = None) -> Minted:
        """Turns money into pairs of YES and NO shares."""
        answer = await self.client.send(trading.mint(self.id, amount, self.currency, idempotency_key))
        return self.client.build(Minted, answer.payload, answer)

    async def burn(self, amount: Number, *, idempotency_key: str | None = None) -> Minted:
        """Turns pairs of YES and NO shares into this much money."""
        answer = await self.client.send(trading.burn(self.id, amount, self.currency, idempotency_key))
        return self.client.build(Minted, answer.payload, answer)

    async def cancel_all(self) -> list[Order]:
        """Cancels your open orders in this market and currency."""
        return await self.client.cancel_all(market_id=self.id, currency=self.currency)

    def trades(self, *, size: int = 100, **filters: object) -> Pager[Trade]:
        """The market's trades, the newest first."""
        return self.client.trades(size=size, market_id=self.id, **filters)

    def orders(self, *, size: int = 100, **filters: object) -> Pager[Order]:
        """Your orders in this market, the newest first."""
        return self.client.orders(size=size, market_id=self.id, **filters)

    async def candles(
        self,
        interval: str = "1h",
        outcome: str = "YES",
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> list[Candle]:
        """Open, high, low, close and volume of each interval: 1m, 5m, 15m, 1h, 6h or 1d."""
        parameters = {
            "interval": interval,
            "outcome": outcome,
            "currency": self.currency,
            "from": since,
            "to": until,
        }
        request = read(f"/v1/pm/markets/{part(self.id)}/candles", parameters)
        answer = await self.client.send(request)
        return [self.client.build(Candle, row, answer) for row in answer.payload["candles"]]

    def follow(self) -> MarketStream:
        """A stream of this market, with a local book."""
        return self.client.follow(self)


class Outcome:
    """One side of a market, and the way to trade it."""

    def __init__(self, market: Market, side_name: str) -> None:
        self.market = market
        self.side_name = side_name
        """YES for the first outcome, NO for the second."""

    @property
    def id(self) -> str:
        """The outcome's id."""
        return self.market.outcome1_id if self.side_name == "YES" else self.market.outcome2_id

    @property
    def label(self) -> str:
        """The outcome's label, such as YES or Up."""
        return self.market.outcome1_label if self.side_name == "YES" else self.market.outcome2_label

    @property
    def price(self) -> Decimal:
        """The price when the market was read."""
        return self.market.outcome1_price if self.side_name == "YES" else self.market.outcome2_price

    @property
    def buy_price(self) -> Decimal:
        """What a share cost when the market was read; 0 if none was offered."""
        return self.market.yes_buy_price if self.side_name == "YES" else self.market.no_buy_price

    def new_order(
        self,
        side: Side,
        amount: Number | None = None,
        *,
        quantity: Number | None = None,
        price: Number | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
        expires_at: datetime | str | None = None,
        max_slippage: Number | None = None,
        stp_mode: StpMode | None = None,
        client_order_id: str | None = None,
    ) -> NewOrder:
        """An order of this outcome, not placed yet: for a batch, or for `quote_order`."""
        return NewOrder(
            outcome_id=self.id,
            side=side,
            amount=amount,
            quantity=quantity,
            price=price,
            currency=self.market.currency,
            time_in_force=time_in_force,
            post_only=post_only,
            expires_at=expires_at,
            max_slippage=max_slippage,
            stp_mode=stp_mode,
            client_order_id=client_order_id,
        )

    async def buy(
        self,
        amount: Number | None = None,
        *,
        quantity: Number | None = None,
        price: Number | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
        expires_at: datetime | str | None = None,
        max_slippage: Number | None = None,
        stp_mode: StpMode | None = None,
        client_order_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Order:
        """Buys for `amount` of money, or buys `quantity` shares. With a `price` it is a limit order."""
        order = self.new_order(
            "BUY",
            amount,
            quantity=quantity,
            price=price,
            time_in_force=time_in_force,
            post_only=post_only,
            expires_at=expires_at,
            max_slippage=max_slippage,
            stp_mode=stp_mode,
            client_order_id=client_order_id,
        )
        return await self.place(order, idempotency_key=idempotency_key)

    async def sell(
        self,
        *,
        quantity: Number | None = None,
        amount: Number | None = None,
        price: Number | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
        expires_at: datetime | str | None = None,
        max_slippage: Number | None = None,
        stp_mode: StpMode | None = None,
        client_order_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Order:
        """Sells `quantity` shares, or shares for `amount` of money. The name is needed: both are plausible."""
        order = self.new_order(
            "SELL",
            amount,
            quantity=quantity,
            price=price,
            time_in_force=time_in_force,
            post_only=post_only,
            expires_at=expires_at,
            max_slippage=max_slippage,
            stp_mode=stp_mode,
            client_order_id=client_order_id,
        )
        return await self.place(order, idempotency_key=idempotency_key)

    async def place(self, order: NewOrder, *, idempotency_key: str | None = None) -> Order:
        """Places an order made by `new_order`."""
        client = self.market.client
        request = trading.place_order(self.market.event_id, self.market.id, order, idempotency_key)
        answer = await client.send(request)
        return client.build(Order, answer.payload["order"], answer)

    async def quote(self, side: Side, amount: Number | None = None, *, quantity: Number | None = None) -> Quote:
        """What a market order would do now."""
        return await self._quote(self.new_order(side, amount, quantity=quantity), as_order=False)

    async def quote_order(self, order: NewOrder) -> Quote:
        """What exactly this order would do now; `quote.order` has its status, its rest and its refusal."""
        return await self._quote(order, as_order=True)

    async def book(self, depth: int = 99) -> Book:
        """The book of this outcome."""
        books = await self.market.client.books([self.id], depth=depth, currency=self.market.currency)
        return books[0]

    async def ticker(self) -> Ticker:
        """The state of this outcome now and over the last 24 hours. Pools have no ticker."""
        path = f"/v1/pm/markets/{part(self.market.id)}/ticker"
        parameters = {"outcome": self.side_name, "currency": self.market.currency}
        answer = await self.market.client.send(read(path, parameters))
        return self.market.client.build(Ticker, answer.payload, answer)

    async def _quote(self, order: NewOrder, as_order: bool) -> Quote:
        client = self.market.client
        request = trading.quote_order(self.market.event_id, self.market.id, order, as_order=as_order)
        answer = await client.send(request)
        return client.build(Quote, answer.payload, answer)

    def __repr__(self) -> str:
        return f"<Outcome {self.label} of {self.market.title!r} at {self.price}>"

    def _repr_html_(self) -> str:
        rows = [
            ("outcome", self.label),
            ("price", self.price),
            ("costs now", self.buy_price),
            ("id", self.id),
        ]
        return html.fields(self.market.title, rows)


class Event(EventData):
    """A subject with one or more markets."""

    markets: tuple[Market, ...]
    _client: AsyncClient | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """Takes the client from the context of the validation, and gives its id to its markets."""
        super().model_post_init(context)
        if isinstance(context, dict):
            self._client = context.get("client")
        for market in self.markets:
            market._event_id = self.id

    @property
    def market(self) -> Market:
        """The only market. Raises an error if there are several."""
        if len(self.markets) != 1:
            raise ValueError(f"{self.title} has {len(self.markets)} markets: choose one of event.markets")
        return self.markets[0]

    def find(self, title: str) -> Market:
        """The market with this id, or with this title in any case."""
        for market in self.markets:
            if title == market.id or title.casefold() == market.title.casefold():
                return market
        raise ValueError(f"{self.title} has no market {title!r}")

    def _repr_html_(self) -> str:
        rows = [
            (market.title, market.status, market.outcome1_label, market.yes_buy_price, market.outcome2_label,
             market.no_buy_price)
            for market in self.markets
        ]  # fmt: skip
        head = ("market", "status", "outcome", "costs", "outcome", "costs")
        return super()._repr_html_() + html.table("Markets", head, rows)
