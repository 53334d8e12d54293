"""Errors of this package. Catch `BellwetherError` for all of them.

`OutcomeUnknown` is the important one: the write may have been executed. Every other error of a write means that the
write was not executed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class BellwetherError(Exception):
    """The base of every error that this package raises on purpose."""

    trace_id: str = ""
    """The `x-trace-id` of the request, which is in the operator's log; empty for errors without a request."""


@dataclass(frozen=True)
class Refusal:
    """The body of a refusing answer. Programs use `error`, `code` and `reason`; `message` is for people."""

    status: int
    error: str = ""
    message: str = ""
    code: str = ""
    reason: str = ""
    retry_after: float | None = None
    command_id: str = ""
    is_outcome_unknown: bool = False
    is_ours: bool = True
    """Whether the exchange wrote this body. A proxy in front of it may answer for itself."""

    @classmethod
    def read(cls, status: int, payload: Any, retry_after: str | None = None) -> Refusal:
        """Reads an answer's body, whatever its shape."""
        fields = payload if isinstance(payload, dict) else {}
        wait = fields.get("retryAfter", retry_after)
        return cls(
            status=status,
            error=_word(fields.get("error")),
            message=_word(fields.get("message")),
            code=_word(fields.get("code")),
            reason=_word(fields.get("reason")),
            retry_after=_seconds(wait),
            command_id=_word(fields.get("commandId")),
            is_outcome_unknown=fields.get("outcome") == "unknown",
            is_ours="error" in fields and "statusCode" in fields,
        )

    def __str__(self) -> str:
        words = [str(self.status), self.code or self.reason or self.error, self.message]
        return " ".join(word for word in words if word)


class ApiError(BellwetherError):
    """The exchange refused. Nothing happened."""

    def __init__(self, refusal: Refusal, *, is_repeated: bool = False) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.is_repeated = is_repeated
        """An earlier try of this request got no answer, so this refusal may be of its own effect."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.refusal.status

    @property
    def code(self) -> str:
        """The rule that refused, such as INSUFFICIENT_BALANCE; empty without one."""
        return self.refusal.code

    @property
    def reason(self) -> str:
        """The check of the credentials that failed; empty for other refusals."""
        return self.refusal.reason


class BadRequest(ApiError):
    """400 and its relatives: the request is malformed; the message names the field."""


class Unauthorized(ApiError):
    """401: the key, the signature, the timestamp or the session is wrong; see `reason`."""


class Forbidden(ApiError):
    """403: the account may not do this."""


class NotFound(ApiError):
    """404: it does not exist, or is not yours."""


class Conflict(ApiError):
    """409: the first request with this idempotency key is still pending, or the exchange's rules are older."""


class RuleRefused(ApiError):
    """422: well-formed, but a rule of the exchange refuses; see `code`."""


class RateLimited(ApiError):
    """429: too many requests. Nothing happened."""


class Unavailable(ApiError):
    """503 and other failures of the service. Nothing was written."""


class ConnectionFailed(BellwetherError):
    """The exchange was not reached, or a read got no answer. Nothing was written."""


class OutcomeUnknown(BellwetherError):
    """A write may have been executed. Repeat it with `idempotency_key` soon, or look up `command_id`."""

    def __init__(self, what: str, idempotency_key: str | None, command_id: str) -> None:
        key = f"; its idempotency key is {idempotency_key}" if idempotency_key else ""
        super().__init__(f"{what}: the outcome is unknown{key}")
        self.idempotency_key = idempotency_key
        self.command_id = command_id
        """The id of the order or operation that may exist; empty if no answer said so."""


class StreamRefused(BellwetherError):
    """The exchange refused a stream or a subscription."""


class WaitTimedOut(BellwetherError, TimeoutError):
    """The order had not reached its end within the given time. The order is unchanged."""


_CLASSES: dict[int, type[ApiError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: RuleRefused,
    429: RateLimited,
}


def refused(refusal: Refusal, *, is_repeated: bool = False) -> ApiError:
    """The error for a refusal, of the class of its status."""
    fallback = Unavailable if refusal.status >= 500 else BadRequest
    return _CLASSES.get(refusal.status, fallback)(refusal, is_repeated=is_repeated)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _seconds(value: Any) -> float | None:
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None
