//! The identity of cost and cash: what a user paid for shares minus their proceeds equals their cost minus the realised
//! result.
//!
//! Net deposits = wallet + cost of holdings − realised results, exactly, for every user. The house also has its seeds
//! in live pools.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::FeesTo;
use exchange::id::UserId;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;

use crate::failure::{Failure, ensure};

pub const IDENTITY: &str = "cash paid less cash received is cost less result";

#[derive(Clone, Debug, Default)]
pub struct CashBook {
    /// Net deposits, and results of settled positions.
    accounts: BTreeMap<(UserId, Currency), (Money, Money)>,
}

impl CashBook {
    pub fn follow(&mut self, exchange: &Exchange) -> Result<(), Failure> {
        let mut touched = false;
        for change in exchange.changes() {
            match change {
                Change::Funds { user, currency, amount, .. } => {
                    self.accounts.entry((*user, *currency)).or_default().0 += *amount;
                    touched = true;
                }
                // For the house, these fees are like money from outside.
                Change::FeesMoved { currency, amount, to: FeesTo::House, .. } => {
                    self.accounts.entry((Exchange::HOUSE, *currency)).or_default().0 += *amount;
                    touched = true;
                }
                Change::Settled(settled) => {
                    let result = settled.trade_result + settled.payout - settled.cost();
                    self.accounts.entry((settled.user, settled.currency)).or_default().1 += result;
                    touched = true;
                }
                Change::Trade(_) | Change::Sets(_) | Change::Order { .. } | Change::PoolSeeded { .. } => {
                    touched = true
                }
                _ => {}
            }
        }
        if touched { self.check(exchange) } else { Ok(()) }
    }

    fn check(&self, exchange: &Exchange) -> Result<(), Failure> {
        for (index, user) in exchange.directory().users() {
            let mut costs = [Money::ZERO; 2];
            for position in exchange.positions_of(index) {
                let cost = Outcome::BOTH
                    .map(|outcome| position.holding(outcome))
                    .map(|held| held.cost - held.realised);
                costs[position.listing.currency().index()] += cost[0] + cost[1];
            }
            for currency in Currency::ALL {
                let (paid_in, result) = self.accounts.get(&(user.id, currency)).copied().unwrap_or_default();
                let seeds = if index == UserIndex::HOUSE { seeds(exchange, currency) } else { Money::ZERO };
                let wallet = exchange.ledger().wallet(index, currency).total();
                let counted = wallet + costs[currency.index()] - result + seeds;
                ensure(counted == paid_in, IDENTITY, || {
                    format!("user {} paid in {paid_in} {currency:?}, found {counted}", user.id)
                })?;
            }
        }
        Ok(())
    }
}

/// The house's seeds in live pools.
fn seeds(exchange: &Exchange, currency: Currency) -> Money {
    let listings = exchange.catalogue().listings().filter(|(index, _)| index.currency() == currency);
    listings.filter_map(|(_, listing)| listing.pool()).map(|pool| pool.seeded.payout(currency)).sum()
}
