"""What is sent on each try, and the error after the last one, against a server with a script."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable

import pytest

from bellwether_exchange import (
    BellwetherError,
    Client,
    ConnectionFailed,
    NewOrder,
    NotFound,
    OutcomeUnknown,
    RateLimited,
    Retry,
    RuleRefused,
    Unauthorized,
)
from bellwether_exchange.requests import session, trading
from bellwether_exchange.requests.base import Request, read
from bellwether_exchange.retry import Failure, classify
from bellwether_exchange.wire import NoAnswer, read_answer

from .scripted import Reply, Scripted

SECRET = "sk_live_secret"
OK: Reply = (200, {"fine": True})


def error(status: int, **fields: object) -> Reply:
    return (status, {"error": "word", "message": "text", "statusCode": status, **fields})


def client_of(server: Scripted, seconds: float = 60.0) -> Client:
    return Client(server.url, "pk_live_1", SECRET, retry=Retry(seconds), timeout=5)


def order() -> Request:
    return trading.place_order("event", "market", NewOrder("outcome", "BUY", amount=10), None)


ADDING: list[Callable[[], Request]] = [
    order,
    lambda: trading.place_batch([NewOrder("outcome", "BUY", amount=10)], None),
    lambda: trading.mint("market", 5, "USD", None),
    lambda: trading.burn("market", 5, "USD", None),
    lambda: trading.cancel_all({}, None),
]


@pytest.mark.parametrize("make", ADDING)
@pytest.mark.parametrize("lost", ["drop", "cut", error(500), error(503, outcome="unknown"), error(409), (502, b"<p>")])
def test_a_write_that_adds_is_repeated_with_one_key_and_the_same_bytes(
    make: Callable[[], Request], lost: Reply
) -> None:
    with Scripted([lost, lost, OK]) as server, client_of(server) as client:
        assert client.send(make()).payload == {"fine": True}
    assert len(server.seen) == 3
    keys = {seen.headers["idempotency-key"] for seen in server.seen}
    assert len(keys) == 1
    assert 1 <= len(keys.pop()) <= 255
    assert {seen.headers["idempotency-window"] for seen in server.seen} == {"600"}
    assert len({(seen.method, seen.path, seen.body) for seen in server.seen}) == 1
    assert all(seen.headers["x-signature"] for seen in server.seen)


def test_a_key_of_the_caller_lives_for_a_day() -> None:
    request = trading.mint("market", 5, "USD", "my-own")
    with Scripted([OK]) as server, client_of(server) as client:
        client.send(request)
    assert server.seen[0].headers["idempotency-key"] == "my-own"
    assert "idempotency-window" not in server.seen[0].headers


def test_two_orders_have_two_keys() -> None:
    assert order().idempotency_key != order().idempotency_key


@pytest.mark.parametrize(
    "make",
    [
        lambda: trading.cancel_order("order"),
        lambda: trading.cancel_batch(["order"]),
        lambda: trading.amend_batch([trading.Amendment("order", price="0.4")]),
        lambda: trading.cancel_after(60),
    ],
)
def test_cancels_and_amends_are_repeated_without_a_key(make: Callable[[], Request]) -> None:
    with Scripted(["drop", OK]) as server, client_of(server) as client:
        assert client.send(make()).is_repeated
    assert all("idempotency-key" not in seen.headers for seen in server.seen)


@pytest.mark.parametrize("lost", ["drop", "cut", error(500), error(503, outcome="unknown")])
def test_a_login_is_never_repeated_after_an_unknown_outcome(lost: Reply) -> None:
    with Scripted([lost, OK]) as server, client_of(server) as client, pytest.raises(OutcomeUnknown):
        client.send(session.login("ada@example.org", "secret"))
    assert len(server.seen) == 1


@pytest.mark.parametrize("refused", [error(429, retryAfter=0), error(503, retryAfter=0), error(408)])
def test_what_was_not_executed_is_repeated_whatever_it_is(refused: Reply) -> None:
    with Scripted([refused, OK]) as server, client_of(server) as client:
        client.send(session.login("ada@example.org", "secret"))
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(404), NotFound),
        (error(401, reason="unknown_key"), Unauthorized),
        (error(422, code="INSUFFICIENT_BALANCE"), RuleRefused),
        (error(429, code="TOO_MANY_IDEMPOTENCY_KEYS", retryAfter=1), RateLimited),
    ],
)
def test_a_refusal_is_final_and_raised_by_its_class(reply: Reply, kind: type[BellwetherError]) -> None:
    with Scripted([reply, OK]) as server, client_of(server) as client, pytest.raises(kind):
        client.send(order())
    assert len(server.seen) == 1


def test_an_early_refusal_after_a_lost_answer_leaves_the_outcome_unknown() -> None:
    with Scripted(["drop", error(401)]) as server, client_of(server) as client, pytest.raises(OutcomeUnknown) as caught:
        client.send(order())
    assert caught.value.idempotency_key == server.seen[0].headers["idempotency-key"]
    assert {seen.headers["x-trace-id"] for seen in server.seen} == {caught.value.trace_id}


def test_a_result_after_a_lost_answer_is_the_result() -> None:
    replies = ["drop", error(422, code="MARKET_NOT_OPEN")]
    with Scripted(replies) as server, client_of(server) as client, pytest.raises(RuleRefused) as caught:
        client.send(order())
    assert caught.value.is_repeated


def test_the_command_of_an_unknown_outcome_is_named() -> None:
    replies = [error(503, outcome="unknown", commandId="0197")]
    with Scripted(replies) as server, client_of(server, 0) as client, pytest.raises(OutcomeUnknown) as caught:
        client.send(order())
    assert caught.value.command_id == "0197"


def test_a_lost_read_is_no_unknown_outcome() -> None:
    with Scripted(["drop"]) as server, client_of(server, 0) as client, pytest.raises(ConnectionFailed):
        client.send(read("/v1/pm/events"))


def test_an_exchange_that_is_not_there_executed_nothing() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with Client(address, "pk_live_1", SECRET, retry=Retry(0)) as client, pytest.raises(ConnectionFailed):
        client.send(order())


def test_a_success_that_is_not_json_is_repeated() -> None:
    with Scripted([(200, b"<html>"), OK]) as server, client_of(server) as client:
        assert client.send(order()).payload == {"fine": True}
    assert len(server.seen) == 2


def test_a_write_without_a_secret_is_not_sent() -> None:
    with (
        Scripted([OK]) as server,
        Client(server.url, "pk_live_1") as client,
        pytest.raises(BellwetherError, match="secret_key"),
    ):
        client.send(order())
    assert server.seen == []


def test_retries_and_deprecated_routes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bellwether_exchange")
    with (
        Scripted(["drop", OK], {"Deprecation": "@1767225600", "Sunset": "soon"}) as server,
        client_of(server) as client,
    ):
        client.send(order())
    assert "the next try is in" in caplog.text
    assert "deprecated: @1767225600 soon" in caplog.text
    assert SECRET not in caplog.text


def test_a_short_list_asks_for_a_short_page() -> None:
    empty = {"data": [], "pagination": {"page": 1, "size": 3, "lastPage": 1, "totalCount": 0}}
    with Scripted([(200, empty)]) as server, client_of(server) as client:
        assert client.trades().first(3) == []
        assert client.trades().first(0) == []
    assert [seen.path for seen in server.seen] == ["/v1/pm/trades?size=3"]


def test_any_bytes_of_an_answer_are_read_or_count_as_no_answer() -> None:
    choice = random.Random(7)
    pieces = [
        b"{",
        b"}",
        b"[",
        b'"error"',
        b'"statusCode"',
        b":",
        b",",
        b"1",
        b"1e999",
        b"null",
        b"\xff",
        b'"retryAfter"',
    ]
    for _ in range(3000):
        body = b"".join(choice.choice(pieces) for _ in range(choice.randint(0, 12)))
        status = choice.choice([200, 400, 409, 429, 500, 503])
        try:
            answer = read_answer(status, {"x-sequence": choice.choice(["", "7", "x", "-1", "²"])}, body)
        except NoAnswer:
            assert status < 400
            continue
        assert classify(answer.refusal()) in Failure


def test_a_slash_in_an_id_leads_to_no_other_path() -> None:
    with Scripted([OK]) as server, client_of(server) as client:
        client.send(trading.cancel_order("../orders"))
    assert server.seen[0].path == "/v1/pm/orders/..%2Forders"
    with pytest.raises(ValueError, match="not an id"):
        trading.cancel_order("..")
