"""What passes between a client and its sockets: answers, and the ways in which there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from .errors import Refusal
from .numbers import decode

USER_AGENT = "bellwether-python/0.1.0"
TIMEOUT_SECONDS = 10.0
MESSAGE_BYTES_MAX = 64 * 1024 * 1024

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
"""Failures before the first byte of the request."""


class NotSent(Exception):
    """The exchange was not reached: the request was not executed."""


class NoAnswer(Exception):
    """The connection ended or timed out before a complete answer: the request may have been executed."""


class Disconnected(Exception):
    """A stream's connection ended, or was silent for too long."""


class StreamNotAccepted(Exception):
    """The exchange answered the request for a stream with a status that no repetition changes."""


@dataclass(frozen=True)
class Answer:
    """A complete answer: its status, its decoded JSON, and the headers that clients use."""

    status: int
    payload: Any = field(repr=False)
    as_of: int | None = None
    is_replayed: bool = False
    """The exchange had executed the request before: this is the first answer again."""
    is_repeated: bool = False
    """An earlier try got no answer."""
    retry_after: str | None = None
    deprecation: str = ""
    """Since when the route or a field of it is deprecated, and when it ends; empty if it is not."""

    def refusal(self) -> Refusal:
        """The answer as a refusal."""
        return Refusal.read(self.status, self.payload, self.retry_after)


def read_answer(status: int, headers: Mapping[str, str], body: bytes) -> Answer:
    """Decodes an answer. A success that is not JSON is no answer: a proxy may have cut or replaced it."""
    try:
        payload = decode(body)
    except (ValueError, RecursionError) as error:
        if status < 400:
            raise NoAnswer(f"status {status} with a body that is not JSON") from error
        payload = None
    sequence = headers.get("x-sequence", "")
    return Answer(
        status=status,
        payload=payload,
        as_of=int(sequence) if sequence.isascii() and sequence.isdigit() else None,
        is_replayed=headers.get("idempotent-replayed") == "true",
        retry_after=headers.get("retry-after"),
        deprecation=" ".join(headers[name] for name in ("deprecation", "sunset") if name in headers),
    )


def needs_tls(base_url: str) -> bool:
    """Whether connections use TLS. Certificates take long to load, so a client without TLS loads none."""
    return not base_url.startswith("http://")


def stream_url(base_url: str, path: str) -> str:
    """The address of a stream on the same host."""
    return ("ws" + base_url[len("http") :] if base_url.startswith("http") else base_url) + path


def timeouts(read_seconds: float) -> httpx.Timeout:
    """Time limits of one try."""
    return httpx.Timeout(TIMEOUT_SECONDS, read=read_seconds)
