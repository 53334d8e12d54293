"""A TCP proxy that cuts connections at chosen bytes.

It forwards bytes between clients and the exchange. `cut` names a direction, a kind of connection and a number of bytes:
after that many more bytes the connection that carries them is cut, in the middle of whatever they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["to the exchange", "to the client"]
Kind: TypeAlias = Literal["http", "stream"]


@dataclass
class Cut:
    """A cut that is due after some bytes, and the event that it has happened."""

    direction: Direction
    kind: Kind
    bytes_left: int
    is_reset: bool
    done: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Link:
    """A client's connection and the exchange's."""

    writers: list[asyncio.StreamWriter]
    kind: Kind | None = None

    def end(self, is_reset: bool) -> None:
        """Ends both connections, with a reset or in order."""
        for writer in self.writers:
            connection = writer.get_extra_info("socket")
            if is_reset and connection is not None:
                with contextlib.suppress(OSError):
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class CuttingProxy:
    """The proxy. Use it with `async with`; `url` is its address."""

    def __init__(self, target: str) -> None:
        host, port = target.removeprefix("http://").split(":")
        self._target = (host, int(port))
        self._due: Cut | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._links: list[Link] = []
        self.cuts = {"http": 0, "stream": 0}
        self.url = ""

    async def __aenter__(self) -> CuttingProxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self, direction: Direction, kind: Kind, after_bytes: int, is_reset: bool) -> asyncio.Event:
        """Plans one cut, and returns the event of its execution."""
        self._due = Cut(direction, kind, after_bytes, is_reset)
        return self._due.done

    def end_streams(self) -> None:
        """Ends all streams."""
        streams = [link for link in self._links if link.kind == "stream"]
        self._links = [link for link in self._links if link.kind != "stream"]
        for link in streams:
            link.end(is_reset=False)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        link = Link([writer, far_writer])
        self._links.append(link)
        pipes = [
            asyncio.create_task(self._pipe(link, "to the exchange", reader, far_writer)),
            asyncio.create_task(self._pipe(link, "to the client", far_reader, writer)),
        ]
        self._tasks.update(pipes)
        for pipe in pipes:
            pipe.add_done_callback(self._tasks.discard)

    async def _pipe(
        self, link: Link, direction: Direction, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while data := await reader.read(65536):
                if link.kind is None:
                    link.kind = "stream" if data.startswith(b"GET /ws") else "http"
                kept = self._passing(link, direction, data)
                writer.write(kept)
                if len(kept) < len(data):
                    # The bytes before the cut arrive.
                    await writer.drain()
                    self._execute(link)
                    return
                await writer.drain()
        except (OSError, asyncio.CancelledError):
            pass
        link.end(is_reset=False)

    def _passing(self, link: Link, direction: Direction, data: bytes) -> bytes:
        """The bytes before a due cut; all if none is due here."""
        due = self._due
        if due is None or due.direction != direction or due.kind != link.kind:
            return data
        if due.bytes_left >= len(data):
            due.bytes_left -= len(data)
            return data
        return data[: due.bytes_left]

    def _execute(self, link: Link) -> None:
        due, self._due = self._due, None
        if due is None or link.kind is None:
            return
        self.cuts[link.kind] += 1
        link.end(due.is_reset)
        due.done.set()
