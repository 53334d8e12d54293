"""A client of a Bellwether prediction-market exchange.

`Client` waits for its answers; `AsyncClient` has the same methods for `asyncio`. Numbers are `Decimal`, retries never
double an order, and streams resume where they stopped.
"""

from . import aio
from .aio import AsyncClient
from .book import BookLevel, LocalBook, Trust
from .changes import Fill, Update
from .errors import (
    ApiError,
    BadRequest,
    BellwetherError,
    Conflict,
    ConnectionFailed,
    Forbidden,
    NotFound,
    OutcomeUnknown,
    RateLimited,
    Refusal,
    RuleRefused,
    StreamRefused,
    Unauthorized,
    Unavailable,
    WaitTimedOut,
)
from .frames import to_df
from .ledger import LocalAccount, LocalPosition, LocalWallet
from .numbers import Number
from .requests.trading import Amendment, NewOrder
from .retry import Retry
from .sync import (
    AccountStream,
    Batch,
    BatchItem,
    Client,
    Event,
    Listener,
    Market,
    MarketStream,
    Message,
    Order,
    Outcome,
    Pager,
)

__version__ = "0.1.0"

__all__ = [
    "AccountStream",
    "Amendment",
    "ApiError",
    "AsyncClient",
    "BadRequest",
    "Batch",
    "BatchItem",
    "BellwetherError",
    "BookLevel",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Event",
    "Fill",
    "Forbidden",
    "Listener",
    "LocalAccount",
    "LocalBook",
    "LocalPosition",
    "LocalWallet",
    "Market",
    "MarketStream",
    "Message",
    "NewOrder",
    "NotFound",
    "Number",
    "Order",
    "Outcome",
    "OutcomeUnknown",
    "Pager",
    "RateLimited",
    "Refusal",
    "Retry",
    "RuleRefused",
    "StreamRefused",
    "Trust",
    "Unauthorized",
    "Unavailable",
    "Update",
    "WaitTimedOut",
    "aio",
    "to_df",
]
