# Made from bellwether_exchange/aio by scripts/make_sync.py: edit that file, not this one.
"""Sends requests: signs each try anew, and repeats only what may be repeated."""

from __future__ import annotations

import dataclasses
import logging
import time
import uuid

from ..errors import BellwetherError, ConnectionFailed, OutcomeUnknown, Refusal, refused
from ..requests.base import Access, Request
from ..retry import Attempts, Failure, Retry, classify, settles
from ..signing import Credentials, sign
from ..wire import TIMEOUT_SECONDS, USER_AGENT, Answer, NoAnswer, NotSent
from .wire import Wire

log = logging.getLogger("bellwether_exchange")


class Transport:
    """One exchange, one set of credentials, and the rules of repetition."""

    def __init__(self, base_url: str, credentials: Credentials | None, retry: Retry, timeout: float | None) -> None:
        self.credentials = credentials
        self.retry = retry
        self._timeout = timeout or TIMEOUT_SECONDS
        self._wire = Wire(base_url)

    def send(self, request: Request) -> Answer:
        """The answer of a success. Raises the error of a refusal, or of a request that got no answer in time."""
        attempts = Attempts(self.retry, request.repeat)
        trace_id = uuid.uuid4().hex
        while True:
            failure, refusal, words = Failure.MAYBE_EXECUTED, None, ""
            try:
                answer = self._try(request, trace_id)
                if answer.deprecation:
                    log.warning("%s is deprecated: %s", request, answer.deprecation)
                if answer.status < 300:
                    return dataclasses.replace(answer, is_repeated=attempts.maybe_executed)
                refusal = answer.refusal()
                failure, words = classify(refusal), str(refusal)
            except NotSent as error:
                failure, words = Failure.NOT_EXECUTED, str(error)
            except NoAnswer as error:
                words = str(error)
            wait = attempts.next_wait(failure, refusal.retry_after if refusal else None)
            if wait is None:
                raise _final(request, attempts, refusal, words, trace_id)
            log.info("%s failed (%s); the next try is in %.2f s", request, words, wait)
            self._wire.sleep(wait)
            if not attempts.is_in_time():
                raise _final(request, attempts, refusal, words, trace_id)

    def close(self) -> None:
        """Closes all connections."""
        self._wire.close()

    def sleep(self, seconds: float) -> None:
        """Waits."""
        self._wire.sleep(seconds)

    def _try(self, request: Request, trace_id: str) -> Answer:
        return self._wire.request(
            request.method,
            request.path,
            request.params,
            {"x-trace-id": trace_id, **self._headers(request)},
            request.body,
            request.timeout or self._timeout,
        )

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"User-Agent": USER_AGENT, "Accept": "application/json", **request.headers}
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if request.idempotency_key is not None:
            headers["Idempotency-Key"] = request.idempotency_key
        if request.idempotency_window is not None:
            headers["Idempotency-Window"] = str(request.idempotency_window)
        if request.access is Access.SESSION:
            return headers
        if self.credentials is None:
            if request.access is not Access.PUBLIC:
                raise BellwetherError(f"{request} needs a key: give public_key and secret_key to the client")
            return headers
        headers["X-Public-Key"] = self.credentials.public_key
        if request.access in (Access.PRIVATE, Access.WRITE):
            if self.credentials.secret_key is None:
                raise BellwetherError(f"{request} needs a signature: give secret_key to the client")
            now = int(time.time())
            headers["X-Timestamp"] = str(now)
            headers["X-Signature"] = sign(self.credentials.secret_key, now, request.method, request.path, request.body)
        return headers


def _final(request: Request, attempts: Attempts, refusal: Refusal | None, words: str, trace_id: str) -> BellwetherError:
    """The error of a request after its last try."""
    error = _error(request, attempts, refusal, words)
    error.trace_id = trace_id
    return error


def _error(request: Request, attempts: Attempts, refusal: Refusal | None, words: str) -> BellwetherError:
    is_settled = refusal is not None and settles(refusal)
    if request.is_write and attempts.maybe_executed and not is_settled:
        command_id = refusal.command_id if refusal else ""
        return OutcomeUnknown(f"{request}: {words}", request.idempotency_key, command_id)
    if refusal is None:
        return ConnectionFailed(f"{request}: {words}")
    return refused(refusal, is_repeated=attempts.maybe_executed)
