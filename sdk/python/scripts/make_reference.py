"""Makes REFERENCE.md from the signatures and docstrings of the public names.

python scripts/make_reference.py           writes it
python scripts/make_reference.py --check   fails if it differs
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

import bellwether_exchange
from bellwether_exchange import backtest, models

PAGE = Path(__file__).parent.parent / "REFERENCE.md"
GROUPS: list[tuple[str, list[str]]] = [
    ("The client", ["Client"]),
    ("Events and markets", ["Event", "Market", "Outcome"]),
    ("Orders", ["Order", "NewOrder", "Amendment", "Batch", "BatchItem"]),
    ("Lists", ["Pager", "to_df"]),
    ("Streams", ["MarketStream", "AccountStream", "Listener", "Update", "Fill", "Message"]),
    ("Local copies", ["LocalBook", "BookLevel", "LocalAccount", "LocalWallet", "LocalPosition", "Trust"]),
    ("Retries", ["Retry"]),
    (
        "Errors",
        [
            "BellwetherError", "ApiError", "BadRequest", "Unauthorized", "Forbidden", "NotFound", "Conflict",
            "RuleRefused", "RateLimited", "Unavailable", "ConnectionFailed", "OutcomeUnknown", "StreamRefused",
            "WaitTimedOut", "Refusal",
        ],
    ),
]  # fmt: skip
BACKTESTS = [
    "Export", "Backtest", "Strategy", "Broker", "PaperOrder", "PaperFill", "PaperAccount", "PaperPosition", "Report",
    "BacktestReport", "report_of", "EquityPoint", "Recording", "Step", "RecordedTrade", "MarketTerms", "Resolution",
    "Refused", "ExportDamaged",
]  # fmt: skip
HEAD = """# Reference

Made from the docstrings by `scripts/make_reference.py`.

`AsyncClient` and the classes of `bellwether_exchange.aio` have the same methods: `await` those that answer, and use
`async for` and `async with` where this page says `for` and `with`. Numbers of answers are `Decimal`. A `Number` that
you pass is a `Decimal`, `int`, `float` or `str`.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, names in GROUPS:
        parts.append(f"## {title}\n")
        parts.extend(entry(name, getattr(bellwether_exchange, name)) for name in names)
    parts.append("## Backtests\n\nIn `bellwether_exchange.backtest`.\n")
    parts.extend(entry(name, getattr(backtest, name)) for name in BACKTESTS)
    parts.append("## Data\n\nIn `bellwether_exchange.models`.\n")
    parts.extend(entry(name, getattr(models, name)) for name in models.__all__ if not name.endswith("Data"))
    return "\n".join(parts)


def entry(name: str, thing: Any) -> str:
    """A class or a function."""
    lines = [f"### {name}\n", text_of(thing) + "\n"]
    if inspect.isfunction(thing):
        return "\n".join([f"### {name}\n", f"`{name}{signature(thing)}`\n", text_of(thing) + "\n"])
    fields = fields_of(thing)
    if fields:
        lines.append("Fields: " + ", ".join(f"`{field}`" for field in fields) + ".\n")
    rows = [row for row in (member(*pair) for pair in members(thing)) if row]
    if rows:
        lines.append("\n".join(["| | |", "|---|---|", *rows, ""]))
    return "\n".join(lines)


def members(thing: type) -> list[tuple[str, Any]]:
    """Methods and properties of our own, in the order of the source."""
    found: dict[str, Any] = {}
    for base in reversed(thing.__mro__):
        if base.__module__.startswith("bellwether_exchange"):
            found.update({name: value for name, value in vars(base).items() if not name.startswith("_")})
    hidden = {"model_post_init", "model_config", "shown", "caption"}
    return [(name, value) for name, value in found.items() if name not in hidden]


def member(name: str, value: Any) -> str:
    """One row: how it is used, and what it does."""
    function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    if isinstance(value, property):
        return f"| `{name}` | {cell(value)} |"
    if inspect.isfunction(function):
        return f"| `{name}{signature(function)}` | {cell(function)} |"
    return ""


def signature(function: Any) -> str:
    """The arguments, without `self` and without types."""
    parameters: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "cls"):
            continue
        stars = {inspect.Parameter.VAR_POSITIONAL: 1, inspect.Parameter.VAR_KEYWORD: 2}
        prefix = "*" * dict[Any, int](stars).get(parameter.kind, 0)
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parameters and not star(parameters):
            parameters.append("*")
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parameters.append(f"{prefix}{name}{default}")
    return f"({', '.join(parameters)})"


def star(parameters: list[str]) -> bool:
    return any(parameter.startswith("*") for parameter in parameters)


def fields_of(thing: Any) -> list[str]:
    """Fields of a model or a data class."""
    names = getattr(thing, "model_fields", None) or getattr(thing, "__dataclass_fields__", None) or {}
    return [name for name in names if not name.startswith("_")]


def cell(thing: Any) -> str:
    return re.sub(r"\s+", " ", text_of(thing)).replace("|", "\\|")


def text_of(thing: Any) -> str:
    text = inspect.getdoc(thing)
    if not text:
        raise SystemExit(f"{thing} has no docstring")
    return text


def main() -> None:
    text = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            sys.exit("run scripts/make_reference.py: REFERENCE.md would change")
        return
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
