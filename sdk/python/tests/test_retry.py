"""The table of "When no answer comes" in the API guide, and the clock of retries."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bellwether_exchange.errors import Refusal
from bellwether_exchange.retry import SECONDS_MAX, Attempts, Failure, Repeat, Retry, classify, settles


@dataclass
class Clocks:
    """Two clocks that a test moves."""

    monotonic: float = 100.0
    wall: float = 1_000_000.0

    def attempts(self, repeat: Repeat, seconds: float = 60.0) -> Attempts:
        return Attempts(Retry(seconds), repeat, lambda: self.monotonic, lambda: self.wall, lambda: 1.0)


def refusal(status: int, **fields: object) -> Refusal:
    return Refusal.read(status, {"error": "word", "message": "text", "statusCode": status, **fields})


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        (refusal(400), Failure.FINAL),
        (refusal(401), Failure.FINAL),
        (refusal(403), Failure.FINAL),
        (refusal(404), Failure.FINAL),
        (refusal(408), Failure.NOT_EXECUTED),
        (refusal(409), Failure.PENDING),
        (refusal(422, code="INSUFFICIENT_BALANCE"), Failure.FINAL),
        (refusal(422, code="IDEMPOTENCY_KEY_REUSED"), Failure.FINAL),
        (refusal(429, retryAfter=2), Failure.NOT_EXECUTED),
        (refusal(429, code="TOO_MANY_IDEMPOTENCY_KEYS", retryAfter=3600), Failure.FINAL),
        (refusal(500), Failure.MAYBE_EXECUTED),
        (refusal(503, retryAfter=1), Failure.NOT_EXECUTED),
        (refusal(503, code="CANCEL_ONLY", retryAfter=1), Failure.NOT_EXECUTED),
        (refusal(503, outcome="unknown", commandId="x"), Failure.MAYBE_EXECUTED),
        (Refusal.read(503, None), Failure.MAYBE_EXECUTED),
        (Refusal.read(502, None), Failure.MAYBE_EXECUTED),
        (Refusal.read(504, "<html>"), Failure.MAYBE_EXECUTED),
    ],
)
def test_each_answer_means_what_the_guide_says(answer: Refusal, meaning: Failure) -> None:
    assert classify(answer) is meaning


@pytest.mark.parametrize(
    ("repeat", "failure", "is_repeated"),
    [
        (Repeat.HARMLESS, Failure.NOT_EXECUTED, True),
        (Repeat.HARMLESS, Failure.MAYBE_EXECUTED, True),
        (Repeat.HARMLESS, Failure.PENDING, False),
        (Repeat.KEYED, Failure.NOT_EXECUTED, True),
        (Repeat.KEYED, Failure.MAYBE_EXECUTED, True),
        (Repeat.KEYED, Failure.PENDING, True),
        (Repeat.NEVER, Failure.NOT_EXECUTED, True),
        (Repeat.NEVER, Failure.MAYBE_EXECUTED, False),
        (Repeat.NEVER, Failure.PENDING, False),
        (Repeat.HARMLESS, Failure.FINAL, False),
        (Repeat.KEYED, Failure.FINAL, False),
        (Repeat.NEVER, Failure.FINAL, False),
    ],
)
def test_only_what_may_be_repeated_is_repeated(repeat: Repeat, failure: Failure, is_repeated: bool) -> None:
    assert (Clocks().attempts(repeat).next_wait(failure) is not None) is is_repeated


def test_a_pending_write_stays_open_when_later_tries_are_not_executed() -> None:
    attempts = Clocks().attempts(Repeat.KEYED)
    attempts.next_wait(Failure.PENDING)
    attempts.next_wait(Failure.NOT_EXECUTED)
    assert attempts.maybe_executed
    unkeyed = Clocks().attempts(Repeat.HARMLESS)
    unkeyed.next_wait(Failure.PENDING)
    assert not unkeyed.maybe_executed


def test_a_retry_waits_at_least_as_long_as_the_exchange_says() -> None:
    assert Clocks().attempts(Repeat.KEYED).next_wait(Failure.NOT_EXECUTED, 7.0) == 7.0


def test_waits_grow_up_to_a_bound() -> None:
    attempts = Clocks().attempts(Repeat.KEYED)
    waits = [attempts.next_wait(Failure.MAYBE_EXECUTED) for _ in range(12)]
    assert waits[0] == pytest.approx(0.1)
    assert waits == sorted(waits, key=lambda wait: wait or 0.0)
    assert waits[-1] == 5.0


def test_a_wait_beyond_the_time_ends_the_tries_at_once() -> None:
    assert Clocks().attempts(Repeat.KEYED, 60).next_wait(Failure.NOT_EXECUTED, 61.0) is None


def test_no_try_is_later_than_five_minutes_after_the_first() -> None:
    clocks = Clocks()
    attempts = clocks.attempts(Repeat.KEYED, SECONDS_MAX)
    clocks.monotonic += SECONDS_MAX - 1
    assert attempts.next_wait(Failure.MAYBE_EXECUTED) is not None
    clocks.monotonic += 2
    assert not attempts.is_in_time()
    assert attempts.next_wait(Failure.MAYBE_EXECUTED) is None
    with pytest.raises(ValueError, match="300"):
        Retry(SECONDS_MAX + 1)


def test_a_machine_that_slept_for_a_day_does_not_try_again() -> None:
    clocks = Clocks()
    attempts = clocks.attempts(Repeat.KEYED)
    assert attempts.next_wait(Failure.MAYBE_EXECUTED) is not None
    clocks.wall += 25 * 3600
    assert not attempts.is_in_time()


@pytest.mark.parametrize(("status", "is_settled"), [(404, True), (422, True), (401, False), (400, False), (429, False)])
def test_only_a_remembered_result_settles_an_earlier_try(status: int, is_settled: bool) -> None:
    assert settles(refusal(status)) is is_settled
