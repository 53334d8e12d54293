"""The paper money and shares of a strategy. Amounts are integers inside and `Decimal` outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from . import units


@dataclass
class PaperPosition:
    """Shares of one outcome, with their average cost."""

    market_id: str
    outcome: str
    free: int = 0
    held: int = 0
    """For resting sales."""
    cost_units: int = 0

    @property
    def quantity(self) -> Decimal:
        """All shares, those of resting sales included."""
        return units.shares(self.free + self.held)

    @property
    def cost(self) -> Decimal:
        """Their cost, fees included."""
        return units.money(self.cost_units)


@dataclass
class PaperAccount:
    """A wallet in one currency and the positions bought from it."""

    currency: str
    free: int
    held: int = 0
    """For resting purchases."""
    fee_units: int = 0
    realised_units: int = 0
    positions: dict[tuple[str, str], PaperPosition] = field(default_factory=dict)

    @property
    def base(self) -> int:
        """The payout of one winning share, in whole units of the currency."""
        return units.BASES[self.currency]

    @property
    def cash(self) -> Decimal:
        """Money that no resting order holds."""
        return units.money(self.free)

    @property
    def fees(self) -> Decimal:
        """Fees paid so far."""
        return units.money(self.fee_units)

    @property
    def realised(self) -> Decimal:
        """The result of sales and settlements so far."""
        return units.money(self.realised_units)

    def position(self, market_id: str, outcome: str) -> PaperPosition:
        """The position in an outcome, possibly empty."""
        key = (market_id, outcome)
        if key not in self.positions:
            self.positions[key] = PaperPosition(market_id, outcome)
        return self.positions[key]

    def buy(self, market_id: str, outcome: str, shares: int, paid: int, fee: int) -> None:
        """Adds bought shares; `paid` has left the wallet already, `fee` leaves it now."""
        position = self.position(market_id, outcome)
        position.free += shares
        position.cost_units += paid + fee
        self.free -= fee
        self.fee_units += fee

    def sell(self, market_id: str, outcome: str, shares: int, proceeds: int, fee: int) -> None:
        """Removes shares that were held for the sale, and pays for them."""
        position = self.position(market_id, outcome)
        cost = units.cost_of_sold(position.cost_units, shares, position.free + position.held)
        position.held -= shares
        position.cost_units -= cost
        self.free += proceeds - fee
        self.fee_units += fee
        self.realised_units += proceeds - fee - cost

    def settle(self, market_id: str, yes_payout: Decimal) -> int:
        """Pays out both positions of a market. Returns the payout."""
        total = 0
        for outcome in ("YES", "NO"):
            position = self.positions.pop((market_id, outcome), None)
            if position is None:
                continue
            cents = units.to_units(yes_payout if outcome == "YES" else 1 - yes_payout, 2)
            payout = units.value(position.free + position.held, cents, self.base)
            self.realised_units += payout - position.cost_units
            total += payout
        self.free += total
        return total
