"""The async client. The modules of `bellwether_exchange.sync` are made from these by `scripts/make_sync.py`."""

from .client import AsyncClient
from .market import Event, Market, Outcome
from .order import Batch, BatchItem, Order
from .pager import Pager
from .stream import AccountStream, Listener, MarketStream, Message

__all__ = [
    "AccountStream",
    "AsyncClient",
    "Batch",
    "BatchItem",
    "Event",
    "Listener",
    "Market",
    "MarketStream",
    "Message",
    "Order",
    "Outcome",
    "Pager",
]
