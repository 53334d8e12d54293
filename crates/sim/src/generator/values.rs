//! Values biased towards limits: minimum, maximum, one unit off a wallet's balance, the lowest and highest prices.

use exchange::catalogue::{Engine, Status};
use exchange::index::{ListingIndex, MarketIndex, UserIndex};
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{Outcome, Side};

use super::{Generator, View};

impl Generator {
    pub(super) fn currency(&mut self) -> Currency {
        if self.random.chance(80) { Currency::Usd } else { Currency::Ngn }
    }

    pub(super) fn outcome(&mut self) -> Outcome {
        self.random.one_of(Outcome::BOTH)
    }

    /// A trading user, never the house.
    pub(super) fn user(&mut self, view: View<'_>) -> UserIndex {
        // Sometimes includes inactive users.
        let lax = self.random.chance(25);
        let users = view.exchange.directory().users().skip(1);
        let users = users.filter(|(_, user)| lax || user.is_active()).map(|(index, _)| index);
        let users: Vec<_> = users.collect();
        // Prefer the first few users, so that they often meet their own orders.
        let active = users.len().min(if self.random.chance(80) { 4 } else { 16 });
        self.random.pick(&users[..active]).unwrap_or(UserIndex::HOUSE)
    }

    /// Mostly an open market.
    pub(super) fn market(&mut self, view: View<'_>) -> Option<MarketIndex> {
        let is_open = !self.random.chance(4);
        let want_book = self.random.chance(65);
        let catalogue = view.exchange.catalogue();
        let fits = |(_, market): &(MarketIndex, &exchange::catalogue::Market)| {
            (market.status == Status::Open) == is_open
                && (catalogue.event(market.event).engine == Engine::Clob) == want_book
        };
        let markets: Vec<_> = catalogue.markets().filter(fits).map(|(index, _)| index).collect();
        let open =
            catalogue.markets().filter(|(_, market)| market.status == Status::Open).map(|(index, _)| index);
        let open: Vec<_> = open.collect();
        // Prefer the newest markets, so that their books fill.
        let busy = markets.len().saturating_sub(if self.random.chance(75) { 2 } else { markets.len() });
        self.random.pick(&markets[busy..]).or_else(|| self.random.pick(&open))
    }

    /// An amount near the balance or the minimum.
    pub(super) fn amount(&mut self, view: View<'_>, user: UserIndex, currency: Currency) -> Money {
        let base = currency.base();
        let free = view.exchange.ledger().wallet(user, currency).free.units();
        let least = 1_000_000 * base;
        let units = match self.random.below(30) {
            0 => least,
            1 => least - 1,
            2 => least + self.random.between(0, 200),
            3 => free,
            4 => free + 1,
            5 => free - 1,
            6 => free / 102 * 100,
            7 => Money::ORDER_MAX.units() + self.random.between(0, 1),
            8 => self.random.between(-1, 1),
            9..=15 => least + self.random.between(0, 20 * least),
            16..=17 => base * 100 * self.random.between(10_000, 500_000),
            _ => self.random.between(least, 60 * least) / (base * 10_000) * base * 10_000,
        };
        Money::new(units)
    }

    /// A quantity near the current holding.
    pub(super) fn shares(
        &mut self,
        view: View<'_>,
        user: UserIndex,
        listing: ListingIndex,
        outcome: Outcome,
    ) -> Shares {
        let held = view
            .exchange
            .position(user, listing)
            .map_or(0, |position| position.holding(outcome).free.units());
        let units = match self.random.below(24) {
            0 if held > 0 => held,
            1 if held > 0 => held + 1,
            2 if held > 0 => held - 1,
            3 => Shares::ORDER_MAX.units() + self.random.between(0, 1),
            4 => self.random.between(-1, 1),
            5..=8 if held > 0 => self.random.between(1, held),
            9..=13 => 10_000 * self.random.between(1, 40),
            _ => self.random.between(10_000, 600_000),
        };
        Shares::new(units)
    }

    /// A limit price: mostly passive, on its own side of the middle; the rest cross.
    pub(super) fn limit_near(&mut self, centre: i64, side: Side) -> Price {
        if self.random.chance(40) {
            return self.price_near(centre);
        }
        let away = 1 + self.random.between(0, 7);
        Price::clamp(match side {
            Side::Buy => centre - away,
            Side::Sell => centre + away,
        })
    }

    /// Prices are concentrated around a centre, so that they match.
    pub(super) fn price_near(&mut self, centre: i64) -> Price {
        let cents = match self.random.below(12) {
            0 => 1,
            1 => 99,
            2 => self.random.between(1, 99),
            3..=8 => centre + self.random.between(-2, 2),
            _ => centre + self.random.between(-8, 8),
        };
        Price::clamp(cents)
    }
}
