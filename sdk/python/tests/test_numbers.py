"""Exact numbers in both directions."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

import pytest

from bellwether_exchange.numbers import decode, encode, exact, plain


@pytest.mark.parametrize(
    ("given", "meant"),
    [(0.1, "0.1"), (10, "10"), ("0.35", "0.35"), (Decimal("1e-6"), "0.000001"), (1e-06, "0.000001"), (1e22, "1E+22")],
)
def test_a_number_means_the_decimal_that_was_typed(given: Any, meant: str) -> None:
    assert exact(given) == Decimal(meant)


@pytest.mark.parametrize("given", [float("nan"), float("inf"), "Infinity", "ten", "", "1,5"])
def test_what_is_no_finite_number_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="number"):
        exact(given)


@pytest.mark.parametrize("given", [True, None, [1], b"1"])
def test_what_is_no_number_at_all_is_refused_by_type(given: Any) -> None:
    with pytest.raises(TypeError, match="number"):
        exact(given)


def test_decoding_keeps_every_digit() -> None:
    text = '{"amount":98.039212345678901234567890,"count":3}'
    assert decode(text) == {"amount": Decimal("98.039212345678901234567890"), "count": 3}


def test_decoding_refuses_what_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="NaN"):
        decode('{"price":NaN}')


def test_encoding_writes_numbers_not_strings_and_no_exponent() -> None:
    body = {"price": Decimal("0.40"), "amount": Decimal("1E+3"), "tiny": Decimal("1E-6"), "post": True, "none": None}
    assert encode(body) == b'{"price":0.4,"amount":1000,"tiny":0.000001,"post":true,"none":null}'


def test_encoding_and_decoding_are_inverse() -> None:
    value = {"a": [Decimal("0.1"), 2, 'ü\n"', None, False], "b": {"c": Decimal("-3.25")}}
    assert decode(encode(value)) == value
    assert json.loads(encode(value))["b"]["c"] == -3.25


def test_random_decimals_survive_both_directions_and_are_json_numbers() -> None:
    choice = random.Random(7)
    for _ in range(2000):
        number = Decimal(choice.randint(-(10**30), 10**30)).scaleb(choice.randint(-30, 3))
        text = encode({"n": number}).decode()
        assert decode(text)["n"] == number
        assert json.loads(text, parse_float=str, parse_int=str)["n"] == text[5:-1]


def test_encoding_refuses_a_float() -> None:
    with pytest.raises(TypeError, match="float"):
        encode({"price": 0.1})


def test_plain_text_has_no_zeros_at_the_end_of_a_fraction() -> None:
    assert [plain(Decimal(text)) for text in ("1.500", "100", "0.00", "1E+2")] == ["1.5", "100", "0", "100"]
