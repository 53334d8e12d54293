"""Signatures, against worked examples of the API guide."""

from __future__ import annotations

from bellwether_exchange.signing import Credentials, body_hash, sign, sign_cancel_on_disconnect

SECRET = "sk_live_a_secret_for_the_guide"
EVENT = "0197f3a0-0000-7000-8000-000000000001"
MARKET = "0197f3a0-0000-7000-8000-000000000002"
ORDER = b'{"side":"BUY","outcomeId":"0197f3a0-0000-7000-8000-000000000003","type":"LIMIT","price":0.4,"amount":10}'


def test_an_order_has_the_signature_of_the_guide() -> None:
    assert body_hash(ORDER) == "4b6c7c84c0dc5b4a23ac1f976222a7652a94645e2356abd4d076d3bfb8ba2baf"
    path = f"/v1/pm/events/{EVENT}/markets/{MARKET}/orders"
    assert sign(SECRET, 1767225600, "POST", path, ORDER) == "frlMk+Z2rMrRrgtSky8EDvnOMIghT8s9U1bfXuQC84E="


def test_a_cancel_without_a_body_has_the_signature_of_the_guide() -> None:
    path = "/v1/pm/orders/0197f3a0-0000-7000-8000-000000000004"
    assert sign(SECRET, 1767225600, "DELETE", path, None) == "04TIH5/sNCFv2HBjPDhwA5IyQO9NNfKQTW3D7LpQSS8="


def test_another_byte_of_the_body_gives_another_signature() -> None:
    assert sign(SECRET, 1, "POST", "/v1", b"{}") != sign(SECRET, 1, "POST", "/v1", b"{ }")


def test_arming_and_disarming_have_different_signatures() -> None:
    arming = sign_cancel_on_disconnect(SECRET, 1, True, "client")
    assert arming != sign_cancel_on_disconnect(SECRET, 1, False, "client")
    assert arming != sign_cancel_on_disconnect(SECRET, 1, True, "other")


def test_a_secret_is_not_in_the_text_of_credentials() -> None:
    assert SECRET not in repr(Credentials("pk_live_1", SECRET))
