"""A small export in CSV, written by a test."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

MARKET = "m-1"
COLUMNS = {
    "markets": "sequence,at,market_id,event_id,title,status,outcome1_id,outcome1_label,outcome2_id,outcome2_label,"
    "fee_percentage,minimum_usd,minimum_ngn,threshold",
    "trades": "sequence,at,trade_id,market_id,event_id,currency,engine,outcome,side,price,quantity,value,taker_fee,"
    "match_type,maker_outcome,maker_price",
    "book_changes": "sequence,at,market_id,currency,side,price,quantity",
    "book_snapshots": "sequence,at,market_id,currency,side,price,quantity",
    "resolutions": "sequence,at,market_id,event_id,status,resolved_outcome,yes_payout,settled_at",
}


class Script:
    """Requests in order; each has the next sequence and comes a second later."""

    def __init__(self, fee: str = "2", currency: str = "USD") -> None:
        self.currency = currency
        self.sequence = 0
        self.lines: dict[str, list[str]] = {table: [] for table in COLUMNS}
        self.next()
        self.status("open", fee)

    def next(self) -> Script:
        """Begins a request."""
        self.sequence += 1
        return self

    @property
    def at(self) -> str:
        return f"2026-01-01T00:{self.sequence // 60:02}:{self.sequence % 60:02}.5Z"

    def status(self, status: str, fee: str = "2") -> Script:
        """The market has this status and fee."""
        cells = f"{MARKET},e-1,Rain,{status},y-1,YES,n-1,NO,{fee},1,100,"
        return self._add("markets", cells)

    def level(self, side: str, price: str, quantity: str) -> Script:
        """A level of the book has this quantity now."""
        return self._add("book_changes", f"{MARKET},{self.currency},{side},{price},{quantity}")

    def snapshot(self, side: str, price: str, quantity: str) -> Script:
        """A level of the whole book after this request."""
        return self._add("book_snapshots", f"{MARKET},{self.currency},{side},{price},{quantity}")

    def trade(self, outcome: str, side: str, price: str, quantity: str, match_type: str = "DIRECT") -> Script:
        """Others traded."""
        return self._add(
            "trades",
            f"t-{self.sequence},{MARKET},e-1,{self.currency},CLOB,{outcome},{side},{price},{quantity},0,0,"
            f"{match_type},{outcome},{price}",
        )

    def resolve(self, yes_payout: str) -> Script:
        """The market is paid out."""
        return self._add("resolutions", f"{MARKET},e-1,resolved,YES,{yes_payout},{self.at}")

    def _add(self, table: str, cells: str) -> Script:
        self.lines[table].append(f"{self.sequence},{self.at},{cells}")
        return self

    def write(self, folder: Path) -> Path:
        """Writes the files and their manifest."""
        files = []
        for table, lines in self.lines.items():
            if not lines:
                continue
            path = folder / table / "000000000001.csv"
            path.parent.mkdir(parents=True)
            path.write_text("\n".join([COLUMNS[table], *lines, ""]), encoding="utf-8")
            content = path.read_bytes()
            files.append(
                {
                    "table": table,
                    "path": f"{table}/{path.name}",
                    "rows": len(lines),
                    "bytes": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
            )
        part = {"firstSequence": 1, "lastSequence": self.sequence, "files": files}
        manifest = {"kind": "bellwether-export", "version": 1, "format": "csv", "parts": [part]}
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        return folder
