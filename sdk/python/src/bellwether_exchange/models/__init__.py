"""What the exchange sends, as typed data."""

from .account import (
    Activity,
    AuthCheck,
    IssuedKey,
    Movement,
    Pnl,
    Position,
    PositionEvent,
    PositionMarket,
    Version,
    Wallet,
)
from .base import Model
from .data import Book, Candle, Level, PricePoint, Quote, QuotedOrder, QuotedRefusal, Ticker, Trade
from .market import AnnouncedTerms, EventData, LeanEvent, MarketData, MarketTerms, Series
from .order import BatchCancel, BatchCancelItem, ItemError, Minted, OrderData, Summary

__all__ = [
    "Activity",
    "AnnouncedTerms",
    "AuthCheck",
    "BatchCancel",
    "BatchCancelItem",
    "Book",
    "Candle",
    "EventData",
    "IssuedKey",
    "ItemError",
    "LeanEvent",
    "Level",
    "MarketData",
    "MarketTerms",
    "Minted",
    "Model",
    "Movement",
    "OrderData",
    "Pnl",
    "Position",
    "PositionEvent",
    "PositionMarket",
    "PricePoint",
    "Quote",
    "QuotedOrder",
    "QuotedRefusal",
    "Series",
    "Summary",
    "Ticker",
    "Trade",
    "Version",
    "Wallet",
]
