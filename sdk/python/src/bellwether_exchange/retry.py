"""When a request may be sent again, as the exchange's API guide says under "When no answer comes".

Nothing here waits or sends: `Attempts` decides, the client acts. A write that adds something carries one idempotency
key on every try, so the exchange executes it once. The exchange forgets the key `KEY_SECONDS` after its first use and
refuses a signature that is more than five minutes old. So no try is made more than five minutes after the first one, by
the clock of the machine and by the clock that does not jump: one that arrives late finds its key or is refused.
"""

from __future__ import annotations

import enum
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .errors import Refusal

KEY_SECONDS = 600
"""How long the exchange remembers a key that this package made. A key of your own lives for a day."""

SECONDS_MAX = 300.0
"""The longest time between the first and the last try."""

BACKOFF_FIRST_SECONDS = 0.05
BACKOFF_MAX_SECONDS = 5.0


class Repeat(enum.Enum):
    """What sending a request twice does."""

    HARMLESS = "a read, or a write that sets the same state again, such as a cancel or an amend"
    KEYED = "a write with an idempotency key, which the exchange executes once"
    NEVER = "a write that would be executed twice"


class Failure(enum.Enum):
    """What one try that failed says about its execution."""

    NOT_EXECUTED = "not executed, and a later try may pass"
    MAYBE_EXECUTED = "the answer was lost, or says that the outcome is unknown"
    PENDING = "an earlier try with this key is still being executed"
    FINAL = "refused; a repetition would be refused too"


def classify(refusal: Refusal) -> Failure:
    """What a refusing answer says. An answer that the exchange did not write says little."""
    status = refusal.status
    if refusal.code == "TOO_MANY_IDEMPOTENCY_KEYS":
        return Failure.FINAL
    if status in (408, 429) or (status == 503 and refusal.is_ours and not refusal.is_outcome_unknown):
        return Failure.NOT_EXECUTED
    if status >= 500:
        return Failure.MAYBE_EXECUTED
    return Failure.PENDING if status == 409 else Failure.FINAL


def settles(refusal: Refusal) -> bool:
    """Whether a final refusal of a later try also tells the result of the earlier ones.

    The exchange remembers results, not early refusals: a 401 of the second try says nothing about the first.
    """
    return classify(refusal) is Failure.FINAL and refusal.status in (404, 422)


@dataclass(frozen=True)
class Retry:
    """How long to try. `seconds=0` sends each request once."""

    seconds: float = 60.0

    def __post_init__(self) -> None:
        if not 0 <= self.seconds <= SECONDS_MAX:
            raise ValueError(f"a request is tried for 0 to {SECONDS_MAX:.0f} seconds, not {self.seconds}")


@dataclass
class Attempts:
    """The tries of one request."""

    retry: Retry
    repeat: Repeat
    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    jitter: Callable[[], float] = random.random
    maybe_executed: bool = False
    failures: int = 0
    _began: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        self._began = (self.monotonic(), self.wall())

    def next_wait(self, failure: Failure, retry_after: float | None = None) -> float | None:
        """Seconds until the next try; None if there is none."""
        self.failures += 1
        # Pending: another delivery of this key is being executed, whatever becomes of this one.
        if failure is Failure.MAYBE_EXECUTED or (failure is Failure.PENDING and self.repeat is Repeat.KEYED):
            self.maybe_executed = True
        if not self._may_repeat(failure):
            return None
        wait = self._backoff() if retry_after is None else max(retry_after, self._backoff())
        return wait if self._elapsed() + wait <= self.retry.seconds else None

    def is_in_time(self) -> bool:
        """Whether a try may still be sent. Asked after the wait: the machine may have slept through it."""
        return self._elapsed() <= self.retry.seconds

    def _may_repeat(self, failure: Failure) -> bool:
        if failure is Failure.MAYBE_EXECUTED:
            return self.repeat is not Repeat.NEVER
        if failure is Failure.PENDING:
            return self.repeat is Repeat.KEYED
        return failure is Failure.NOT_EXECUTED

    def _backoff(self) -> float:
        longest = min(BACKOFF_MAX_SECONDS, BACKOFF_FIRST_SECONDS * 2.0 ** min(self.failures, 10))
        return longest * (0.5 + self.jitter() / 2)

    def _elapsed(self) -> float:
        return max(self.monotonic() - self._began[0], self.wall() - self._began[1])
