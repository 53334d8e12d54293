//! A user's holdings: a row for each outcome and currency, valued at the proceeds of selling all of it now.

use std::sync::Arc;

use api::query::PortfolioQuery;
use api::response::{OutcomeBalance, Pagination, Portfolio, PortfolioEvent, PortfolioMarket};
use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind, Instrument};
use exchange::id::{EventId, UserId};
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money, Ppm, Shares, half_up, narrow};
use exchange::order::Outcome;
use exchange::position::Holding;
use exchange::quote::Valuation;
use exchange::text::Text;
use exchange::time::Time;

use super::market::price;
use super::wallet::{asset_id, derived_id};
use super::words::{ToApi, ToExchange, percent};

/// A page of holdings, with markets in creation order. The totals cover all rows that match the query.
///
/// Rows of one currency are summed in it. Rows of both currencies are summed in units of a share's payout, so that 100 NGN
/// count as much as 1 USD.
pub fn portfolio(exchange: &Exchange, user: UserIndex, query: &PortfolioQuery) -> Portfolio {
    let listings = listings(exchange, user, query).into_iter();
    let held: Vec<Held> = listings.map(|listing| held(exchange, user, listing)).collect();
    PortfolioPage::of(exchange, user, held.iter(), query).into_portfolio(held.iter(), query)
}

/// The listings of a query where a user has a position, ascending.
pub fn listings(exchange: &Exchange, user: UserIndex, query: &PortfolioQuery) -> Vec<ListingIndex> {
    let catalogue = exchange.catalogue();
    let is_asked_for = |listing: &ListingIndex| {
        query.currency.is_none_or(|currency| currency == listing.currency().to_api())
    };
    let market = query.market_id.map(|id| catalogue.find_market(id.to_exchange()));
    let event = query.event_id.map(|id| catalogue.find_event(id.to_exchange()));
    let markets = match (market, event) {
        (None, None) => {
            return exchange.listings_of(user).filter(is_asked_for).collect();
        }
        (Some(None), _) | (_, Some(None)) => Vec::new(),
        (Some(Some(market)), None) => vec![market],
        (Some(Some(market)), Some(Some(event))) if catalogue.market(market).event == event => vec![market],
        (Some(Some(_)), Some(Some(_))) => Vec::new(),
        (None, Some(Some(event))) => catalogue.event(event).markets.clone(),
    };
    let both = |market| Currency::ALL.map(|currency| ListingIndex::new(market, currency));
    let listings = markets.into_iter().flat_map(both).filter(is_asked_for);
    listings.filter(|listing| exchange.position(user, *listing).is_some()).collect()
}

/// The holdings of one position; `None` for an outcome without shares.
pub type Held = [Option<HeldOutcome>; 2];

#[derive(Clone, Copy, Debug)]
pub struct HeldOutcome {
    listing: ListingIndex,
    outcome: Outcome,
    holding: Holding,
    valuation: Valuation,
    opened_at: Time,
    changed_at: Time,
}

/// Reads and values both outcomes of a position.
pub fn held(exchange: &Exchange, user: UserIndex, listing: ListingIndex) -> Held {
    let Some(position) = exchange.position(user, listing) else { return [None; 2] };
    Outcome::BOTH.map(|outcome| {
        let holding = *position.holding(outcome);
        (holding.total() > Shares::ZERO).then(|| HeldOutcome {
            listing,
            outcome,
            holding,
            valuation: exchange.value_of(user, listing, outcome),
            opened_at: position.opened_at,
            changed_at: position.changed_at,
        })
    })
}

/// The rows of a page with the names of their markets.
#[derive(Debug)]
pub struct PortfolioPage {
    user: UserId,
    rows: Vec<NamedRow>,
}

/// A row of a page. Texts are shared with the state.
#[derive(Debug)]
struct NamedRow {
    row: HeldOutcome,
    instrument: Arc<Instrument>,
    title: Text,
    image_url: Text,
    event: EventId,
    event_title: Text,
    kind: EventKind,
    engine: Engine,
    /// The displayed prices of YES and NO.
    prices: [Ppm; 2],
}

impl PortfolioPage {
    /// Picks the rows of a page, and reads the names of their markets only.
    pub fn of<'a>(
        exchange: &Exchange,
        user: UserIndex,
        held: impl Iterator<Item = &'a Held>,
        query: &PortfolioQuery,
    ) -> PortfolioPage {
        let pages = query.pages();
        let skipped = usize::try_from(pages.offset()).unwrap_or(usize::MAX);
        let shown = held.flatten().flatten().skip(skipped).take(pages.size as usize);
        PortfolioPage {
            user: exchange.directory().user(user).id,
            rows: shown.map(|row| NamedRow::of(exchange, *row)).collect(),
        }
    }

    /// Converts the page, and sums all rows of the query, without the state.
    pub fn into_portfolio<'a>(
        self,
        held: impl Iterator<Item = &'a Held>,
        query: &PortfolioQuery,
    ) -> Portfolio {
        let all: Vec<&HeldOutcome> = held.flatten().flatten().collect();
        let totals = PortfolioTotals::of(&all);
        Portfolio {
            outcome_balances: self.rows.iter().map(|row| row.balance(self.user)).collect(),
            portfolio_cost: totals.cost.to_api(),
            portfolio_current_value: totals.value.to_api(),
            portfolio_percentage_change: percent(totals.change()),
            pagination: Pagination::new(query.pages(), all.len() as u64),
        }
    }
}

impl NamedRow {
    fn of(exchange: &Exchange, row: HeldOutcome) -> NamedRow {
        let catalogue = exchange.catalogue();
        let market = catalogue.market(row.listing.market());
        let event = catalogue.event(market.event);
        NamedRow {
            row,
            instrument: catalogue.instrument(row.listing.market()).clone(),
            title: market.details.title.clone(),
            image_url: market.details.image_url.clone(),
            event: event.id,
            event_title: event.details.title.clone(),
            kind: event.kind,
            engine: event.engine,
            prices: Outcome::BOTH.map(|outcome| price(market, catalogue.listing(row.listing), outcome)),
        }
    }

    fn balance(&self, user: UserId) -> OutcomeBalance {
        let row = &self.row;
        let currency = row.listing.currency();
        let outcome = self.instrument.outcome(row.outcome);
        OutcomeBalance {
            id: derived_id("outcome balance", user.as_u128(), &format!("{outcome} {}", currency.code())),
            outcome: row.outcome.to_api(),
            outcome_id: outcome.to_api(),
            asset_id: asset_id(user, currency),
            user_id: user.to_api(),
            balance: row.holding.total().to_api(),
            available_balance: row.holding.free.to_api(),
            average_price: row.valuation.average_price.to_api(),
            cost: row.holding.cost.to_api(),
            current_value: row.valuation.current_value.to_api(),
            sell_price: row.valuation.sell_price.to_api(),
            payout_if_outcome_wins: row.valuation.payout_if_outcome_wins.to_api(),
            percentage_change: percent(row.valuation.percentage_change),
            currency: currency.to_api(),
            market: PortfolioMarket {
                id: self.instrument.market.to_api(),
                title: self.title.to_string(),
                image_url: self.image_url.to_string(),
                outcome1_id: self.instrument.outcome(Outcome::Yes).to_api(),
                outcome2_id: self.instrument.outcome(Outcome::No).to_api(),
                outcome1_label: self.instrument.label(Outcome::Yes).to_string(),
                outcome2_label: self.instrument.label(Outcome::No).to_string(),
                outcome1_price: self.prices[Outcome::Yes as usize].to_api(),
                outcome2_price: self.prices[Outcome::No as usize].to_api(),
                event: PortfolioEvent {
                    id: self.event.to_api(),
                    title: self.event_title.to_string(),
                    event_type: self.kind.to_api(),
                    engine: self.engine.to_api(),
                },
            },
            created_at: row.opened_at.to_api(),
            updated_at: row.changed_at.to_api(),
        }
    }
}

struct PortfolioTotals {
    cost: Money,
    value: Money,
}

impl PortfolioTotals {
    fn of(rows: &[&HeldOutcome]) -> PortfolioTotals {
        let sum = |money: fn(&HeldOutcome) -> Money, currency: Currency| -> Money {
            rows.iter().filter(|row| row.listing.currency() == currency).map(|row| money(row)).sum()
        };
        let has = |currency| rows.iter().any(|row| row.listing.currency() == currency);
        let is_mixed = Currency::ALL.into_iter().all(has);
        let total = |money: fn(&HeldOutcome) -> Money| {
            let in_currency = |currency: Currency| match is_mixed {
                true => in_shares_paid(sum(money, currency), currency),
                false => sum(money, currency),
            };
            Currency::ALL.into_iter().map(in_currency).sum()
        };
        PortfolioTotals {
            cost: total(|row| row.holding.cost),
            value: total(|row| row.valuation.current_value),
        }
    }

    /// In hundredths of a percent; zero if nothing was paid.
    fn change(&self) -> i64 {
        if self.cost <= Money::ZERO {
            return 0;
        }
        narrow(half_up(10_000 * i128::from((self.value - self.cost).units()), i128::from(self.cost.units())))
    }
}

/// Converts money to units of one share's payout.
fn in_shares_paid(money: Money, currency: Currency) -> Money {
    Money::new(narrow(half_up(i128::from(money.units()), i128::from(currency.base()))))
}
