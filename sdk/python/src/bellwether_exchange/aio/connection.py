"""A stream's connection that comes back: connects, subscribes, waits longer after each failure."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

from ..errors import StreamRefused
from ..numbers import decode, encode
from ..retry import BACKOFF_FIRST_SECONDS, BACKOFF_MAX_SECONDS
from ..signing import Credentials, sign_cancel_on_disconnect
from ..wire import Disconnected, StreamNotAccepted
from .transport import Transport
from .wire import Socket, open_socket

SILENCE_SECONDS = 10.0
"""Twice the interval of the exchange's heartbeats: a longer silence means that the connection is dead."""

REFUSALS_MAX = 3
"""Connections in a row whose subscription is refused before the stream gives up."""


class Connection:
    """One endpoint. After `Disconnected` its owner opens it again."""

    def __init__(self, transport: Transport, url: str, silence_seconds: float | None) -> None:
        self._transport = transport
        self._url = url
        self._silence_seconds = silence_seconds or SILENCE_SECONDS
        self._socket: Socket | None = None
        self._failures = 0
        self._refusals = 0
        self.client_id = ""

    @property
    def is_open(self) -> bool:
        """Whether there is a connection."""
        return self._socket is not None

    async def open(self) -> None:
        """Connects and reads the greeting, after a pause if the last connection failed."""
        if self._failures:
            longest = min(BACKOFF_MAX_SECONDS, BACKOFF_FIRST_SECONDS * 2.0 ** min(self._failures, 10))
            await self._transport.sleep(longest * (0.5 + random.random() / 2))
        self._failures += 1
        try:
            self._socket = await open_socket(self._url, self._silence_seconds)
        except StreamNotAccepted as error:
            raise StreamRefused(f"{self._url}: {error}") from error
        greeting = await self.receive()
        self.client_id = str(greeting.get("clientId", ""))

    async def send(self, message: Mapping[str, Any]) -> None:
        """Sends one message."""
        if self._socket is None:
            raise Disconnected("not connected")
        try:
            await self._socket.send(encode(message).decode())
        except Disconnected:
            await self.close()
            raise

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        if self._socket is None:
            raise Disconnected("not connected")
        try:
            message = _object(await self._socket.receive(self._silence_seconds))
        except Disconnected:
            await self.close()
            raise
        if message.get("type") == "error":
            await self._refused(str(message.get("data", {}).get("message", "refused")))
        return message

    def is_working(self) -> None:
        """Notes that data arrived: the next failure is the first again."""
        self._failures = self._refusals = 0

    async def close(self) -> None:
        """Closes the connection, if there is one."""
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _refused(self, words: str) -> None:
        self._refusals += 1
        await self.close()
        if self._refusals >= REFUSALS_MAX:
            raise StreamRefused(words)
        raise Disconnected(words)


def _object(text: str) -> dict[str, Any]:
    """A message of the exchange. Anything else means that the connection carries something else."""
    try:
        message = decode(text)
    except (ValueError, RecursionError) as error:
        raise Disconnected("a message that is not JSON") from error
    if not isinstance(message, dict) or "type" not in message:
        raise Disconnected("a message without a type")
    return message


def arming(credentials: Credentials, client_id: str, is_enabled: bool) -> dict[str, Any]:
    """The signed message that makes the exchange cancel all orders when this connection ends."""
    if credentials.secret_key is None:
        raise StreamRefused("cancel_on_disconnect needs a signature: give secret_key to the client")
    now = int(time.time())
    signature = sign_cancel_on_disconnect(credentials.secret_key, now, is_enabled, client_id)
    auth = {"apiKey": credentials.public_key, "timestamp": str(now), "signature": signature}
    return {"type": "cancelOnDisconnect", "enabled": is_enabled, "auth": auth}
