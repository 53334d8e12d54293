"""Errors of this package as CCXT's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ccxt.base import errors as ccxt_errors

from ..errors import (
    ApiError,
    BellwetherError,
    ConnectionFailed,
    Forbidden,
    NotFound,
    OutcomeUnknown,
    RateLimited,
    Unauthorized,
    Unavailable,
)

_CODES: dict[str, Any] = {
    "INSUFFICIENT_BALANCE": ccxt_errors.InsufficientFunds,
    "INSUFFICIENT_SHARES": ccxt_errors.InsufficientFunds,
    "MARKET_NOT_OPEN": ccxt_errors.MarketClosed,
    "ORDER_NOT_OPEN": ccxt_errors.OrderNotFound,
    "DUPLICATE_CLIENT_ORDER_ID": ccxt_errors.DuplicateOrderId,
    "POST_ONLY_WOULD_CROSS": ccxt_errors.OrderImmediatelyFillable,
}
_CLASSES: list[tuple[type[BellwetherError], Any]] = [
    (Unauthorized, ccxt_errors.AuthenticationError),
    (Forbidden, ccxt_errors.PermissionDenied),
    (NotFound, ccxt_errors.OrderNotFound),
    (RateLimited, ccxt_errors.RateLimitExceeded),
    (Unavailable, ccxt_errors.ExchangeNotAvailable),
    # The write may have been executed: CCXT's callers know a timeout as that.
    (OutcomeUnknown, ccxt_errors.RequestTimeout),
    (ConnectionFailed, ccxt_errors.NetworkError),
    (ApiError, ccxt_errors.InvalidOrder),
]


@contextmanager
def translated() -> Iterator[None]:
    """Raises CCXT's errors instead of this package's."""
    try:
        yield
    except BellwetherError as error:
        code = error.code if isinstance(error, ApiError) else ""
        found = _CODES.get(code) or next((kind for cause, kind in _CLASSES if isinstance(error, cause)), None)
        raise (found or ccxt_errors.ExchangeError)(f"bellwether {error}") from error
    except ValueError as error:
        raise ccxt_errors.BadRequest(f"bellwether {error}") from error
