"""The files of an export: rows with exact numbers, from Parquet or CSV."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]

CHUNK_ROWS = 50_000
HASHED_AT_ONCE = 1 << 20
KIND = "bellwether-export"

_TIMES = {
    "at", "start", "created_at", "opening_date", "closing_date", "resolution_date", "resolved_at", "settled_at",
    "proposed_at", "ended_at", "expires_at",
}  # fmt: skip
_INTEGERS = {"sequence", "count"}
_DECIMALS = {
    "threshold", "close_value", "fee_percentage", "minimum_usd", "minimum_ngn", "yes_payout", "yes_price", "price",
    "quantity", "value", "taker_fee", "maker_price", "open", "high", "low", "close", "volume", "amount", "size",
    "filled", "fee",
}  # fmt: skip
_OPTIONAL_TEXTS = {
    "series_slug", "asset_symbol", "resolved_outcome", "score", "ended_by", "reason", "maker_order_id",
    "client_order_id",
}  # fmt: skip
"""Here an empty field of CSV is a missing value."""


class ExportDamaged(Exception):
    """A file of the export is missing or differs from the manifest."""


class Export:
    """A folder that `bellwether export` wrote.

    Numbers are `Decimal`, times are `datetime` in UTC, sequences are `int`. Parquet needs polars, which the extra
    `backtest` installs; CSV needs nothing.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))
        if self.manifest.get("kind") != KIND or self.manifest.get("version") != 1:
            raise ExportDamaged(f"{self.folder} has no manifest of an export that this version reads")

    @property
    def last_sequence(self) -> int:
        """The last request that the export includes; 0 if it is empty."""
        parts = self.manifest["parts"]
        return int(parts[-1]["lastSequence"]) if parts else 0

    def files(self, table: str) -> list[Path]:
        """The files of a table, in the order of their sequences. Use them with DuckDB, Polars or pandas."""
        return [self.folder / file["path"] for file in self._entries() if file["table"] == table]

    def row_count(self, table: str) -> int:
        """Rows of a table in all parts."""
        return sum(file["rows"] for file in self._entries() if file["table"] == table)

    def verify(self) -> None:
        """Compares every file with the hash in the manifest."""
        for file in self._entries():
            path = self.folder / file["path"]
            if not path.exists():
                raise ExportDamaged(f"{path} is missing")
            if _sha256(path) != file["sha256"]:
                raise ExportDamaged(f"{path} differs from the manifest")

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a table in order, a few thousand in memory at a time."""
        read = _read_csv if self.manifest["format"] == "csv" else _read_parquet
        for path in self.files(table):
            yield from read(path)

    def _entries(self) -> list[dict[str, Any]]:
        return [file for part in self.manifest["parts"] for file in part["files"]]

    def __repr__(self) -> str:
        return f"Export({str(self.folder)!r}, last_sequence={self.last_sequence})"


def _sha256(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(HASHED_AT_ONCE):
            found.update(chunk)
    return found.hexdigest()


def _read_csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        names = next(lines)
        kinds = [_kind(name) for name in names]
        for line in lines:
            yield {name: kind(text) for name, kind, text in zip(names, kinds, line, strict=True)}


def _kind(name: str) -> Any:
    if name in _INTEGERS:
        return int
    if name in _TIMES:
        return _time
    if name in _OPTIONAL_TEXTS:
        return _optional_text
    return _decimal if name in _DECIMALS else str


def _optional_text(text: str) -> str | None:
    return text or None


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if text else None


def _time(text: str) -> datetime | None:
    if not text:
        return None
    # Python 3.10 reads neither `Z` nor fractions of any length.
    whole, _, fraction = text.removesuffix("Z").partition(".")
    return datetime.fromisoformat(f"{whole}.{fraction:0<6}+00:00")


def _read_parquet(path: Path) -> Iterator[Row]:
    try:
        import polars
    except ImportError as error:
        raise ImportError("Parquet files need polars: pip install 'bellwether-exchange[backtest]'") from error
    lazy, first = polars.scan_parquet(path), 0
    while (chunk := lazy.slice(first, CHUNK_ROWS).collect()).height:
        yield from chunk.iter_rows(named=True)
        first += chunk.height
