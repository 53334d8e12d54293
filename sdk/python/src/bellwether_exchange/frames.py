"""Data frames of rows, with pandas or polars. Both are optional; neither is imported before it is used."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel

Library: TypeAlias = Literal["pandas", "polars"]
Decimals: TypeAlias = Literal["decimal", "float"]


def to_df(
    rows: Iterable[BaseModel | Mapping[str, Any]],
    library: Library | None = None,
    decimals: Decimals = "decimal",
) -> Any:
    """A data frame with one row for each item.

    `library` is "pandas" or "polars"; without it, pandas if it is installed. Numbers stay exact: `Decimal` objects in
    pandas, a decimal column in polars. `decimals="float"` makes floats of them, for arithmetic that may round.
    """
    flat = [_row(row) for row in rows]
    if decimals == "float":
        flat = [{name: _inexact(value) for name, value in row.items()} for row in flat]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    series = {name: [row.get(name) for row in flat] for name in columns}
    chosen = library or _installed()
    if chosen == "pandas":
        import pandas

        return pandas.DataFrame(series, columns=columns)
    if chosen == "polars":
        import polars

        kinds = {name: polars.Decimal(38, _scale(values)) for name, values in series.items() if _exact(values)}
        exact = {name: [_decimal(value) for value in series[name]] for name in kinds}
        return polars.DataFrame({**series, **exact}, schema_overrides=kinds, strict=False)
    raise ValueError(f"a data frame is of pandas or polars, not {chosen}")


def _installed() -> Library:
    if importlib.util.find_spec("pandas"):
        return "pandas"
    if importlib.util.find_spec("polars"):
        return "polars"
    raise ImportError("a data frame needs pandas or polars: pip install 'bellwether-exchange[pandas]'")


def _row(item: BaseModel | Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The fields of an item. Those of a nested item carry its name; lists of items are left out."""
    pairs = item.items() if isinstance(item, Mapping) else ((name, getattr(item, name)) for name in fields_of(item))
    row: dict[str, Any] = {}
    for name, value in pairs:
        if isinstance(value, (BaseModel, Mapping)):
            row.update(_row(value, f"{prefix}{name}_"))
        elif isinstance(value, (list, tuple)):
            if all(isinstance(word, str) for word in value):
                row[prefix + name] = ", ".join(value)
        else:
            row[prefix + name] = value
    return row


def fields_of(item: BaseModel) -> list[str]:
    """The names of a model's fields, in their order."""
    return list(type(item).model_fields)


def _inexact(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _exact(values: Sequence[Any]) -> bool:
    return any(isinstance(value, Decimal) for value in values)


def _decimal(value: Any) -> Any:
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _scale(values: Sequence[Any]) -> int:
    """Digits after the point, of the value with the most."""
    exponents = [value.as_tuple().exponent for value in values if isinstance(value, Decimal)]
    return max([0, *(-exponent for exponent in exponents if isinstance(exponent, int))])
