"""The recipe of the channel `changes`, message by message."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from bellwether_exchange.book import LocalBook
from bellwether_exchange.changes import Room
from bellwether_exchange.ledger import LocalAccount, LocalWallet
from bellwether_exchange.numbers import decode


def room() -> Room[LocalBook]:
    return Room("changes:m:USD", LocalBook("m", "USD"))


def snapshot(sequence: int, **data: Any) -> dict[str, Any]:
    return {"type": "snapshot", "room": "changes:m:USD", "data": data, "sequence": sequence, "timestamp": 1}


def delta(sequence: int, previous: int, **data: Any) -> dict[str, Any]:
    return {**snapshot(sequence, **data), "type": "delta", "previousSequence": previous}


def heartbeat(sequence: int, head: int) -> dict[str, Any]:
    return {"type": "heartbeat", "room": "changes:m:USD", "sequence": sequence, "head": head, "timestamp": 1}


def level(price: str, quantity: str) -> Any:
    return decode(f'{{"price":{price},"quantity":{quantity}}}')


def test_a_book_is_not_trusted_before_its_first_snapshot() -> None:
    following = room()
    assert not following.copy.is_trusted
    assert following.accept(delta(5, 4, bids=[level("0.4", "1")])) is None
    assert following.resume_from is None
    assert following.copy.bids() == []


def test_levels_are_absolute_and_zero_removes_one() -> None:
    following = room()
    following.accept(snapshot(5, bids=[level("0.4", "10"), level("0.39", "5")], asks=[level("0.45", "7")]))
    following.accept(delta(8, 5, bids=[level("0.4", "0"), level("0.38", "2")], asks=[level("0.45", "9")]))
    book = following.copy
    assert [(str(item.price), item.quantity) for item in book.bids()] == [("0.39", 5), ("0.38", 2)]
    assert book.mid() == Decimal("0.42")
    assert [(str(item.price), item.quantity) for item in book.bids("NO")] == [("0.55", 9)]
    assert [str(item.price) for item in book.asks("NO")] == ["0.61", "0.62"]
    assert (book.is_trusted, book.sequence) == (True, 8)


def test_a_delta_that_the_book_has_is_ignored() -> None:
    following = room()
    following.accept(snapshot(5, bids=[level("0.4", "10")]))
    assert following.accept(delta(5, 4, bids=[level("0.4", "0")])) is None
    assert len(following.copy.bids()) == 1


def test_a_missing_delta_is_noticed_and_ends_the_trust() -> None:
    following = room()
    following.accept(snapshot(5, bids=[level("0.4", "10")]))
    update = following.accept(delta(9, 7, bids=[level("0.4", "3")]))
    assert update is not None
    assert update.kind == "untrusted"
    assert (following.copy.is_trusted, following.needs_restart, following.resume_from) == (False, True, None)
    assert following.copy.bids()[0].quantity == 10
    assert following.accept(delta(10, 9, bids=[level("0.4", "2")])) is None
    following.accept(snapshot(12, bids=[level("0.5", "1")]))
    assert (following.copy.is_trusted, following.needs_restart, following.resume_from) == (True, False, 12)


def test_a_heartbeat_confirms_and_notices_a_missing_delta() -> None:
    following = room()
    following.accept(snapshot(5))
    update = following.accept(heartbeat(5, 40))
    assert update is not None
    assert (update.kind, update.head, following.resume_from) == ("heartbeat", 40, 40)
    assert following.accept(delta(44, 5)) is not None
    update = following.accept(heartbeat(50, 60))
    assert update is not None
    assert update.kind == "untrusted"


def test_a_change_that_a_heartbeat_denied_starts_the_book_over() -> None:
    following = room()
    following.accept(snapshot(5))
    following.accept(heartbeat(5, 40))
    following.accept(delta(30, 5))
    assert following.needs_restart


def test_a_delta_after_a_resume_from_a_head_may_name_an_older_one() -> None:
    following = room()
    following.accept(snapshot(5, bids=[level("0.4", "10")]))
    following.accept(heartbeat(5, 40))
    following.distrust("cut")
    assert following.resume_from == 40
    update = following.accept(delta(41, 5, bids=[level("0.4", "4")]))
    assert update is not None
    assert following.copy.is_trusted
    assert following.copy.bids()[0].quantity == 4


def test_a_disconnect_is_reported_once() -> None:
    following = room()
    following.accept(snapshot(5))
    first = following.distrust("cut")
    assert first is not None
    assert (first.kind, first.reason) == ("untrusted", "cut")
    assert following.distrust("cut again") is None
    assert "cut again" in following.copy._repr_html_()


def test_a_snapshot_discards_everything_before() -> None:
    following = room()
    following.accept(snapshot(5, bids=[level("0.4", "10")], lastTrade={"price": Decimal("0.4"), "side": "BUY"}))
    following.accept(snapshot(9, asks=[level("0.5", "1")]))
    assert (following.copy.bids(), following.copy.last_price) == ([], None)


def test_announced_terms_stay_until_others_replace_them() -> None:
    following = room()
    announced = {"feePercentage": Decimal(9), "minimumOrderAmount": Decimal(1), "from": "2030-01-01T01:00:00Z"}
    terms = {"feePercentage": Decimal(2), "minimumOrderAmount": Decimal(1)}
    following.accept(snapshot(5, terms={**terms, "announcedTerms": announced}))
    following.accept(delta(6, 5, bids=[level("0.4", "10")]))
    shown = following.copy.terms
    assert shown is not None
    assert shown.announced_terms is not None
    assert (shown.fee_percentage, shown.announced_terms.fee_percentage) == (2, 9)
    assert shown.announced_terms.from_.isoformat() == "2030-01-01T01:00:00+00:00"
    following.accept(delta(7, 6, terms={**terms, "feePercentage": Decimal(9)}))
    shown = following.copy.terms
    assert shown is not None
    assert (shown.fee_percentage, shown.announced_terms) == (9, None)


def test_an_account_has_wallets_and_positions_of_the_last_change() -> None:
    account = LocalAccount()
    place = {"marketId": "m", "outcomeId": "o", "outcome": "YES", "currency": "USD", "cost": 4, "availableBalance": 9}
    account.apply({"wallets": [{"currency": "USD", "availableBalance": Decimal("99.5"), "pendingBalance": 0}]})
    account.apply({"positions": [{**place, "balance": 9}]})
    assert account.wallets == {"USD": LocalWallet(Decimal("99.5"), Decimal(0))}
    assert account.positions["o", "USD"].balance == 9
    account.apply({"positions": [{**place, "balance": 0}]})
    assert account.positions == {}
