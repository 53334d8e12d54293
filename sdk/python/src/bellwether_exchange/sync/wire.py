"""Sockets of the sync client. Written by hand, with the names of `bellwether_exchange.aio.wire`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

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
        self._http = httpx.Client(base_url=base_url, follow_redirects=False, verify=needs_tls(base_url))

    def request(
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
            response = self._http.request(
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

    def sleep(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)

    def close(self) -> None:
        """Closes all connections."""
        self._http.close()


class Socket:
    """One connection to a stream."""

    def __init__(self, connection: ClientConnection, stack: ExitStack) -> None:
        self._connection = connection
        self._stack = stack

    def send(self, text: str) -> None:
        """Sends one message."""
        try:
            self._connection.send(text)
        except (ConnectionClosed, OSError) as error:
            raise Disconnected(_why(error)) from error

    def receive(self, silence_seconds: float) -> str:
        """The next message. A connection that is silent for longer counts as ended."""
        try:
            message = self._connection.recv(timeout=silence_seconds)
        except TimeoutError as error:
            raise Disconnected(f"no message for {silence_seconds:g} seconds") from error
        except (ConnectionClosed, OSError) as error:
            raise Disconnected(_why(error)) from error
        return message if isinstance(message, str) else message.decode()

    def close(self) -> None:
        """Closes the connection. One that is already gone is no error."""
        try:
            self._stack.close()
        except (ConnectionClosed, OSError):
            return


def open_socket(url: str, seconds: float) -> Socket:
    """Connects to a stream. The exchange sends pings, so this side sends none."""
    stack = ExitStack()
    try:
        opening = connect(
            url, open_timeout=seconds, close_timeout=1, ping_interval=None, max_size=MESSAGE_BYTES_MAX
        )
        # Entered, not used at once: a later version of the library connects only then.
        connection = stack.enter_context(opening)
    except InvalidStatus as error:
        status = error.response.status_code
        if status < 500 and status not in (408, 429):
            raise StreamNotAccepted(f"status {status}") from error
        raise Disconnected(f"status {status}") from error
    except (WebSocketException, OSError, EOFError) as error:
        raise Disconnected(_why(error)) from error
    return Socket(connection, stack)


def _why(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
