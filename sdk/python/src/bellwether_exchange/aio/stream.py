"""Streams that resume: a market's book, an account, and the channels without a sequence.

Iterate over a stream. After a disconnect it connects again, continues from the last sequence, and yields an update of
the kind `untrusted` in between. It ends only when you leave the loop, or with `StreamRefused`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic

from ..book import LocalBook
from ..changes import CopyType, Room, Update
from ..errors import BellwetherError
from ..ledger import LocalAccount
from ..signing import USER_STREAM, Credentials
from ..wire import Disconnected
from .connection import Connection, arming


class Changes(Generic[CopyType]):
    """Rooms of the channel `changes` over one connection."""

    def __init__(self, connection: Connection, rooms: Sequence[Room[CopyType]]) -> None:
        self._connection = connection
        self._rooms = list(rooms)
        self._is_closed = False

    async def __aiter__(self) -> AsyncIterator[Update]:
        while not self._is_closed:
            try:
                if not self._connection.is_open:
                    await self._connection.open()
                    await self._begin()
                message = await self._connection.receive()
                room = self._room(message)
                if room is None:
                    continue
                was_broken = room.needs_restart
                update = room.accept(message)
                # Once: each subscription starts the room over.
                if room.needs_restart and not was_broken:
                    await self._subscribe(room)
                if update:
                    if update.kind != "untrusted":
                        self._connection.is_working()
                    yield update
            except Disconnected as error:
                for update in self._distrust(str(error)):
                    yield update

    async def close(self) -> None:
        """Ends the stream. Its copies are no longer to be trusted."""
        self._is_closed = True
        self._distrust("the stream was closed")
        await self._connection.close()

    async def __aenter__(self) -> Changes[CopyType]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _begin(self) -> None:
        for room in self._rooms:
            await self._subscribe(room)

    async def _subscribe(self, room: Room[CopyType]) -> None:
        message = {"type": "subscribe", "channel": "changes", **room.subject}
        if room.resume_from is not None:
            message["resumeFrom"] = room.resume_from
        await self._connection.send(message)

    def _room(self, message: Mapping[str, Any]) -> Room[CopyType] | None:
        if message["type"] not in ("snapshot", "delta", "heartbeat"):
            return None
        return next((room for room in self._rooms if room.name == message.get("room")), None)

    def _distrust(self, reason: str) -> list[Update]:
        updates = [room.distrust(reason) for room in self._rooms]
        return [update for update in updates if update]


class MarketStream(Changes[LocalBook]):
    """One or more markets in one currency. `books` has a local book for each, by market id."""

    def __init__(self, connection: Connection, market_ids: Sequence[str], currency: str) -> None:
        books = [LocalBook(market_id, currency) for market_id in dict.fromkeys(market_ids)]
        super().__init__(connection, [_market_room(book) for book in books])
        self.books = {book.market_id: book for book in books}

    @property
    def book(self) -> LocalBook:
        """The book of the only market."""
        if len(self.books) != 1:
            raise ValueError(f"this stream has {len(self.books)} markets: choose one of stream.books")
        return next(iter(self.books.values()))

    async def __aenter__(self) -> MarketStream:
        return self


def _market_room(book: LocalBook) -> Room[LocalBook]:
    subject = {"marketIds": [book.market_id], "currency": book.currency}
    return Room(f"changes:{book.market_id}:{book.currency}", book, subject)


class AccountStream(Changes[LocalAccount]):
    """Your orders, fills, wallets and positions. `account` is the local copy."""

    def __init__(self, connection: Connection, credentials: Credentials | None, cancel_on_disconnect: bool) -> None:
        if credentials is None:
            raise BellwetherError("an account's stream needs a key: give public_key to the client")
        self.account = LocalAccount()
        subject = {"auth": {"apiKey": credentials.public_key}}
        super().__init__(connection, [Room("changes", self.account, subject)])
        self._credentials = credentials
        self._cancel_on_disconnect = cancel_on_disconnect
        self.is_armed = False
        """Whether the exchange cancels all your orders when this connection ends."""

    async def __aenter__(self) -> AccountStream:
        return self

    async def _begin(self) -> None:
        self.is_armed = False
        if self._cancel_on_disconnect:
            await self._connection.send(arming(self._credentials, self._connection.client_id, True))
        await super()._begin()

    def _room(self, message: Mapping[str, Any]) -> Room[LocalAccount] | None:
        if message["type"] == "cancelOnDisconnect":
            self.is_armed = message["enabled"] is True
        # The connection has only this room, and its name contains the user's id.
        return self._rooms[0] if message["type"] in ("snapshot", "delta", "heartbeat") else None

    def _distrust(self, reason: str) -> list[Update]:
        self.is_armed = False
        return super()._distrust(reason)


@dataclass(frozen=True)
class Message:
    """A message of a channel without changes, such as `price_update`; or `reconnected`: some may have been missed."""

    type: str
    data: Mapping[str, Any]
    room: str = ""
    sequence: int = 0
    timestamp: int = 0


class Listener:
    """Messages of the channels `prices`, `activity`, `orderbook`, `user_trades`, `orders` or `asset_prices`."""

    def __init__(self, connection: Connection, subscription: Mapping[str, Any]) -> None:
        self._connection = connection
        self._subscription = dict(subscription)
        self._is_closed = False

    async def __aiter__(self) -> AsyncIterator[Message]:
        was_connected = False
        while not self._is_closed:
            try:
                if not self._connection.is_open:
                    await self._connection.open()
                    await self._connection.send({"type": "subscribe", **self._subscription})
                message = await self._connection.receive()
                if message["type"] == "subscribed" and was_connected:
                    yield Message("reconnected", {})
                elif message["type"] == "subscribed":
                    was_connected = True
                elif "data" in message:
                    self._connection.is_working()
                    yield Message(
                        type=message["type"],
                        data=message["data"],
                        room=message.get("room", ""),
                        sequence=message.get("sequence", 0),
                        timestamp=message.get("timestamp", 0),
                    )
            except Disconnected:
                continue

    async def close(self) -> None:
        """Ends the stream."""
        self._is_closed = True
        await self._connection.close()

    async def __aenter__(self) -> Listener:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def endpoint(channel: str) -> str:
    """The endpoint that has a channel."""
    endpoints = {"asset_prices": "/ws/v1/realtime", "orders": USER_STREAM}
    return endpoints.get(channel, "/ws/v1/markets")
