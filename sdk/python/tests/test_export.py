"""Exports of a real exchange: DuckDB and Polars read them, and their books are the ones that the API served."""

from __future__ import annotations

import random
import re
import subprocess
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

import duckdb
import httpx
import nbclient
import nbformat
import polars
import pytest

from bellwether_exchange import BookLevel, Client, LocalBook
from bellwether_exchange.backtest import Backtest, Broker, Export, Recording, Strategy
from bellwether_exchange.backtest.exports import _decimal, _kind, _optional_text, _time
from bellwether_exchange.models import Level

from .conftest import BOOK, client_of
from .exchange import PATIENCE_SECONDS, Exchange, executable, start

LOOKS = 1_000
SEED = 20261117
DECIDED = "housing-bill-this-session"
NOTEBOOK = Path(__file__).parent.parent / "examples" / "backtest.ipynb"
DOCUMENT = Path(__file__).parents[3] / "docs" / "data.md"
TABLES = (
    "events",
    "markets",
    "rules",
    "verdicts",
    "resolutions",
    "trades",
    "candles",
    "book_changes",
    "book_snapshots",
)

Levels: TypeAlias = list[tuple[Decimal, Decimal]]


@dataclass(frozen=True)
class Look:
    """The books of both outcomes at one sequence: bids and asks of YES, bids and asks of NO."""

    sequence: int
    books: tuple[Levels, Levels, Levels, Levels]


@dataclass(frozen=True)
class Recorded:
    """A venue after some traffic, its exports, and the books that were seen meanwhile."""

    market_id: str
    looks: list[Look]
    trades: dict[str, tuple[Decimal, Decimal]]
    csv: Export
    parquet: Export


def export(exchange: Exchange, folder: Path, *flags: str) -> Export:
    command = [str(executable()), "export", str(folder), "--data", str(exchange.folder), *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return Export(folder)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("export")
    exchange = start(folder / "data")
    try:
        with client_of(exchange, 1) as ada, client_of(exchange, 2) as bola:
            market = ada.event(BOOK).market
            looks = list(traffic([ada, bola]))
            trades = {trade.id: (trade.price, trade.size) for trade in market.trades()}
    finally:
        exchange.stop()
    csv, parquet = both_exports(exchange, folder)
    return Recorded(market.id, looks, trades, csv, parquet)


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> tuple[Export, Export]:
    """Exports of a venue with a day of trading and a cancelled event, so that every table has rows."""
    folder = tmp_path_factory.mktemp("past")
    exchange = start(folder / "data", flags=("--past-days", "1"))
    try:
        decide(exchange, DECIDED)
    finally:
        exchange.stop()
    return both_exports(exchange, folder)


def both_exports(exchange: Exchange, folder: Path) -> tuple[Export, Export]:
    """CSV and Parquet, in parts, so that books are rebuilt from a snapshot in the middle."""
    parts = ("--part-sequences", "300")
    csv = export(exchange, folder / "csv", *parts)
    return csv, export(exchange, folder / "parquet", "--format", "parquet", *parts)


def decide(exchange: Exchange, event: str) -> None:
    """An operator proposes to cancel an event, withdraws that, proposes it again and finalises it."""
    headers = {"Authorization": f"Bearer {exchange.record['operatorToken']}"}
    proposed = {"yesPrice": 0.5, "evidence": {"text": 'Postponed, "for ever"'}}
    with httpx.Client(base_url=exchange.record["adminUrl"], headers=headers) as operator:
        for end, body in (("withdraw", {"reason": "too early"}), ("finalise", None)):
            answer = operator.post(f"/admin/v1/events/{event}/propose", json=proposed)
            assert answer.status_code == 201, answer.text
            path = f"/admin/v1/proposals/{answer.json()['proposalId']}/{end}"
            answer = operator.post(path, json=body)
            assert answer.status_code == 200, answer.text


def traffic(clients: list[Client]) -> Iterator[Look]:
    """Two people place, cross and cancel; after each step one look at the books."""
    chance = random.Random(SEED)
    markets = [client.event(BOOK).market for client in clients]
    for _ in range(LOOKS):
        market = chance.choice(markets)
        outcome = chance.choice([market.yes, market.no])
        if chance.random() < 0.15:
            market.cancel_all()
        elif chance.random() < 0.6:
            outcome.buy(quantity=chance.randint(5, 30), price=Decimal(chance.randint(20, 80)) / 100)
        else:
            outcome.buy(chance.randint(1, 4))
        yes, no = market.client.books([market.yes.id, market.no.id])
        assert yes.as_of is not None
        yield Look(yes.as_of, (pairs(yes.bids), pairs(yes.asks), pairs(no.bids), pairs(no.asks)))


def pairs(levels: Sequence[BookLevel | Level]) -> Levels:
    return [(level.price, level.quantity) for level in levels]


def both(book: LocalBook) -> tuple[Levels, Levels, Levels, Levels]:
    return pairs(book.bids()), pairs(book.asks()), pairs(book.bids("NO")), pairs(book.asks("NO"))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_book_rebuilt_from_the_files_is_the_one_that_was_served(recorded: Recorded, form: str) -> None:
    recording = Recording(getattr(recorded, form), [recorded.market_id])
    states = [(step.sequence, both(recording.book(recorded.market_id))) for step in recording.steps()]
    sequences = [sequence for sequence, _ in states]
    assert len(recorded.looks) == LOOKS
    for look in recorded.looks:
        _, rebuilt = states[bisect_right(sequences, look.sequence) - 1]
        assert rebuilt == look.books, f"at sequence {look.sequence}"
    assert max(len(levels) for look in recorded.looks for levels in look.books) > 10


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_book_at_a_sequence_needs_only_the_last_snapshot_and_the_changes_after_it(
    recorded: Recorded, form: str
) -> None:
    source: Export = getattr(recorded, form)
    recording = Recording(source, [recorded.market_id])
    assert len(source.manifest["parts"]) > 2
    for look in random.Random(SEED).sample(recorded.looks, 5):
        assert both(recording.book_at(recorded.market_id, look.sequence)) == look.books


def test_both_formats_have_equal_rows_with_exact_numbers(past: tuple[Export, Export]) -> None:
    csv, parquet = past
    for table in TABLES:
        first, second = list(csv.rows(table)), list(parquet.rows(table))
        assert first == second, table
        assert len(first) == csv.row_count(table) > 0, table
    csv.verify()
    parquet.verify()


def test_an_event_that_was_decided_has_its_verdicts_and_its_end(past: tuple[Export, Export]) -> None:
    csv, _ = past
    event_id = next(row["event_id"] for row in csv.rows("events") if row["slug"] == DECIDED)
    verdicts = [row for row in csv.rows("verdicts") if row["event_id"] == event_id]
    assert [row["stage"] for row in verdicts] == ["proposed", "withdrawn", "proposed", "finalised"]
    assert (verdicts[1]["reason"], verdicts[3]["yes_price"]) == ("too early", Decimal("0.5"))
    (resolution,) = [row for row in csv.rows("resolutions") if row["event_id"] == event_id]
    assert (resolution["status"], resolution["yes_payout"]) == ("cancelled", Decimal("0.5"))
    assert resolution["resolved_outcome"] is None


def kind_of(column: str) -> str:
    """The documented type of a column, as the reader of CSV takes it."""
    kinds = {int: "integer", _time: "time", _decimal: "decimal", _optional_text: "text, optional", str: "text"}
    return kinds[_kind(column)]


def test_csv_columns_are_read_as_the_types_of_the_document() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (integer|text|time|decimal)(?:\(\d\))?(, optional)? \|", DOCUMENT.read_text(), re.M
    )
    assert len(rows) > 100
    for name, kind, optional in rows:
        # A missing number or time needs no type of its own.
        expected = kind + (optional if kind == "text" else "")
        assert kind_of(name) == expected, name


def test_duckdb_and_polars_read_the_files_as_exact_decimals(recorded: Recorded) -> None:
    files = [str(path) for path in recorded.parquet.files("trades")]
    frame = polars.read_parquet(files)
    assert frame.schema["price"] == polars.Decimal(18, 6)
    assert frame.schema["quantity"] == polars.Decimal(18, 4)
    assert frame.schema["at"] == polars.Datetime("us", "UTC")
    found = duckdb.sql(
        f"SELECT trade_id, price, quantity FROM read_parquet({files!r}) WHERE engine = 'CLOB'"
    ).fetchall()
    by_id = {trade: (price, quantity) for trade, price, quantity in found}
    assert recorded.trades
    assert {trade: by_id[trade] for trade in recorded.trades} == recorded.trades
    of_polars = {row["trade_id"]: (row["price"], row["quantity"]) for row in frame.iter_rows(named=True)}
    assert of_polars == by_id
    total = duckdb.sql(f"SELECT typeof(sum(value)) FROM read_parquet({files!r})").fetchall()
    assert total[0][0].startswith("DECIMAL")
    texts = duckdb.sql(f"SELECT count(*) FROM read_csv({[str(p) for p in recorded.csv.files('rules')]!r})").fetchall()
    assert texts[0][0] == recorded.csv.row_count("rules")


class Quoting(Strategy):
    """Keeps one bid a cent above the best one."""

    def on_book(self, broker: Broker, book: LocalBook) -> None:
        best = book.best_bid()
        if best and best.price < Decimal("0.6") and not broker.open_orders(book.market_id):
            broker.buy(book.market_id, quantity=10, price=best.price + Decimal("0.01"))


def test_a_backtest_of_a_real_recording_gives_equal_results_from_both_formats(recorded: Recorded) -> None:
    reports = [
        Backtest(source, Quoting(), markets=[recorded.market_id], cash=1_000).run()
        for source in (recorded.csv, recorded.parquet)
    ]
    first, second = reports
    assert first.fills == second.fills
    assert first.equity == second.equity
    assert len(first.fills) > 5
    account = first.broker.account
    spent = sum((fill.value + fill.fee for fill in first.fills if fill.side == "BUY"), Decimal(0))
    assert account.cash + Decimal(account.held).scaleb(-6) == 1_000 - spent


@pytest.mark.filterwarnings("default")
def test_the_notebook_runs_and_shows_its_results(recorded: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPORT", str(recorded.parquet.folder))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code"), "outputs are not committed"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = "".join(str(cell.outputs) for cell in notebook.cells if cell.cell_type == "code")
    for expected in ("Equity at the end", "Fills as maker", "Fees"):
        assert expected in shown
