"""Backtests on the files of `bellwether export`.

`Export` reads them, `Recording` feeds them in the order of their sequences, and `Backtest` runs a `Strategy` on them
with paper money: its orders take from the recorded books, wait in their queues and pay the fees of the exchange. The
recorded traders do not react to the strategy. `report_of` makes a report of an account on an exchange.
"""

from .account import PaperAccount, PaperPosition
from .broker import Broker, PaperFill, PaperOrder, Refused
from .engine import Backtest, Strategy
from .exports import Export, ExportDamaged
from .live import report_of
from .recording import MarketTerms, RecordedTrade, Recording, Resolution, Step
from .report import BacktestReport, EquityPoint, Report

__all__ = [
    "Backtest",
    "BacktestReport",
    "Broker",
    "EquityPoint",
    "Export",
    "ExportDamaged",
    "MarketTerms",
    "PaperAccount",
    "PaperFill",
    "PaperOrder",
    "PaperPosition",
    "RecordedTrade",
    "Recording",
    "Refused",
    "Report",
    "Resolution",
    "Step",
    "Strategy",
    "report_of",
]
