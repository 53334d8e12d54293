"""Sockets of the async client. Its sync counterpart has the same names, so that all else is written once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from ..wire import (
    MESSAGE_BYTES_MAX,
    NOT_SENT,
    Answer,
    Disconnected,
    NoAnswer,
    NotSent,
    StreamNotAccepted,
    needs_tls,
    read_answer,
    timeouts,
)


class Wire:
    """HTTP connections to one exchange, kept open between requests."""

    def __init__(self, base_url: str) -> None:
        self._http = httpx.AsyncClient(base_url=base_url, follow_redirects=False, verify=needs_tls(base_url))

    async def request(
        self,
        method: str,
        path: str,
        params: Mapping[str, str],
        headers: Mapping[str, str],
        body: bytes | None,
        read_seconds: float,
    ) -> Answer:
        """Sends one try and reads the whole answer."""
        try:
            response = await self._http.request(
                method,
                path,
                params=params or None,
                headers=headers,
                content=body,
                timeout=timeouts(read_seconds),
            )
        except NOT_SENT as error:
            raise NotSent(f"{type(error).__name__}: {error}") from error
        except httpx.RequestError as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        return read_answer(response.status_code, response.headers, response.content)

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        """Closes all connections."""
        await self._http.aclose()


class Socket:
    """One connection to a stream."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, text: str) -> None:
        """Sends one message."""
        try:
            await self._connection.send(text)
        except (ConnectionClosed, OSError) as error:
            raise Disconnected(_why(error)) from error

    async def receive(self, silence_seconds: float) -> str:
        """The next message. A connection that is silent for longer counts as ended."""
        try:
            message = await asyncio.wait_for(self._connection.recv(), silence_seconds)
        except asyncio.TimeoutError as error:
            raise Disconnected(f"no message for {silence_seconds:g} seconds") from error
        except (ConnectionClosed, OSError) as error:
            raise Disconnected(_why(error)) from error
        return message if isinstance(message, str) else message.decode()

    async def close(self) -> None:
        """Closes the connection. One that is already gone is no error."""
        try:
            await self._connection.close()
        except (ConnectionClosed, OSError):
            return


async def open_socket(url: str, seconds: float) -> Socket:
    """Connects to a stream. The exchange sends pings, so this side sends none."""
    try:
        connection = await connect(
            url, open_timeout=seconds, close_timeout=1, ping_interval=None, max_size=MESSAGE_BYTES_MAX
        )
    except InvalidStatus as error:
        status = error.response.status_code
        if status < 500 and status not in (408, 429):
            raise StreamNotAccepted(f"status {status}") from error
        raise Disconnected(f"status {status}") from error
    except (WebSocketException, OSError, asyncio.TimeoutError, EOFError) as error:
        raise Disconnected(_why(error)) from error
    return Socket(connection)


def _why(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
