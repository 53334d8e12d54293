"""A Bellwether exchange for CCXT, as one of its prediction markets. Needs CCXT, which the extra `ccxt` installs.

    exchange = bellwether({"apiKey": "pk_live_…", "secret": "sk_live_…", "options": {"baseUrl": "http://127.0.0.1:8080"}})
    await exchange.create_order("EVENT_MARKET:YES", "limit", "buy", 10, 0.4)

CCXT's methods are async and address an outcome by its handle or id. Requests go through
`bellwether_exchange.AsyncClient`, so orders carry idempotency keys here too. Amounts are shares, prices probabilities.
"""

from __future__ import annotations

from typing import Any

from ccxt.async_support.base.prediction_exchange import PredictionExchange
from ccxt.base.errors import ArgumentsRequired

from ..aio import AsyncClient, Event, Market, Order, Outcome
from ..requests.trading import Amendment, NewOrder
from . import shapes
from .errors import translated

__all__ = ["bellwether"]

_HAS = (
    "cancelAllOrders", "cancelOrder", "cancelOrders", "createMarketBuyOrderWithCost", "createOrder", "createOrders",
    "editOrder", "fetchBalance", "fetchClosedOrders", "fetchEvent", "fetchEvents", "fetchMarkets", "fetchMyTrades",
    "fetchOHLCV", "fetchOpenOrders", "fetchOrder", "fetchOrderBook", "fetchOrders", "fetchPositions", "fetchTicker",
    "fetchTrades", "prediction",
)  # fmt: skip


class bellwether(PredictionExchange):  # noqa: N801 CCXT's classes have the exchange's id as their name.
    """The exchange. `options`: `baseUrl`, `currency` (USD or NGN)."""

    def describe(self) -> Any:
        """What CCXT knows about the exchange."""
        own = {
            "id": "bellwether",
            "name": "Bellwether",
            "rateLimit": 50,
            "has": dict.fromkeys(_HAS, True),
            "timeframes": {name: name for name in ("1m", "5m", "15m", "1h", "6h", "1d")},
            "requiredCredentials": {"apiKey": True, "secret": True},
            "options": {"baseUrl": "http://127.0.0.1:8080", "currency": "USD", "loadAllOutcomes": True},
        }
        return self.deep_extend(super().describe(), own)

    @property
    def client(self) -> AsyncClient:
        """The client that sends the requests."""
        if not hasattr(self, "_client"):
            options = self.options
            self._client = AsyncClient(
                options["baseUrl"], self.apiKey or None, self.secret or None, currency=options["currency"]
            )
        return self._client

    async def close(self) -> None:
        """Closes all connections."""
        if hasattr(self, "_client"):
            await self._client.close()
        await super().close()

    # Events and market data

    async def fetch_markets(self, params: dict[str, Any] | None = None) -> list[Any]:
        """Every market of every open event."""
        with translated():
            events = [event async for event in self.client.events(status="open", size=100, **(params or {}))]
        rows = [self._event(event) for event in events]
        self.set_events(rows)
        return [market for row in rows for market in row["markets"]]

    async def fetch_events(self, params: dict[str, Any] | None = None) -> list[Any]:
        """Events by `eventId`, `slug`, `query` or `queries`, with the limit and the status of CCXT."""
        chosen = params or {}
        name = chosen.get("eventId") or chosen.get("slug")
        queries = self.parse_search_queries(chosen)
        with translated():
            if name:
                events = [await self.client.event(name)]
            else:
                self.require_event_query(chosen)
                count = int(chosen.get("limit", 100))
                events = [event for query in queries for event in await self.client.events(q=query).first(count)]
        rows = [self._event(event) for event in events]
        for row in rows:
            self.index_event_outcomes(row)
        return list(self.apply_event_fetch_params(rows, chosen, queries))

    async def fetch_event(self, id: str, params: dict[str, Any] | None = None) -> Any:  # noqa: A002
        """One event by its id or slug."""
        return (await self.fetch_events({"eventId" if "-" in id and len(id) == 36 else "slug": id}))[0]

    async def fetch_ticker(self, outcome: str, params: dict[str, Any] | None = None) -> Any:
        """The state of an outcome now and over the last 24 hours."""
        row, found = await self._resolve(outcome)
        with translated():
            ticker = await found.ticker()
        return self.safe_prediction_ticker({**shapes.ticker_fields(ticker), **_identity(row)})

    async def fetch_order_book(
        self, outcome: str, limit: int | None = None, params: dict[str, Any] | None = None
    ) -> Any:
        """The book of an outcome. `nonce` is the exchange's sequence."""
        row, found = await self._resolve(outcome)
        with translated():
            book = await found.book(limit or 99)
        parsed = self.parse_order_book(
            {side: [[level.price, level.quantity] for level in getattr(book, side)] for side in ("bids", "asks")},
            row["outcome"],
            shapes.milliseconds(book.timestamp),
        )
        parsed["nonce"] = book.as_of
        return self.safe_prediction_order_book(parsed, row)

    async def fetch_trades(
        self,
        outcome: str,
        since: int | None = None,
        limit: int | None = None,
        params: dict[str, Any] | None = None,
    ) -> list[Any]:
        """Trades of an outcome's market, the oldest first."""
        row, found = await self._resolve(outcome)
        with translated():
            trades = await found.market.trades(from_date=self.iso8601(since)).first(limit or 100)
        parsed = [self._trade(shapes.trade_fields(trade, found.id), row) for trade in trades]
        return list(self.filter_by_since_limit(self.sort_by(parsed, "timestamp"), since, limit))

    async def fetch_ohlcv(
        self,
        outcome: str,
        timeframe: str = "1m",
        since: int | None = None,
        limit: int | None = None,
        params: dict[str, Any] | None = None,
    ) -> list[Any]:
        """Candles of an outcome."""
        _, found = await self._resolve(outcome)
        with translated():
            candles = await found.market.candles(timeframe, found.side_name, self.iso8601(since))
        rows = [shapes.candle_row(candle) for candle in candles]
        return rows[:limit] if since is not None else rows[-(limit or len(rows)) :]

    # The account

    async def fetch_balance(self, params: dict[str, Any] | None = None) -> Any:
        """Free and held money of each currency."""
        with translated():
            wallets = await self.client.wallets()
        result: dict[str, Any] = {"info": {name: row.model_dump(mode="json") for name, row in wallets.items()}}
        for name, wallet in wallets.items():
            result[name] = {"free": str(wallet.available_balance), "used": str(wallet.pending_balance)}
        return self.safe_balance(result)

    async def fetch_positions(
        self, outcomes: list[str] | None = None, params: dict[str, Any] | None = None
    ) -> list[Any]:
        """Your shares."""
        await self.load_outcomes()
        wanted = {(await self._resolve(name))[0]["outcomeId"] for name in outcomes} if outcomes else None
        with translated():
            held = [position async for position in self.client.positions(currency=self.options["currency"])]
        return [
            self.safe_prediction_position(
                {**shapes.position_fields(item), **_identity(self.safe_outcome(item.outcome_id))}
            )
            for item in held
            if wanted is None or item.outcome_id in wanted
        ]

    async def fetch_my_trades(
        self,
        outcome: str | None = None,
        since: int | None = None,
        limit: int | None = None,
        params: dict[str, Any] | None = None,
    ) -> list[Any]:
        """Your trades of one outcome."""
        if outcome is None:
            raise ArgumentsRequired("bellwether fetchMyTrades() requires an outcome argument")
        row, found = await self._resolve(outcome)
        with translated():
            orders = await self.client.orders(outcome_id=found.id).all()
            parsed = [
                self._trade(shapes.my_trade_fields(trade, order), row)
                for order in orders
                if order.filled_size
                for trade in await self.client.trades(order_id=order.id, engine="ALL").all()
            ]
        return list(self.filter_by_since_limit(self.sort_by(parsed, "timestamp"), since, limit))

    # Orders

    async def create_order(
        self,
        outcome: str,
        type: str,  # noqa: A002
        side: str,
        amount: float | None,
        price: float | None = None,
        params: dict[str, Any] | None = None,
    ) -> Any:
        """Places an order for `amount` shares. `params`: timeInForce, postOnly, clientOrderId, cost, stpMode."""
        row, found = await self._resolve(outcome)
        with translated():
            new = self._new_order(found, type, side, amount, price, params or {})
            order = await found.place(new, idempotency_key=(params or {}).get("idempotencyKey"))
        return self._order(order, row)

    async def create_market_buy_order_with_cost(
        self, outcome: str, cost: float, params: dict[str, Any] | None = None
    ) -> Any:
        """Buys for this much money, fee included."""
        return await self.create_order(outcome, "market", "buy", None, None, {**(params or {}), "cost": cost})

    async def create_orders(self, orders: list[Any], params: dict[str, Any] | None = None) -> list[Any]:
        """Places up to 20 orders in one request. An item that failed has the status `rejected`."""
        resolved = [await self._resolve(order["outcome"]) for order in orders]
        with translated():
            news = [
                self._new_order(
                    found, order["type"], order["side"], order["amount"], order.get("price"), order.get("params", {})
                )
                for order, (_, found) in zip(orders, resolved, strict=True)
            ]
            batch = await self.client.place(news)
        return [
            self._order(item.order, row)
            if item.order
            else self.safe_prediction_order({"status": "rejected", "info": item.model_dump(), **_identity(row)})
            for item, (row, _) in zip(batch.results, resolved, strict=True)
        ]

    async def edit_order(
        self,
        id: str,  # noqa: A002
        outcome: str | None,
        type: str | None = None,  # noqa: A002
        side: str | None = None,
        amount: float | None = None,
        price: float | None = None,
        params: dict[str, Any] | None = None,
    ) -> Any:
        """Sets a new total size, a new price, or both."""
        with translated():
            batch = await self.client.amend([Amendment(id, price, amount)])
            order = batch.results[0].placed()
        return self._order(order)

    async def cancel_order(self, id: str, outcome: str | None = None, params: Any = None) -> Any:  # noqa: A002
        """Cancels one order."""
        with translated():
            order = await self.client.order(id)
            return self._order(await order.cancel())

    async def cancel_orders(self, ids: list[str], outcome: str | None = None, params: Any = None) -> list[Any]:
        """Cancels up to 100 orders."""
        with translated():
            result = await self.client.cancel(ids)
        return [
            self.safe_prediction_order(
                {
                    "id": item.order_id,
                    "status": "canceled" if item.success else None,
                    "info": item.model_dump(),
                }
            )
            for item in result.results
        ]

    async def cancel_all_orders(self, outcome: str | None = None, params: Any = None) -> list[Any]:
        """Cancels all your orders, or those of one outcome's market."""
        found = (await self._resolve(outcome))[1] if outcome else None
        with translated():
            orders = await (found.market.cancel_all() if found else self.client.cancel_all())
        return [self._order(order) for order in orders]

    async def fetch_order(self, id: str, outcome: str | None = None, params: Any = None) -> Any:  # noqa: A002
        """One of your orders."""
        with translated():
            return self._order(await self.client.order(id))

    async def fetch_orders(
        self, outcome: str | None = None, since: int | None = None, limit: int | None = None, params: Any = None
    ) -> list[Any]:
        """Your orders, the oldest first."""
        found = (await self._resolve(outcome))[1] if outcome else None
        await self.load_outcomes()
        filters: dict[str, Any] = {"outcome_id": found.id} if found else {}
        with translated():
            orders = await self.client.orders(**filters, **(params or {})).first(limit or 500)
        rows = self.sort_by([self._order(order) for order in orders], "timestamp")
        return list(self.filter_by_since_limit(rows, since, limit))

    async def fetch_open_orders(
        self, outcome: str | None = None, since: int | None = None, limit: int | None = None, params: Any = None
    ) -> list[Any]:
        """Your orders that rest."""
        rows = await self.fetch_orders(outcome, since, limit, {"status": "open", **(params or {})})
        partial = await self.fetch_orders(outcome, since, limit, {"status": "partial_filled", **(params or {})})
        return list(self.filter_by_since_limit(self.sort_by(rows + partial, "timestamp"), since, limit))

    async def fetch_closed_orders(
        self, outcome: str | None = None, since: int | None = None, limit: int | None = None, params: Any = None
    ) -> list[Any]:
        """Your orders that filled completely."""
        return await self.fetch_orders(outcome, since, limit, {"status": "filled", **(params or {})})

    # Parts

    def _new_order(
        self, found: Outcome, kind: str, side: str, amount: Any, price: Any, params: dict[str, Any]
    ) -> NewOrder:
        if kind not in ("limit", "market"):
            raise ValueError(f"an order is limit or market, not {kind}")
        if kind == "limit" and price is None:
            raise ValueError("a limit order needs a price")
        time_in_force = params.get("timeInForce")
        is_post_only = params.get("postOnly") or time_in_force == "PO"
        return NewOrder(
            outcome_id=found.id,
            side="BUY" if side == "buy" else "SELL",
            amount=params.get("cost"),
            quantity=amount if params.get("cost") is None else None,
            price=price if kind == "limit" else None,
            currency=found.market.currency,
            time_in_force=shapes.FROM_CCXT_TIMES.get(time_in_force or ""),  # type: ignore[arg-type]
            post_only=True if is_post_only else None,
            stp_mode=params.get("stpMode"),
            client_order_id=params.get("clientOrderId"),
        )

    async def _resolve(self, outcome: str) -> tuple[dict[str, Any], Outcome]:
        """CCXT's row of an outcome, and the object that trades it."""
        with translated():
            row = await self.load_outcome(outcome)
        market: Market = row["info"]["market"]
        return row, market.yes if row["outcomeId"] == market.outcome1_id else market.no

    def _event(self, event: Event) -> dict[str, Any]:
        handle = self.shorten_slug(event.slug)
        return shapes.event_row(event, handle, [self._market(event, market, handle) for market in event.markets])

    def _market(self, event: Event, market: Market, event_handle: str) -> dict[str, Any]:
        handle = self.slug_to_market_symbol(event.slug, market.title)
        outcomes = []
        for outcome in (market.yes, market.no):
            name = self.slug_to_outcome_symbol(event.slug, market.title, outcome.label)
            row = shapes.outcome_row(outcome, name, handle, event_handle)
            row["info"]["market"] = market
            outcomes.append(row)
        return shapes.market_row(event, market, handle, outcomes)

    def _order(self, order: Order, row: dict[str, Any] | None = None) -> Any:
        return self.safe_prediction_order(
            {**shapes.order_fields(order), **_identity(row or self.safe_outcome(order.outcome_id))}
        )

    def _trade(self, fields: dict[str, Any], row: dict[str, Any]) -> Any:
        return self.safe_prediction_trade({**fields, **_identity(row)})


def _identity(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row.get(name) for name in ("outcome", "outcomeId", "label", "market", "event")}
