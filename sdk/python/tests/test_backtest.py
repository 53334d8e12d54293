"""Backtests on exports written by hand: every amount follows from docs/arithmetic.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from bellwether_exchange import LocalBook
from bellwether_exchange.backtest import (
    Backtest,
    BacktestReport,
    Broker,
    Export,
    ExportDamaged,
    PaperOrder,
    RecordedTrade,
    Recording,
    Refused,
    Strategy,
)
from bellwether_exchange.backtest.exports import Row

from .recorded import MARKET, Script


class Acting(Strategy):
    """Does one thing after a request."""

    def __init__(self, acts: dict[int, Callable[[Broker], object]]) -> None:
        self.acts = acts
        self.results: dict[int, object] = {}

    def on_book(self, broker: Broker, book: LocalBook) -> None:
        self._act(broker)

    def on_trade(self, broker: Broker, trade: RecordedTrade) -> None:
        self._act(broker)

    def _act(self, broker: Broker) -> None:
        if broker.sequence in self.acts and broker.sequence not in self.results:
            self.results[broker.sequence] = None
            self.results[broker.sequence] = self.acts[broker.sequence](broker)


def run(
    script: Script,
    folder: Path,
    acts: dict[int, Callable[[Broker], object]],
    cash: int = 1_000,
    latency: timedelta = timedelta(0),
) -> tuple[BacktestReport, dict[int, object]]:
    strategy = Acting(acts)
    export = Export(script.write(folder))
    export.verify()
    report = Backtest(export, strategy, currency=script.currency, cash=cash, latency=latency).run()
    return report, strategy.results


def order_of(results: dict[int, object], sequence: int) -> PaperOrder:
    found = results[sequence]
    assert isinstance(found, PaperOrder)
    return found


def test_a_market_order_spends_its_amount_fee_included_from_the_best_price_on(tmp_path: Path) -> None:
    script = Script(fee="2").next().level("ask", "0.52", "100").level("ask", "0.53", "400")
    report, results = run(script, tmp_path, {2: lambda broker: broker.buy(MARKET, amount=208)})
    order = order_of(results, 2)
    # 208 buys for ⌊208 / 1.02⌋ = 203.921568: 100 at 0.52 and 286.6444 at 0.53.
    assert [(fill.price, fill.quantity) for fill in order.fills] == [
        (Decimal("0.52"), Decimal(100)),
        (Decimal("0.53"), Decimal("286.6444")),
    ]
    value = Decimal(52) + Decimal("286.6444") * Decimal("0.53")
    assert report.volume == value == Decimal("203.921532")
    assert report.fees == Decimal("4.078431")
    assert report.broker.account.cash == 1_000 - value - report.fees
    assert order.status == "filled"
    assert [fill.fee for fill in order.fills] == [Decimal("1.04"), Decimal("3.038431")]


def test_shares_that_were_taken_cannot_be_taken_again_until_their_level_is_new(tmp_path: Path) -> None:
    script = Script(fee="0").next().level("ask", "0.50", "10").next().level("bid", "0.10", "5")
    script.next().level("ask", "0.50", "0").next().level("ask", "0.50", "7")

    def buy(broker: Broker) -> PaperOrder:
        return broker.buy(MARKET, quantity=20)

    report, results = run(script, tmp_path, {2: buy, 3: buy, 5: buy})
    assert [order_of(results, at).filled for at in (2, 3, 5)] == [10, 0, 7]
    assert report.broker.position(MARKET) == 17
    assert order_of(results, 3).status == "cancelled"


def test_a_limit_order_waits_behind_the_shares_that_were_there(tmp_path: Path) -> None:
    script = Script().next().level("bid", "0.40", "30").level("ask", "0.60", "30")
    script.next().trade("YES", "SELL", "0.40", "20").level("bid", "0.40", "10")
    script.next().trade("NO", "BUY", "0.60", "15", "MINT").level("bid", "0.40", "0")
    script.next().trade("YES", "SELL", "0.39", "100")
    report, results = run(script, tmp_path, {2: lambda broker: broker.buy(MARKET, quantity=50, price="0.40")})
    order = order_of(results, 2)
    # 20 of 30 before it were served, then 10 and 5 of its own, then the rest by a trade at a worse price.
    assert [(fill.sequence, fill.quantity, fill.role) for fill in order.fills] == [(4, 5, "MAKER"), (5, 45, "MAKER")]
    assert (report.fees, report.broker.account.cash, order.status) == (0, 980, "filled")


def test_a_recorded_order_that_would_have_met_a_waiting_one_fills_it(tmp_path: Path) -> None:
    script = Script().next().level("bid", "0.30", "5").next().level("ask", "0.38", "8").next().level("ask", "0.38", "9")
    report, results = run(script, tmp_path, {2: lambda broker: broker.buy(MARKET, quantity=20, price="0.40")})
    order = order_of(results, 2)
    assert [(fill.sequence, fill.price, fill.quantity) for fill in order.fills] == [
        (3, Decimal("0.40"), 8),
        (4, Decimal("0.40"), 1),
    ]
    assert (order.status, report.broker.account.held) == ("open", 11 * 400_000)


def test_no_shares_trade_on_the_mirrored_book(tmp_path: Path) -> None:
    script = Script(fee="0").next().level("bid", "0.70", "10").next().level("ask", "0.75", "10")

    def sell(broker: Broker) -> PaperOrder:
        return broker.sell(MARKET, "NO", quantity=4)

    report, results = run(script, tmp_path, {2: lambda broker: broker.buy(MARKET, "NO", quantity=10), 3: sell})
    # A bid of YES at 0.70 is an ask of NO at 0.30; an ask of YES at 0.75 is a bid of NO at 0.25.
    assert [(fill.side, fill.price, fill.quantity) for fill in report.fills] == [
        ("BUY", Decimal("0.30"), 10),
        ("SELL", Decimal("0.25"), 4),
    ]
    assert report.realised == Decimal(1) - Decimal("1.2")
    assert order_of(results, 3).status == "filled"


def test_a_settled_market_pays_both_outcomes_and_cancels_what_waits(tmp_path: Path) -> None:
    script = Script(fee="0", currency="NGN").next().level("ask", "0.50", "10").next().level("ask", "0.50", "0")
    script.next().status("closed").next().resolve("1")

    def wait(broker: Broker) -> PaperOrder:
        return broker.sell(MARKET, quantity=3, price="0.90")

    acts: dict[int, Callable[[Broker], object]] = {2: lambda broker: broker.buy(MARKET, quantity=10), 3: wait}
    report, results = run(script, tmp_path, acts)
    waited = order_of(results, 3)
    assert (waited.status, waited.reason) == ("cancelled", "the market closed")
    assert (report.equity, report.profit, report.realised) == (1_500, 500, 500)
    assert report.broker.position(MARKET) == 0


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda broker: broker.buy(MARKET, amount="0.5"), "minimum"),
        (lambda broker: broker.buy(MARKET, quantity=5_000, price="0.40"), "needs"),
        (lambda broker: broker.sell(MARKET, quantity=1), "sells"),
        (lambda broker: broker.buy(MARKET, quantity=10, price="0.60", post_only=True), "take"),
        (lambda broker: broker.buy("m-2", amount=5), "no market"),
    ],
)
def test_orders_that_the_exchange_refuses_are_refused(
    act: Callable[[Broker], object], reason: str, tmp_path: Path
) -> None:
    def refused(broker: Broker) -> None:
        with pytest.raises(Refused, match=reason):
            act(broker)

    script = Script().next().level("ask", "0.60", "100").level("bid", "0.50", "100")
    report, results = run(script, tmp_path, {2: refused})
    assert 2 in results
    assert (report.fills, report.broker.account.free) == ([], 1_000_000_000)


def test_with_a_latency_an_order_meets_the_book_of_its_arrival(tmp_path: Path) -> None:
    script = (
        Script(fee="0").next().level("ask", "0.50", "10").next().level("ask", "0.50", "0").level("ask", "0.55", "10")
    )
    script.next().level("bid", "0.10", "1").next().level("bid", "0.11", "1")
    report, results = run(
        script, tmp_path, {2: lambda broker: broker.buy(MARKET, quantity=2)}, latency=timedelta(seconds=1.5)
    )
    assert [(fill.price, fill.at.second) for fill in report.fills] == [(Decimal("0.55"), 4)]
    assert order_of(results, 2).status == "filled"


def test_with_a_latency_an_order_can_be_filled_before_its_cancel_arrives(tmp_path: Path) -> None:
    script = Script(fee="0").next().level("bid", "0.30", "5").next().level("bid", "0.31", "1")
    script.next().level("bid", "0.32", "1").next().trade("YES", "SELL", "0.40", "5")
    script.next().level("bid", "0.33", "1").next().trade("YES", "SELL", "0.40", "5")

    def cancel(broker: Broker) -> PaperOrder:
        (order,) = broker.open_orders(MARKET)
        broker.cancel_all(MARKET)
        assert order.is_open, "the cancel is on its way"
        return order

    acts: dict[int, Callable[[Broker], object]] = {
        2: lambda broker: broker.buy(MARKET, quantity=20, price="0.40"),
        4: cancel,
    }
    report, results = run(script, tmp_path, acts, latency=timedelta(seconds=1.5))
    order = order_of(results, 4)
    assert [(fill.sequence, fill.quantity) for fill in order.fills] == [(5, 5)]
    assert (order.status, report.broker.account.cash, report.broker.account.held) == ("cancelled", 998, 0)


def test_a_closed_market_keeps_its_last_mark(tmp_path: Path) -> None:
    script = (
        Script(fee="0").next().trade("YES", "BUY", "0.50", "1").level("ask", "0.70", "10").level("bid", "0.60", "10")
    )
    script.next().status("closed").level("ask", "0.70", "0").level("bid", "0.60", "0")
    report, _ = run(script, tmp_path, {2: lambda broker: broker.buy(MARKET, quantity=10)})
    assert (report.broker.mark(MARKET), report.broker.mark(MARKET, "NO")) == (Decimal("0.65"), Decimal("0.35"))
    assert report.equity == 1_000 - 7 + Decimal("6.5")


class Counting(Export):
    """Counts the rows that were read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.read: Counter[str] = Counter()

    def rows(self, table: str) -> Iterator[Row]:
        for row in super().rows(table):
            self.read[table] += 1
            yield row


def test_the_book_at_a_sequence_is_read_from_its_snapshot_and_not_beyond(tmp_path: Path) -> None:
    script = Script().next().level("ask", "0.50", "10").snapshot("ask", "0.50", "10")
    script.next().level("ask", "0.50", "0").next().level("bid", "0.40", "7").snapshot("bid", "0.40", "7")
    script.next().level("bid", "0.40", "6").next().level("bid", "0.40", "5").snapshot("bid", "0.40", "5")
    script.next().level("bid", "0.40", "4").snapshot("bid", "0.40", "4")
    export = Counting(script.write(tmp_path))
    book = Recording(export).book_at(MARKET, 5)
    assert [(level.price, level.quantity) for level in book.bids()] == [(Decimal("0.40"), 6)]
    assert (book.asks(), book.sequence, book.is_trusted) == ([], 5, True)
    assert (export.read["book_snapshots"], export.read["book_changes"]) == (3, 5), "one row beyond each"


def test_a_report_has_every_number_and_the_curve_of_the_equity(tmp_path: Path) -> None:
    script = Script(fee="0").next().level("ask", "0.50", "10").level("bid", "0.40", "10")
    script.next().level("ask", "0.50", "0").level("bid", "0.40", "0").level("ask", "0.30", "9").level(
        "bid", "0.20", "9"
    )
    export = Export(script.write(tmp_path))
    strategy = Acting({2: lambda broker: broker.buy(MARKET, quantity=10)})
    report = Backtest(export, strategy, cash=100, sample=timedelta(0)).run()
    assert [point.equity for point in report.curve[1:]] == [Decimal("99.5"), Decimal("97.5"), Decimal("97.5")]
    assert (report.profit, report.drawdown, report.steps) == (Decimal("-2.5"), Decimal("2.5"), 3)
    assert "Profit" in str(report)
    assert "-2.50 USD" in report._repr_html_()
    assert list(report.fills_df("polars")["quantity"]) == [Decimal(10)]
    assert len(report.curve_df("pandas")) == len(report.curve)


def test_a_changed_file_of_an_export_is_found(tmp_path: Path) -> None:
    export = Export(Script().next().level("ask", "0.50", "10").write(tmp_path))
    export.verify()
    path = export.files("book_changes")[0]
    path.write_text(path.read_text(encoding="utf-8").replace("0.50", "0.51"), encoding="utf-8")
    with pytest.raises(ExportDamaged, match="differs"):
        export.verify()
    path.unlink()
    with pytest.raises(ExportDamaged, match="missing"):
        export.verify()
