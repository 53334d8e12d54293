"""The report of an account on an exchange: a bot's own run, such as on a sandbox that relives a journal."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from ..models import Movement
from ..models.base import Model
from ..requests.base import Access, read
from ..sync import Client
from .broker import PaperFill
from .report import EquityPoint, Report


class _ValuePoint(Model):
    timestamp: datetime
    value: Decimal


def report_of(client: Client, *, currency: str | None = None) -> Report:
    """The report of the client's account, from its statement, its orders and its value over time.

    The cash at the start is the money that was paid in, less the money that was paid out. The exchange values shares of
    the past at the last price of their market then. A fill without a fee counts as a maker's. Fills and points have no
    sequence: it is 0.
    """
    chosen = currency or client.currency
    movements = list(client.statement(currency=chosen))[::-1]
    answer = client.send(read("/v1/pm/account/value", {"currency": chosen}, Access.PRIVATE))
    points = [client.build(_ValuePoint, row, answer) for row in answer.payload["points"]]
    # Before its first movement the account had nothing.
    points = [point for point in points if movements and point.timestamp >= movements[0].created_at]
    cash = sum((moved.amount for moved in movements if moved.type in ("DEPOSIT", "WITHDRAWAL")), Decimal(0))
    return Report(
        cash=cash,
        currency=chosen,
        equity=points[-1].value if points else cash,
        realised=client.pnl(currency=chosen).realized_pnl,
        fees=sum((moved.fee for moved in movements), Decimal(0)),
        fills=[_fill(moved) for moved in movements if moved.type in ("BUY", "SELL")],
        orders=sum(1 for _ in client.orders(currency=chosen)),
        steps=0,
        curve=[EquityPoint(point.timestamp, 0, point.value) for point in points],
    )


def _fill(moved: Movement) -> PaperFill:
    value = -moved.amount - moved.fee if moved.type == "BUY" else moved.amount + moved.fee
    return PaperFill(
        0,
        moved.created_at,
        moved.market_id or "",
        moved.outcome or "",
        moved.type,
        moved.price or Decimal(0),
        moved.size or Decimal(0),
        value,
        moved.fee,
        "TAKER" if moved.fee else "MAKER",
    )
