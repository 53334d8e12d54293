"""Small HTML tables for notebooks. Every text is escaped: titles and labels are written by strangers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from html import escape

from .numbers import plain


def show(value: object) -> str:
    """A value as plain text."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return str(value)


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a caption and a head."""
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(show(value))}</td>" for value in row) + "</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>"
    return f"<table>{title}<thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def fields(caption: str, values: Iterable[tuple[str, object]]) -> str:
    """A table with a field in each row. Empty fields are left out."""
    return table(caption, ("field", "value"), [(name, value) for name, value in values if show(value)])
