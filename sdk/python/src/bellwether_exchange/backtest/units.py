"""Integers for exact arithmetic: money in 10⁻⁶, shares in 10⁻⁴, prices in cents, rates in basis points.

The formulas are those of the exchange (docs/arithmetic.md).
"""

from __future__ import annotations

from decimal import Decimal

MONEY_PLACES = 6
SHARES_PLACES = 4
RATE_UNITS = 10_000
BASES = {"USD": 1, "NGN": 100}
"""The payout of one winning share."""


def to_units(number: Decimal | int | str, places: int) -> int:
    """A number as whole units; a number between two units is refused."""
    scaled = Decimal(number).scaleb(places)
    units = int(scaled)
    if units != scaled:
        raise ValueError(f"{number} has more than {places} decimals")
    return units


def to_decimal(units: int, places: int) -> Decimal:
    """Whole units as a number."""
    return Decimal(units).scaleb(-places)


def money(units: int) -> Decimal:
    """Units of money as a number."""
    return to_decimal(units, MONEY_PLACES)


def shares(units: int) -> Decimal:
    """Units of shares as a number."""
    return to_decimal(units, SHARES_PLACES)


def price(cents: int) -> Decimal:
    """Cents as a price."""
    return to_decimal(cents, 2)


def cents_of(number: Decimal | int | str) -> int:
    """A price as cents from 1 to 99."""
    cents = to_units(number, 2)
    if not 1 <= cents <= 99:
        raise ValueError(f"a price is from 0.01 to 0.99, not {number}")
    return cents


def value(share_units: int, cents: int, base: int) -> int:
    """The value of shares at a price: it never rounds."""
    return share_units * cents * base


def fee(taken_value: int, rate: int) -> int:
    """The fee of everything that an order has taken so far."""
    return -(-taken_value * rate // RATE_UNITS)


def spendable(budget: int, rate: int) -> int:
    """The most that can be spent on shares so that it fits a budget together with its fee."""
    return RATE_UNITS * budget // (RATE_UNITS + rate)


def gross(proceeds: int, rate: int) -> int:
    """The most gross proceeds whose remainder after the fee stays within an amount."""
    return (RATE_UNITS * (proceeds + 1) - 1) // (RATE_UNITS - rate)


def cost_of_sold(cost: int, sold: int, held: int) -> int:
    """The cost basis of the sold part of a holding."""
    return cost * sold // held
