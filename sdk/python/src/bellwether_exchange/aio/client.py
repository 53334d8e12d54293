"""The client of an exchange."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from .. import settings
from ..models.account import Activity, AuthCheck, IssuedKey, Movement, Pnl, Position, Version, Wallet
from ..models.base import Model
from ..models.data import Book, PricePoint, Trade
from ..models.market import LeanEvent, Series
from ..models.order import BatchCancel
from ..requests import session, trading
from ..requests.base import Access, Request, read, write
from ..requests.trading import Amendment, NewOrder
from ..retry import Retry
from ..signing import USER_STREAM, Credentials
from ..text import camel, is_id, part
from ..wire import Answer, stream_url
from .connection import Connection
from .market import Event, Market
from .order import Batch, Order
from .pager import Pager
from .stream import AccountStream, Listener, MarketStream, endpoint
from .transport import Transport

ModelType = TypeVar("ModelType", bound=Model)


class AsyncClient:
    """A client of an exchange, with the key of one account or without a key.

    Without keys it reads public data. With `public_key` it reads the account; with `secret_key` it trades. Close it
    when you are done, or use it in a `with` block.
    """

    def __init__(
        self,
        base_url: str,
        public_key: str | None = None,
        secret_key: str | None = None,
        *,
        currency: str = "USD",
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.currency = currency
        credentials = Credentials(public_key, secret_key) if public_key else None
        self._transport = Transport(self.base_url, credentials, retry or Retry(), timeout)

    @classmethod
    def from_env(cls, **options: Any) -> AsyncClient:
        """A client from `BASE_URL`, `PUBLIC_KEY`, `SECRET_KEY`, or from the demo's file that `DEMO` names."""
        found = settings.from_env()
        return cls(found.base_url, found.public_key, found.secret_key, **options)

    @classmethod
    def from_demo(cls, file: str | Path = "data/demo.json", user: int = 1, **options: Any) -> AsyncClient:
        """A client of a running `bellwether demo`, as its n-th person."""
        found = settings.from_demo(file, user)
        return cls(found.base_url, found.public_key, found.secret_key, **options)

    # Events and market data

    async def event(self, name: str, *, currency: str | None = None) -> Event:
        """An event by its slug or its id."""
        path = f"/v1/pm/events/{part(name)}" if is_id(name) else f"/v1/pm/events/slug/{part(name)}"
        chosen = currency or self.currency
        answer = await self.send(read(path, {"currency": chosen}))
        return self.build(Event, answer.payload, answer, chosen)

    async def market(self, market_id: str, *, currency: str | None = None) -> Market:
        """A market by its id."""
        chosen = currency or self.currency
        changes = await self.send(read(f"/v1/pm/markets/{part(market_id)}/changes", {"currency": chosen}))
        event = await self.event(changes.payload["changes"][0]["data"]["eventId"], currency=chosen)
        return event.find(changes.payload["changes"][0]["data"]["marketId"])

    def events(self, *, size: int = 25, **filters: object) -> Pager[Event]:
        """Events.

        Filters: keyword, q, category, subcategory, status, type, engine, trending, watchlist, currency, series_slug,
        sport_game_slug.
        """
        filters.setdefault("currency", self.currency)
        return Pager(self, Event, "/v1/pm/events", "events", filters, size=size)

    def series(self) -> Pager[Series]:
        """Series of events, such as one for each hour of a price."""
        return Pager(self, Series, "/v1/pm/events/series", "series", {}, size=50)

    async def series_events(self, slug: str) -> list[LeanEvent]:
        """The current events of a series, the oldest first."""
        answer = await self.send(read(f"/v1/pm/events/series/{part(slug)}/lean-events"))
        return [self.build(LeanEvent, row, answer) for row in answer.payload]

    async def books(self, outcome_ids: Sequence[str], *, depth: int = 99, currency: str | None = None) -> list[Book]:
        """The books of several outcomes, all at one sequence."""
        chosen = currency or self.currency
        parameters = {"outcomeId[]": list(outcome_ids), "depth": depth, "currency": chosen}
        answer = await self.send(read("/v1/pm/books", parameters))
        return [self.build(Book, row, answer) for row in answer.payload]

    def trades(self, *, size: int = 100, **filters: object) -> Pager[Trade]:
        """Trades, the newest first. Filters: engine, market_id, order_id, outcome_id, user_id, from_date, to_date."""
        return Pager(self, Trade, "/v1/pm/trades", "data", filters, size=size)

    async def price_history(
        self, event_id: str, *, time_period: str = "24H", currency: str | None = None
    ) -> dict[str, list[PricePoint]]:
        """Prices of each market's first outcome over 12H, 24H, 1W, 1M or 1Y, by market id."""
        path = f"/v1/pm/events/{part(event_id)}/price-history"
        answer = await self.send(read(path, {"time_period": time_period, "currency": currency or self.currency}))
        return {
            market["marketId"]: [self.build(PricePoint, point, answer) for point in market["priceHistory"]]
            for market in answer.payload["markets"]
        }

    # Orders

    async def order(self, order_id: str) -> Order:
        """One of your orders."""
        answer = await self.send(trading.get_order(order_id))
        return self.build(Order, answer.payload, answer)

    def orders(self, *, size: int = 100, **filters: object) -> Pager[Order]:
        """Your orders, the newest first.

        Filters: side, status, event_id, market_id, outcome_id, currency, client_order_id.
        """
        return Pager(self, Order, "/v1/pm/orders", "orders", filters, Access.READ, size)

    async def place(self, orders: Sequence[NewOrder], *, idempotency_key: str | None = None) -> Batch:
        """Places 1 to 20 orders, one after another. Look at `batch.failures`: items fail one by one."""
        answer = await self.send(trading.place_batch(orders, idempotency_key))
        return self.build(Batch, answer.payload, answer)

    async def amend(self, items: Sequence[Amendment]) -> Batch:
        """Amends 1 to 20 orders."""
        answer = await self.send(trading.amend_batch(items))
        return self.build(Batch, answer.payload, answer)

    async def cancel(self, order_ids: Sequence[str]) -> BatchCancel:
        """Cancels 1 to 100 orders."""
        answer = await self.send(trading.cancel_batch(order_ids))
        return self.build(BatchCancel, answer.payload, answer)

    async def cancel_all(
        self,
        *,
        event_id: str | None = None,
        market_id: str | None = None,
        currency: str | None = None,
        idempotency_key: str | None = None,
    ) -> list[Order]:
        """Cancels all your open orders that meet the conditions, and returns them."""
        conditions = {"eventId": event_id, "marketId": market_id, "currency": currency}
        answer = await self.send(trading.cancel_all(conditions, idempotency_key))
        return [self.build(Order, row, answer) for row in answer.payload["orders"]]

    async def cancel_after(self, seconds: int) -> str:
        """Sets the dead man's switch, and returns when it cancels all your orders. 0 disarms it."""
        answer = await self.send(trading.cancel_after(seconds))
        return str(answer.payload["cancelAt"])

    # The account

    async def wallets(self) -> dict[str, Wallet]:
        """Your money, by currency."""
        answer = await self.send(read("/v1/wallet/assets", access=Access.READ))
        return {row["symbol"]: self.build(Wallet, row, answer) for row in answer.payload["assets"]}

    def positions(self, **filters: object) -> Pager[Position]:
        """Your shares. Filters: currency, market_id, event_id."""
        return Pager(self, Position, "/v1/pm/portfolio", "outcomeBalances", filters, Access.READ)

    def activities(self, **filters: object) -> Pager[Activity]:
        """What happened to your orders and positions. Filter: type (buys, sells, limits, payout, sets)."""
        return Pager(self, Activity, "/v1/pm/activities", "activities", filters, Access.READ)

    def statement(self, *, currency: str | None = None) -> Pager[Movement]:
        """Every movement of your money in one currency, the newest first."""
        params = {"currency": currency or self.currency}
        return Pager(self, Movement, "/v1/pm/statement", "movements", params, Access.PRIVATE)

    async def pnl(
        self,
        *,
        time_period: str | None = None,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        currency: str | None = None,
    ) -> Pnl:
        """What you won and lost, over a period or from `start` to `end`."""
        chosen = currency or self.currency
        parameters = {"time_period": time_period, "start": start, "end": end, "currency": chosen}
        request = read("/v1/pm/pnl", parameters, Access.READ)
        answer = await self.send(request)
        return self.build(Pnl, answer.payload, answer)

    async def watch(self, event_id: str, is_watched: bool = True) -> None:
        """Puts an event on your watchlist, or takes it off."""
        await self.send(write("PUT" if is_watched else "DELETE", f"/v1/pm/events/{part(event_id)}/watchlist"))

    async def check_signature(self) -> AuthCheck:
        """Runs the exchange's verifier on a signed request that changes nothing: are the keys and the clock right?"""
        answer = await self.send(write("POST", "/v1/auth/check", {}))
        return self.build(AuthCheck, answer.payload, answer)

    async def create_key(self, email: str, password: str, name: str) -> IssuedKey:
        """Logs in and creates an API key. Keep the secret: the exchange shows it once."""
        begun = await self.send(session.login(email, password))
        answer = await self.send(session.create_key(begun.payload, name))
        return self.build(IssuedKey, answer.payload, answer)

    async def version(self) -> Version:
        """The build of the exchange."""
        answer = await self.send(read("/version"))
        return self.build(Version, answer.payload, answer)

    # Streams

    def follow(
        self, *markets: Market | str, currency: str | None = None, silence_seconds: float | None = None
    ) -> MarketStream:
        """A stream of one or more markets, or their ids, with local books."""
        if not markets:
            raise ValueError("name at least one market to follow")
        ids = [market if isinstance(market, str) else market.id for market in markets]
        first = markets[0]
        chosen = currency or (self.currency if isinstance(first, str) else first.currency)
        return MarketStream(self._connection("/ws/v1/markets", silence_seconds), ids, chosen)

    def follow_account(
        self, *, cancel_on_disconnect: bool = False, silence_seconds: float | None = None
    ) -> AccountStream:
        """A stream of your account. With `cancel_on_disconnect`, its end cancels all your orders."""
        connection = self._connection(USER_STREAM, silence_seconds)
        return AccountStream(connection, self._transport.credentials, cancel_on_disconnect)

    def listen(self, channel: str, *, silence_seconds: float = 120.0, **subject: object) -> Listener:
        """Messages of a channel, such as `listen("prices", event_ids=[…])` or `listen("asset_prices", symbols=[…])`."""
        subscription: dict[str, Any] = {
            "channel": channel,
            **{camel(name): value for name, value in subject.items()},
        }
        credentials = self._transport.credentials
        if endpoint(channel) == USER_STREAM and credentials:
            subscription["auth"] = {"apiKey": credentials.public_key}
        return Listener(self._connection(endpoint(channel), silence_seconds), subscription)

    def _connection(self, path: str, silence_seconds: float | None) -> Connection:
        return Connection(self._transport, stream_url(self.base_url, path), silence_seconds)

    # For what has no method here

    async def send(self, request: Request) -> Answer:
        """Sends any request, signed and repeated as it allows."""
        return await self._transport.send(request)

    def build(self, model: type[ModelType], payload: Any, answer: Answer, currency: str | None = None) -> ModelType:
        """An object from a part of an answer, bound to this client."""
        context = {"client": self, "as_of": answer.as_of, "currency": currency or self.currency}
        return model.model_validate(payload, context=context)

    async def close(self) -> None:
        """Closes all connections except those of streams."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        who = self._transport.credentials
        return f"<{type(self).__name__} {self.base_url} as {who.public_key if who else 'nobody'}>"
