"""Random histories through the recipe of `changes`: a trusted copy is always the exchange's state at its sequence."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from bellwether_exchange.book import LocalBook
from bellwether_exchange.changes import Room

STEPS = 300
KEPT_DELTAS = 12

Book = dict[Decimal, Decimal]


@dataclass
class SimulatedVenue:
    """A book that changes, the deltas that are still stored, and the book at every sequence."""

    choice: random.Random
    sequence: int = 10
    last: int = 10
    book: Book = field(default_factory=dict)
    deltas: list[dict[str, Any]] = field(default_factory=list)
    past: dict[int, Book] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.past[self.sequence] = {}

    def work_elsewhere(self) -> None:
        self.sequence += self.choice.randint(1, 3)

    def change(self) -> dict[str, Any]:
        self.work_elsewhere()
        levels = []
        for _ in range(self.choice.randint(1, 3)):
            price = Decimal(self.choice.randint(1, 8)) / 100
            quantity = Decimal(self.choice.randint(0, 3))
            levels.append({"price": price, "quantity": quantity})
            self.book[price] = quantity
        self.book = {price: quantity for price, quantity in self.book.items() if quantity}
        delta = self.message("delta", {"bids": levels}, previousSequence=self.last)
        self.last = self.sequence
        self.past[self.sequence] = dict(self.book)
        self.deltas = [*self.deltas, delta][-KEPT_DELTAS:]
        return delta

    def message(self, kind: str, data: Any, **more: Any) -> dict[str, Any]:
        return {"type": kind, "room": "r", "data": data, "sequence": self.sequence, "timestamp": 1, **more}

    def snapshot(self) -> dict[str, Any]:
        levels = [{"price": price, "quantity": quantity} for price, quantity in self.book.items()]
        return self.message("snapshot", {"bids": levels})

    def heartbeat(self) -> dict[str, Any]:
        return {"type": "heartbeat", "room": "r", "sequence": self.last, "head": self.sequence, "timestamp": 1}

    def subscribe(self, resume_from: int | None) -> list[dict[str, Any]]:
        """The answer to a subscription: all missed deltas, or a snapshot."""
        missed = [delta for delta in self.deltas if resume_from is not None and delta["sequence"] > resume_from]
        is_whole = resume_from is not None and (
            resume_from >= self.last or (missed and missed[0]["previousSequence"] <= resume_from)
        )
        return missed if is_whole else [self.snapshot()]

    def at(self, sequence: int) -> Book:
        return self.past[max(known for known in self.past if known <= sequence)]


def deliver(room: Room[LocalBook], venue: SimulatedVenue, messages: list[dict[str, Any]]) -> None:
    for message in messages:
        was_broken = room.needs_restart
        room.accept(message)
        if room.copy.is_trusted:
            local = {level.price: level.quantity for level in room.copy.bids()}
            assert local == venue.at(room.copy.sequence)
        if room.needs_restart and not was_broken:
            assert not room.copy.is_trusted


@pytest.mark.parametrize("seed", range(40))
def test_a_trusted_book_is_right_whatever_is_lost_or_repeated(seed: int) -> None:
    choice = random.Random(seed)
    venue = SimulatedVenue(choice)
    room = Room("r", LocalBook("m", "USD"))
    deliver(room, venue, venue.subscribe(room.resume_from))
    for _ in range(STEPS):
        luck = choice.random()
        if luck < 0.1:
            room.distrust("cut")
            for _ in range(choice.choice([0, 1, 3, 2 * KEPT_DELTAS])):
                venue.change()
            deliver(room, venue, venue.subscribe(room.resume_from))
        elif luck < 0.2:
            venue.work_elsewhere()
            deliver(room, venue, [venue.heartbeat()])
        elif luck < 0.3:
            venue.change()  # lost
        elif luck < 0.4:
            deliver(room, venue, [venue.change()] * 2)
        else:
            deliver(room, venue, [venue.change()])
        if room.needs_restart and choice.random() < 0.5:
            deliver(room, venue, venue.subscribe(room.resume_from))
    room.distrust("cut")
    deliver(room, venue, venue.subscribe(room.resume_from) or [venue.heartbeat()])
    assert room.copy.is_trusted
    assert {level.price: level.quantity for level in room.copy.bids()} == venue.book
