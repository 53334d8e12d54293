"""One request: its bytes, who may send it, and whether it may be repeated."""

from __future__ import annotations

import enum
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..numbers import encode
from ..retry import KEY_SECONDS, Repeat
from ..text import query


class Access(enum.Enum):
    """The headers that a request needs."""

    PUBLIC = "none; the public key is sent if there is one"
    READ = "the public key"
    PRIVATE = "the public key and a signature, for a read"
    WRITE = "the public key and a signature"
    SESSION = "the token and the device of a login"


@dataclass(frozen=True)
class Request:
    """A request to the exchange. `body` is encoded once: every try sends and signs the same bytes."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    access: Access = Access.PUBLIC
    repeat: Repeat = Repeat.HARMLESS
    idempotency_key: str | None = None
    idempotency_window: int | None = None
    timeout: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def is_write(self) -> bool:
        """Whether the request can change something."""
        return self.access in (Access.WRITE, Access.SESSION) or self.repeat is Repeat.NEVER

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def read(
    path: str,
    params: Mapping[str, object] | None = None,
    access: Access = Access.PUBLIC,
    timeout: float | None = None,
) -> Request:
    """A read. Parameters that are None are left out."""
    return Request("GET", path, query(params or {}), access=access, timeout=timeout)


def write(method: str, path: str, body: Mapping[str, Any] | None = None) -> Request:
    """A signed write that may be repeated without harm."""
    return Request(method, path, body=None if body is None else encode(body), access=Access.WRITE)


def keyed_write(method: str, path: str, body: Mapping[str, Any], key: str | None) -> Request:
    """A signed write that the exchange executes once, however often it arrives."""
    return Request(
        method,
        path,
        body=encode(body),
        access=Access.WRITE,
        repeat=Repeat.KEYED,
        idempotency_key=key or uuid.uuid4().hex,
        idempotency_window=None if key else KEY_SECONDS,
    )
