"""CCXT's structures of prediction markets, made from this package's objects.

Numbers are texts until CCXT parses them, so that it decides about their type.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from ..aio import Event, Market, Order, Outcome
from ..models.account import Position
from ..models.data import Candle, Ticker, Trade
from ..numbers import plain

STATUSES = {
    "pending": "open",
    "open": "open",
    "partial_filled": "open",
    "filled": "closed",
    "cancelled": "canceled",
    "expired": "expired",
    "rejected": "rejected",
}
TO_CCXT_TIMES = {"FAK": "IOC"}
FROM_CCXT_TIMES = {"IOC": "FAK", "GTC": "GTC", "FOK": "FOK", "GTD": "GTD"}
TICK = 0.01
SHARE = 0.0001


def milliseconds(moment: datetime | None) -> int | None:
    """A time in CCXT's unit."""
    return None if moment is None else round(moment.timestamp() * 1000)


def event_row(event: Event, handle: str, markets: list[dict[str, Any]]) -> dict[str, Any]:
    """An event with its markets."""
    return {
        "info": event.model_dump(mode="json"),
        "id": event.id,
        "event": handle,
        "title": event.title,
        "description": event.description,
        "slug": event.slug,
        "category": event.category,
        "tags": list(event.hashtags),
        "markets": markets,
        "mutuallyExclusive": event.type == "combined",
        "active": event.status == "open",
        "resolved": event.status == "resolved",
        "volume": float(event.total_volume),
        "liquidity": float(event.liquidity),
        "created": milliseconds(event.created_at),
        "end": milliseconds(event.closing_date),
    }


def market_row(event: Event, market: Market, handle: str, outcomes: list[dict[str, Any]]) -> dict[str, Any]:
    """A market with its outcomes."""
    fee = float(market.fee_percentage / 100)
    return {
        "info": {**market.model_dump(mode="json"), "event_id": event.id},
        "id": market.id,
        "market": handle,
        "event": outcomes[0]["event"],
        "marketType": "binary",
        "executionModel": event.engine.lower(),
        "title": market.title,
        "description": market.rules,
        "outcomes": outcomes,
        "collateral": market.currency,
        "base": handle,
        "baseId": market.id,
        "quote": market.currency,
        "quoteId": market.currency,
        "settle": market.currency,
        "settleId": market.currency,
        "type": "prediction",
        "prediction": True,
        "spot": False,
        "active": market.status == "open",
        "closed": market.status != "open",
        "resolved": market.status == "resolved",
        "tickSize": TICK,
        "precision": {"price": TICK, "amount": SHARE},
        "limits": {
            "price": {"min": 0.01, "max": 0.99},
            "amount": {"min": SHARE, "max": 1e9},
            "cost": {"min": float(market.minimum_order_amount), "max": 1e9},
        },
        "taker": fee,
        "maker": 0.0,
        "fees": {"trading": fee, "resolution": 0.0},
        "expiry": milliseconds(event.closing_date),
    }


def outcome_row(outcome: Outcome, handle: str, market: str, event: str) -> dict[str, Any]:
    """An outcome, which is what CCXT trades."""
    is_resolved = outcome.market.status == "resolved"
    return {
        "info": {},
        "outcome": handle,
        "outcomeId": outcome.id,
        "label": outcome.label,
        "market": market,
        "marketId": outcome.market.id,
        "event": event,
        "price": float(outcome.price),
        "ask": float(outcome.buy_price) or None,
        "active": outcome.market.status == "open",
        "winner": outcome.market.resolved_outcome_id == outcome.id if is_resolved else None,
        "precision": {"price": TICK, "amount": SHARE},
    }


def order_fields(order: Order) -> dict[str, Any]:
    """An order. `average` is absent until something has filled."""
    filled_value = order.avg_fill_price * order.filled_size
    return {
        "info": order.model_dump(mode="json"),
        "id": order.id,
        "clientOrderId": order.client_order_id,
        "timestamp": milliseconds(order.created_at),
        "lastUpdateTimestamp": milliseconds(order.updated_at),
        "status": STATUSES.get(order.status, order.status),
        "type": order.order_type.lower(),
        "timeInForce": TO_CCXT_TIMES.get(order.time_in_force, order.time_in_force),
        "postOnly": order.post_only,
        "side": order.side.lower(),
        "price": plain(order.price),
        "average": plain(order.avg_fill_price),
        "amount": plain(order.size),
        "filled": plain(order.filled_size),
        "remaining": plain(order.remaining_size),
        "cost": plain(filled_value),
        "fee": {"cost": float(order.fee), "currency": order.currency},
    }


def trade_fields(trade: Trade, outcome_id: str) -> dict[str, Any]:
    """A trade in the terms of an outcome: who buys NO at 0.40 sells YES at 0.60."""
    is_taken = trade.taker_outcome_id == outcome_id
    side = trade.taker_side.lower()
    return {
        "info": trade.model_dump(mode="json"),
        "id": trade.id,
        "timestamp": milliseconds(trade.created_at),
        "side": side if is_taken else "sell" if side == "buy" else "buy",
        "takerOrMaker": "taker",
        "price": plain(trade.taker_price if is_taken else 1 - trade.taker_price),
        "amount": plain(trade.size),
        "fee": {"cost": float(trade.taker_fee), "currency": trade.currency},
    }


def my_trade_fields(trade: Trade, order: Order) -> dict[str, Any]:
    """A trade in the terms of an order of yours."""
    is_maker = trade.maker_order_id == order.id
    return {
        **trade_fields(trade, order.outcome_id),
        "order": order.id,
        "side": order.side.lower(),
        "takerOrMaker": "maker" if is_maker else "taker",
        "price": plain(trade.maker_price if is_maker else trade.taker_price),
        "fee": {"cost": 0.0 if is_maker else float(trade.taker_fee), "currency": trade.currency},
    }


def ticker_fields(ticker: Ticker) -> dict[str, Any]:
    """The state of an outcome."""
    return {
        "info": ticker.model_dump(mode="json"),
        "timestamp": milliseconds(ticker.timestamp),
        "high": plain(ticker.high24h),
        "low": plain(ticker.low24h),
        "bid": plain(ticker.best_bid),
        "ask": plain(ticker.best_ask),
        "last": plain(ticker.last_price),
        "change": plain(ticker.price_change24h),
        "baseVolume": plain(ticker.volume24h),
    }


def position_fields(position: Position) -> dict[str, Any]:
    """Shares of an outcome."""
    return {
        "info": position.model_dump(mode="json"),
        "id": position.id,
        "timestamp": milliseconds(position.updated_at),
        "contracts": plain(position.balance),
        "contractSize": "1",
        "side": "long",
        "notional": plain(position.current_value),
        "collateral": plain(position.cost),
        "unrealizedPnl": plain(position.current_value - position.cost),
        "entryPrice": plain(position.average_price),
        "markPrice": plain(position.sell_price),
        "percentage": plain(position.percentage_change),
        "payout": plain(position.payout_if_outcome_wins),
    }


def candle_row(candle: Candle) -> list[float | int | None]:
    """Time, open, high, low, close, volume."""
    prices: list[Decimal] = [candle.open, candle.high, candle.low, candle.close, candle.volume]
    return [milliseconds(candle.start), *map(float, prices)]
