"""The report of a bot's account, on a sandbox."""

from __future__ import annotations

from decimal import Decimal

from bellwether_exchange.backtest import report_of
from bellwether_exchange.testing import Sandbox


def test_the_account_of_a_bot_has_the_report_of_a_backtest(sandbox: Sandbox) -> None:
    with sandbox.client("ada") as client:
        market = client.event("rain-tomorrow").market
        order = market.yes.buy(quantity=10, price="0.40")
        sandbox.fill(order.id)
        report = report_of(client)
        assert (report.cash, report.currency, report.orders, report.steps) == (10_000, "USD", 1, 0)
        (fill,) = report.fills
        assert (fill.market_id, fill.outcome, fill.side) == (market.id, "YES", "BUY")
        assert (fill.price, fill.quantity, fill.value, fill.fee) == (Decimal("0.4"), 10, 4, 0)
        assert (fill.role, report.volume, report.fees) == ("MAKER", 4, 0)
        sandbox.resolve("rain-tomorrow", market.id)
        report = report_of(client)
        assert (report.equity, report.profit, report.realised) == (10_006, 6, 6)
        assert report.curve[-1].equity == report.equity
        assert report.drawdown <= 10, "the account was never worth less than its cash and its shares at 0"
        assert "10006.00 USD" in str(report)
        assert len(report.fills_df("polars")) == 1
