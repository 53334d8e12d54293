//! A user's holdings: a row for each outcome and currency, valued at the proceeds of selling all of it now.

use api::query::PortfolioQuery;
use api::response::{OutcomeBalance, Portfolio, PortfolioEvent, PortfolioMarket};
use exchange::Exchange;
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money, Shares, half_up, narrow};
use exchange::order::Outcome;
use exchange::position::Holding;
use exchange::quote::Valuation;
use exchange::time::Time;

use super::market::price;
use super::order::{label, outcome_id};
use super::pages::page;
use super::wallet::{asset_id, derived_id};
use super::words::{ToApi, percent};

/// A page of holdings, with markets in creation order. The totals cover all rows that match the query.
///
/// Rows of one currency are summed in it. Rows of both currencies are summed in units of a share's payout, so that 100 NGN
/// count as much as 1 USD.
pub fn portfolio(exchange: &Exchange, user: UserIndex, query: &PortfolioQuery) -> Portfolio {
    let rows = rows(exchange, user, query);
    let totals = PortfolioTotals::of(&rows);
    let (shown, pagination) = page(&rows, query.pages());
    Portfolio {
        outcome_balances: shown.iter().map(|row| balance(exchange, user, row)).collect(),
        portfolio_cost: totals.cost.to_api(),
        portfolio_current_value: totals.value.to_api(),
        portfolio_percentage_change: percent(totals.change()),
        pagination,
    }
}

struct PositionRow {
    listing: ListingIndex,
    outcome: Outcome,
    holding: Holding,
    valuation: Valuation,
    opened_at: Time,
    changed_at: Time,
}

fn rows(exchange: &Exchange, user: UserIndex, query: &PortfolioQuery) -> Vec<PositionRow> {
    let is_asked_for = |listing: ListingIndex| {
        let market = exchange.catalogue().market(listing.market());
        let event = exchange.catalogue().event(market.event);
        query.currency.is_none_or(|currency| currency == listing.currency().to_api())
            && query.market_id.is_none_or(|id| id == market.id.to_api())
            && query.event_id.is_none_or(|id| id == event.id.to_api())
    };
    let mut rows = Vec::new();
    for position in exchange.positions_of(user).filter(|position| is_asked_for(position.listing)) {
        for outcome in Outcome::BOTH {
            let holding = *position.holding(outcome);
            if holding.total() > Shares::ZERO {
                let valuation = exchange.value_of(user, position.listing, outcome);
                let (opened_at, changed_at) = (position.opened_at, position.changed_at);
                rows.push(PositionRow {
                    listing: position.listing,
                    outcome,
                    holding,
                    valuation,
                    opened_at,
                    changed_at,
                });
            }
        }
    }
    rows
}

fn balance(exchange: &Exchange, user: UserIndex, row: &PositionRow) -> OutcomeBalance {
    let user = exchange.directory().user(user);
    let market = exchange.catalogue().market(row.listing.market());
    let event = exchange.catalogue().event(market.event);
    let listing = exchange.catalogue().listing(row.listing);
    let currency = row.listing.currency();
    let outcome = outcome_id(market, row.outcome);
    OutcomeBalance {
        id: derived_id("outcome balance", user.id.as_u128(), &format!("{outcome} {}", currency.code())),
        outcome: row.outcome.to_api(),
        outcome_id: outcome.to_api(),
        asset_id: asset_id(user.id, currency),
        user_id: user.id.to_api(),
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
            id: market.id.to_api(),
            title: market.details.title.to_string(),
            image_url: market.details.image_url.to_string(),
            outcome1_id: outcome_id(market, Outcome::Yes).to_api(),
            outcome2_id: outcome_id(market, Outcome::No).to_api(),
            outcome1_label: label(market, Outcome::Yes).to_owned(),
            outcome2_label: label(market, Outcome::No).to_owned(),
            outcome1_price: price(market, listing, Outcome::Yes).to_api(),
            outcome2_price: price(market, listing, Outcome::No).to_api(),
            event: PortfolioEvent {
                id: event.id.to_api(),
                title: event.details.title.to_string(),
                event_type: event.kind.to_api(),
                engine: event.engine.to_api(),
            },
        },
        created_at: row.opened_at.to_api(),
        updated_at: row.changed_at.to_api(),
    }
}

struct PortfolioTotals {
    cost: Money,
    value: Money,
}

impl PortfolioTotals {
    fn of(rows: &[PositionRow]) -> PortfolioTotals {
        let sum = |money: fn(&PositionRow) -> Money, currency: Currency| -> Money {
            rows.iter().filter(|row| row.listing.currency() == currency).map(money).sum()
        };
        let has = |currency| rows.iter().any(|row| row.listing.currency() == currency);
        let is_mixed = Currency::ALL.into_iter().all(has);
        let total = |money| {
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
