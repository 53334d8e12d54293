"""Simulated orders on recorded books.

An order takes what the recorded book offers at that moment. Shares that it took stay taken while their level stands, so
they cannot be bought twice. The rest of a limit order waits behind the shares that were at its price when it came.
Recorded trades at that price first serve those, then the order. A trade at a worse price, and a recorded order that
would have met it, fill it too, at its own price. Only the taker pays a fee.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from ..book import LocalBook
from . import units
from .account import PaperAccount
from .recording import MarketTerms, RecordedTrade, Recording, Resolution, Step


class Refused(Exception):
    """The exchange would have refused the order."""


@dataclass(frozen=True)
class PaperFill:
    """A trade of the strategy, in the outcome and price of its order."""

    sequence: int
    at: datetime
    market_id: str
    outcome: str
    side: str
    price: Decimal
    quantity: Decimal
    value: Decimal
    fee: Decimal
    role: str
    """`TAKER` or `MAKER`."""


@dataclass(eq=False)
class PaperOrder:
    """An order of the strategy."""

    market_id: str
    outcome: str
    side: str
    limit: Decimal | None
    """None for a market order."""
    status: str = "pending"
    """`pending` until it arrives, then `open`, `filled`, `cancelled` or `rejected`."""
    reason: str = ""
    fills: list[PaperFill] = field(default_factory=list)
    quantity_units: int | None = None
    amount_units: int | None = None
    remaining: int = 0
    queue: int = 0
    """Shares that are served before it at its price."""
    taken_value: int = 0
    fee_paid: int = 0
    post_only: bool = False

    @property
    def filled(self) -> Decimal:
        """Shares filled so far."""
        return sum((fill.quantity for fill in self.fills), Decimal(0))

    @property
    def is_bid(self) -> bool:
        """Whether it is a bid of the book, which has prices of YES: BUY YES or SELL NO."""
        return (self.side == "BUY") == (self.outcome == "YES")

    @property
    def is_open(self) -> bool:
        """Whether it waits in the book."""
        return self.status == "open"

    def book_cents(self) -> int:
        """The limit as a price of YES."""
        cents = 99 if self.limit is None else units.cents_of(self.limit)
        return cents if self.outcome == "YES" else 100 - cents


TRADING = ("open", "paused")
"""Statuses of a market whose orders wait in the book."""


@dataclass(frozen=True)
class _Message:
    """An order, or the cancel of one, on its way to the exchange."""

    due: datetime
    order: PaperOrder
    is_cancel: bool


@dataclass
class _Market:
    terms: MarketTerms
    orders: list[PaperOrder] = field(default_factory=list)
    taken_bids: dict[int, int] = field(default_factory=dict)
    taken_asks: dict[int, int] = field(default_factory=dict)
    last_yes: Decimal | None = None
    last_mid: Decimal | None = None
    """The middle of the book, as of its last change before the market closed."""

    def taken(self, is_bid: bool) -> dict[int, int]:
        return self.taken_bids if is_bid else self.taken_asks


class Broker:
    """Places the orders of a strategy and keeps its account."""

    def __init__(self, recording: Recording, cash: Decimal, latency: timedelta = timedelta(0)) -> None:
        self.recording = recording
        self.latency = latency
        self.account = PaperAccount(recording.currency, units.to_units(cash, units.MONEY_PLACES))
        self.fills: list[PaperFill] = []
        self.orders: list[PaperOrder] = []
        self.sequence = 0
        self.now: datetime | None = None
        self._markets: dict[str, _Market] = {}
        self._arriving: list[_Message] = []

    # Methods for strategies.

    def buy(
        self,
        market_id: str,
        outcome: str = "YES",
        *,
        amount: Decimal | int | str | None = None,
        quantity: Decimal | int | str | None = None,
        price: Decimal | str | None = None,
        post_only: bool = False,
    ) -> PaperOrder:
        """Buys for an amount of money (a market order's fee included) or an exact quantity.

        With `price` it is a limit order that waits for its rest. `Refused` says why an order is not possible; with a
        latency that is decided on arrival, and the order's `reason` says it.
        """
        return self._submit(_order(market_id, outcome, "BUY", amount, quantity, price, post_only))

    def sell(
        self,
        market_id: str,
        outcome: str = "YES",
        *,
        amount: Decimal | int | str | None = None,
        quantity: Decimal | int | str | None = None,
        price: Decimal | str | None = None,
        post_only: bool = False,
    ) -> PaperOrder:
        """Sells shares that the strategy has, like `buy`. A market order's amount is what it brings after the fee."""
        return self._submit(_order(market_id, outcome, "SELL", amount, quantity, price, post_only))

    def cancel(self, order: PaperOrder) -> None:
        """Takes an order out of the book. A closed one is left as it is.

        With a latency the cancel arrives later; until then the order can be filled.
        """
        if self.latency and self.now is not None:
            self._arriving.append(_Message(self.now + self.latency, order, is_cancel=True))
        else:
            self._cancel(order)

    def cancel_all(self, market_id: str | None = None) -> None:
        """Cancels all orders, or those of a market."""
        pending = [message.order for message in self._arriving if not message.is_cancel]
        for order in self.open_orders(market_id) + pending:
            if market_id in (None, order.market_id):
                self.cancel(order)

    def open_orders(self, market_id: str | None = None) -> list[PaperOrder]:
        """Orders that wait in the book."""
        markets = self._markets.values() if market_id is None else [self._market(market_id)]
        return [order for market in markets for order in market.orders]

    def book(self, market_id: str) -> LocalBook:
        """The recorded book. It has neither the strategy's orders nor what they took."""
        return self.recording.book(market_id)

    def terms(self, market_id: str) -> MarketTerms:
        """Fee, minimum and status of a market."""
        return self._market(market_id).terms

    def position(self, market_id: str, outcome: str = "YES") -> Decimal:
        """Shares of an outcome, those of resting sales included."""
        return self.account.position(market_id, outcome).quantity

    def mark(self, market_id: str, outcome: str = "YES") -> Decimal:
        """The price that the exchange shows: the middle of the book, else the last trade, else 0.5.

        A market that no longer trades keeps its last mark, although its book is empty.
        """
        market = self._markets.get(market_id)
        last = market.last_yes if market else None
        is_trading = market is None or market.terms.status in TRADING
        yes = self.book(market_id).mid() if is_trading or market is None else market.last_mid
        yes = yes if yes is not None else last if last is not None else Decimal("0.5")
        return yes if outcome == "YES" else 1 - yes

    def equity(self) -> Decimal:
        """Money, held money and all shares at their marks."""
        total = units.money(self.account.free + self.account.held)
        for position in self.account.positions.values():
            if position.quantity:
                mark = self.mark(position.market_id, position.outcome)
                total += position.quantity * mark * self.account.base
        return total

    # Methods for the engine.

    def begin(self, step: Step) -> None:
        """Before a step: orders and cancels that have arrived meanwhile meet the orders that waited until then."""
        self.now = self.now or step.at
        due = [message for message in self._arriving if message.due <= step.at]
        self._arriving = [message for message in self._arriving if message.due > step.at]
        for message in due:
            self.now = message.due
            if message.is_cancel:
                self._cancel(message.order)
            else:
                self._arrive(message.order)

    def note_terms(self, terms: MarketTerms) -> None:
        """A market was opened or changed. A market that no longer trades cancels what waits."""
        market = self._markets.setdefault(terms.market_id, _Market(terms))
        market.terms = terms
        if terms.status not in TRADING:
            for order in list(market.orders):
                self._close(order, "cancelled", "the market closed")

    def advance(self, step: Step) -> None:
        """Sets the time of the simulation."""
        self.sequence, self.now = step.sequence, step.at

    def note_trade(self, trade: RecordedTrade) -> None:
        """A trade of others serves the orders that waited at its price or better."""
        market = self._market(trade.market_id)
        market.last_yes = trade.yes_price
        if trade.match_type == "POOL":
            return
        cents = units.cents_of(trade.yes_price)
        left = units.to_units(trade.quantity, units.SHARES_PLACES)
        waiting = [order for order in market.orders if order.is_bid == trade.takes_bids]
        for order in sorted(waiting, key=lambda order: order.book_cents(), reverse=trade.takes_bids):
            own = order.book_cents()
            if own == cents:
                served = min(order.queue, left)
                order.queue -= served
                size = min(order.remaining, left - served)
            elif (own > cents) == order.is_bid:
                size = min(order.remaining, left)
            else:
                continue
            if size:
                left -= size
                self._make(order, size)

    def note_book(self, book: LocalBook) -> None:
        """After a change of a book: taken levels that fell, queues that got shorter, recorded orders that now cross."""
        market = self._markets.get(book.market_id)
        if market is None:
            return
        if market.terms.status in TRADING:
            market.last_mid = book.mid()
        for is_bid in (True, False):
            levels, taken = _levels(book, is_bid), market.taken(is_bid)
            for cents in list(taken):
                taken[cents] = min(taken[cents], levels.get(cents, 0))
                if not taken[cents]:
                    del taken[cents]
        for order in list(market.orders):
            order.queue = min(order.queue, _levels(book, order.is_bid).get(order.book_cents(), 0))
            for cents, size in self._offers(market, order, order.book_cents()):
                filled = min(size, order.remaining)
                market.taken(not order.is_bid)[cents] = market.taken(not order.is_bid).get(cents, 0) + filled
                self._make(order, filled)
                if not order.is_open:
                    break

    def note_resolution(self, resolution: Resolution) -> None:
        """A market ended: orders are cancelled and positions are paid."""
        market = self._markets.get(resolution.market_id)
        for order in list(market.orders) if market else []:
            self._close(order, "cancelled", "the market was resolved")
        self.account.settle(resolution.market_id, resolution.yes_payout)

    # Placing.

    def _market(self, market_id: str) -> _Market:
        market = self._markets.get(market_id)
        if market is None:
            raise Refused(f"no market {market_id} was opened so far")
        return market

    def _submit(self, order: PaperOrder) -> PaperOrder:
        self.orders.append(order)
        if self.latency and self.now is not None:
            self._arriving.append(_Message(self.now + self.latency, order, is_cancel=False))
            return order
        self._arrive(order)
        if order.status == "rejected":
            raise Refused(order.reason)
        return order

    def _cancel(self, order: PaperOrder) -> None:
        if order.status == "pending":
            self._arriving = [message for message in self._arriving if message.order is not order]
            order.status = "cancelled"
        if order.is_open:
            self._close(order, "cancelled")

    def _arrive(self, order: PaperOrder) -> None:
        try:
            market = self._market(order.market_id)
            if market.terms.status != "open":
                raise Refused(f"the market is {market.terms.status}")
            self._place(market, order)
        except Refused as refusal:
            order.status, order.reason = "rejected", str(refusal)

    def _place(self, market: _Market, order: PaperOrder) -> None:
        """Plans all fills first; nothing changes before the last refusal."""
        rate = units.to_units(market.terms.fee_percentage, 2)
        base = self.account.base
        self._check_minimum(market, order)
        plan = self._plan(market, order, rate)
        if order.post_only and plan:
            raise Refused("it would take")
        taken = sum(size for _, size in plan)
        offered = sum(size for _, size in self._offers(market, order, None))
        value = sum(units.value(size, self._own_cents(order, cents), base) for cents, size in plan)
        fee = units.fee(value, rate)
        rest = self._rest(order, taken)
        self._check_funds(order, taken, value, fee, rest)
        order.status = "open"
        order.remaining = taken + rest
        for cents, size in plan:
            self._take(market, order, cents, size, rate)
        if not rest:
            order.remaining = 0
            wanted_less = order.quantity_units is None and taken < offered
            order.status = "filled" if wanted_less or order.quantity_units == taken else "cancelled"
            return
        self._hold(order, rest)
        order.queue = _levels(self.book(order.market_id), order.is_bid).get(order.book_cents(), 0)
        market.orders.append(order)

    def _check_minimum(self, market: _Market, order: PaperOrder) -> None:
        base, minimum = self.account.base, units.to_units(market.terms.minimum, units.MONEY_PLACES)
        if order.amount_units is not None:
            requested = order.amount_units
        elif order.limit is not None:
            requested = units.value(order.quantity_units or 0, units.cents_of(order.limit), base)
        elif order.side == "SELL":
            return
        else:
            best = next(iter(self._offers(market, order, None)), None)
            requested = (
                units.value(order.quantity_units or 0, self._own_cents(order, best[0]), base) if best else minimum
            )
        if requested < minimum:
            raise Refused(f"the minimum is {market.terms.minimum} {self.account.currency}")

    def _rest(self, order: PaperOrder, taken: int) -> int:
        """The shares that wait; a market order has none."""
        if order.limit is None:
            return 0
        if order.quantity_units is None:
            cents = units.cents_of(order.limit)
            order.quantity_units = (order.amount_units or 0) // (cents * self.account.base)
        return order.quantity_units - taken

    def _check_funds(self, order: PaperOrder, taken: int, value: int, fee: int, rest: int) -> None:
        if order.side == "SELL":
            free = self.account.position(order.market_id, order.outcome).free
            if taken + rest > free:
                raise Refused(f"it sells {units.shares(taken + rest)} shares of {units.shares(free)}")
            return
        hold = units.value(rest, units.cents_of(order.limit), self.account.base) if order.limit is not None else 0
        if value + fee + hold > self.account.free:
            raise Refused(f"it needs {units.money(value + fee + hold)} of {self.account.cash} {self.account.currency}")

    def _offers(self, market: _Market, order: PaperOrder, limit: int | None) -> list[tuple[int, int]]:
        """Cents of YES and free shares on the other side, the best first, up to a limit in cents of YES."""
        levels, taken = _levels(self.book(order.market_id), not order.is_bid), market.taken(not order.is_bid)
        found = []
        for cents in sorted(levels, reverse=not order.is_bid):
            if limit is not None and ((cents > limit) if order.is_bid else (cents < limit)):
                break
            if size := levels[cents] - taken.get(cents, 0):
                found.append((cents, size))
        return found

    def _own_cents(self, order: PaperOrder, book_cents: int) -> int:
        return book_cents if order.outcome == "YES" else 100 - book_cents

    def _plan(self, market: _Market, order: PaperOrder, rate: int) -> list[tuple[int, int]]:
        """The fills of an arriving order: cents of YES and shares."""
        limit = None if order.limit is None else order.book_cents()
        shares, budget = order.quantity_units, None
        if order.limit is not None and shares is None:
            shares = (order.amount_units or 0) // (units.cents_of(order.limit) * self.account.base)
        elif shares is None:
            amount = order.amount_units or 0
            budget = units.spendable(amount, rate) if order.side == "BUY" else units.gross(amount, rate)
        plan: list[tuple[int, int]] = []
        for cents, size in self._offers(market, order, limit):
            each = self._own_cents(order, cents) * self.account.base
            fits = shares if budget is None else budget // each
            wanted = min(size, fits if fits is not None else 0)
            if wanted:
                plan.append((cents, wanted))
            if shares is not None:
                shares -= wanted
            if budget is not None:
                budget -= wanted * each
            if wanted < size:
                break
        return plan

    # Filling.

    def _take(self, market: _Market, order: PaperOrder, cents: int, size: int, rate: int) -> None:
        taken = market.taken(not order.is_bid)
        taken[cents] = taken.get(cents, 0) + size
        own = self._own_cents(order, cents)
        value = units.value(size, own, self.account.base)
        order.taken_value += value
        fee = units.fee(order.taken_value, rate) - order.fee_paid
        order.fee_paid += fee
        order.remaining -= size
        if order.side == "BUY":
            self.account.free -= value
            self.account.buy(order.market_id, order.outcome, size, value, fee)
        else:
            position = self.account.position(order.market_id, order.outcome)
            position.free -= size
            position.held += size
            self.account.sell(order.market_id, order.outcome, size, value, fee)
        self._record(order, own, size, value, fee, "TAKER")

    def _make(self, order: PaperOrder, size: int) -> None:
        """Fills a waiting order at its own price, without a fee."""
        own = self._own_cents(order, order.book_cents())
        value = units.value(size, own, self.account.base)
        order.remaining -= size
        if order.side == "BUY":
            self.account.held -= value
            self.account.buy(order.market_id, order.outcome, size, value, 0)
        else:
            self.account.sell(order.market_id, order.outcome, size, value, 0)
        self._record(order, own, size, value, 0, "MAKER")
        if not order.remaining:
            self._close(order, "filled")

    def _hold(self, order: PaperOrder, rest: int) -> None:
        if order.side == "BUY":
            cost = units.value(rest, self._own_cents(order, order.book_cents()), self.account.base)
            self.account.free -= cost
            self.account.held += cost
        else:
            position = self.account.position(order.market_id, order.outcome)
            position.free -= rest
            position.held += rest

    def _close(self, order: PaperOrder, status: str, reason: str = "") -> None:
        """Closes a waiting order and releases what it held."""
        rest, order.remaining = order.remaining, 0
        if order.side == "BUY":
            cost = units.value(rest, self._own_cents(order, order.book_cents()), self.account.base)
            self.account.held -= cost
            self.account.free += cost
        else:
            position = self.account.position(order.market_id, order.outcome)
            position.held -= rest
            position.free += rest
        order.status, order.reason = status, reason
        self._markets[order.market_id].orders.remove(order)

    def _record(self, order: PaperOrder, cents: int, size: int, value: int, fee: int, role: str) -> None:
        if self.now is None:
            raise RuntimeError("a fill needs the time of a step")
        fill = PaperFill(
            self.sequence,
            self.now,
            order.market_id,
            order.outcome,
            order.side,
            units.price(cents),
            units.shares(size),
            units.money(value),
            units.money(fee),
            role,
        )
        order.fills.append(fill)
        self.fills.append(fill)


def _order(
    market_id: str,
    outcome: str,
    side: str,
    amount: Decimal | int | str | None,
    quantity: Decimal | int | str | None,
    price: Decimal | str | None,
    post_only: bool,
) -> PaperOrder:
    if outcome not in ("YES", "NO"):
        raise ValueError(f"an outcome is YES or NO, not {outcome!r}")
    if (amount is None) == (quantity is None):
        raise ValueError("an order has an amount or a quantity")
    if post_only and price is None:
        raise ValueError("post_only is for orders with a price")
    order = PaperOrder(market_id, outcome, side, None if price is None else Decimal(price), post_only=post_only)
    if order.limit is not None:
        units.cents_of(order.limit)
    if amount is not None:
        order.amount_units = units.to_units(amount, units.MONEY_PLACES)
    if quantity is not None:
        order.quantity_units = units.to_units(quantity, units.SHARES_PLACES)
    if (order.amount_units or order.quantity_units or 0) <= 0:
        raise ValueError("an order is for more than 0")
    return order


def _levels(book: LocalBook, is_bid: bool) -> dict[int, int]:
    """Cents of YES and shares of a side."""
    levels = book.bids() if is_bid else book.asks()
    return {units.to_units(level.price, 2): units.to_units(level.quantity, units.SHARES_PLACES) for level in levels}
