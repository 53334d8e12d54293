"""Spelling shared by requests and answers: camel case, and ids in paths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from decimal import Decimal
from urllib.parse import quote

from .numbers import plain

_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def camel(name: str) -> str:
    """`outcome1_id` as `outcome1Id`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def is_id(text: str) -> bool:
    """Whether a text is an id of the exchange (a UUID), and not a slug."""
    return _ID.fullmatch(text) is not None


def part(text: str) -> str:
    """One segment of a path. A slash in an id must not lead to another path."""
    if not text or text in (".", ".."):
        raise ValueError(f"not an id or a slug: {text!r}")
    return quote(text, safe="")


def moment(value: datetime | str) -> str:
    """A time as the exchange reads it. A `datetime` needs its zone."""
    if isinstance(value, str):
        return value
    if value.tzinfo is None:
        raise ValueError("a time without a zone is ambiguous: use datetime(…, tzinfo=timezone.utc)")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def query(parameters: Mapping[str, object]) -> dict[str, str]:
    """Parameters of a query in camel case, without those that are None."""
    return {camel(name): _word(value) for name, value in parameters.items() if value is not None}


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, (list, tuple)):
        return ",".join(map(_word, value))
    return str(value)
