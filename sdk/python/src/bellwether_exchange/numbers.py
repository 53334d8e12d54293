"""Exact numbers: what callers may pass, and JSON that keeps every digit in both directions.

The exchange sends and expects JSON numbers. Binary floating point would change some of them, so decoding makes
`Decimal` of every fraction, and encoding writes a `Decimal` with all its digits and without an exponent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

Number: TypeAlias = Decimal | int | float | str
"""A number of a caller. A float means the shortest decimal that reads back as it: 0.1 means 0.1."""


def exact(value: Number) -> Decimal:
    """The decimal that a caller means."""
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, float, str)):
        raise TypeError(f"a number is a Decimal, int, float or str, not {type(value).__name__}")
    try:
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"not a number: {value!r}") from error
    if not number.is_finite():
        raise ValueError(f"not a finite number: {value!r}")
    return number


def plain(number: Decimal) -> str:
    """All digits of a decimal, without an exponent and without zeros at the end of its fraction."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def decode(data: bytes | str) -> Any:
    """JSON with a `Decimal` for each fraction. Refuses NaN and the infinities, which JSON does not have."""
    return json.loads(data, parse_float=Decimal, parse_constant=_refuse)


def encode(value: Any) -> bytes:
    """Compact JSON of dicts, lists, strings, numbers, booleans and None."""
    return _text(value).encode()


def _text(value: Any) -> str:
    if isinstance(value, Decimal):
        return plain(exact(value))
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(key))}:{_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_text, value)) + "]"
    if value is None or isinstance(value, (bool, int, str)):
        return json.dumps(value)
    raise TypeError(f"JSON cannot hold a {type(value).__name__} exactly")


def _refuse(constant: str) -> Any:
    raise ValueError(f"JSON has no {constant}")
