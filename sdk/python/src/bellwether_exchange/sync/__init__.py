# Made from bellwether_exchange/aio by scripts/make_sync.py: edit that file, not this one.
"""The sync client."""

from .client import Client
from .market import Event, Market, Outcome
from .order import Batch, BatchItem, Order
from .pager import Pager
from .stream import AccountStream, Listener, MarketStream, Message

__all__ = [
    "AccountStream",
    "Batch",
    "BatchItem",
    "Client",
    "Event",
    "Listener",
    "Market",
    "MarketStream",
    "Message",
    "Order",
    "Outcome",
    "Pager",
]
