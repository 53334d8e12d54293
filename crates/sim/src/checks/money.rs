//! Rules 5 and 6: settlements pay what was there, sets move no price, and money comes in only from outside.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, Request};
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;
use crate::failure::{Failure, ensure};

pub const PAYOUTS: &str = "5 the payouts of a settlement are its collateral";
pub const NO_PRICE_MOVES: &str = "6 mint and burn change no price and no reserve";
pub const CURRENCIES_APART: &str = "6 money of a currency comes and goes by credits and debits alone";

pub fn check_money(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    for currency in Currency::ALL {
        let funds = changes.iter().filter_map(|change| match change {
            Change::Funds { currency: of, amount, .. } if *of == currency => Some(*amount),
            _ => None,
        });
        let expected = before.deposited[currency.index()] + funds.sum::<Money>();
        let deposited = exchange.ledger().deposited(currency);
        ensure(deposited == expected, CURRENCIES_APART, || {
            format!("{deposited} {currency:?}, not {expected}")
        })?;
    }
    check_payouts(before, exchange, changes)
}

fn check_payouts(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    let mut paid: BTreeMap<ListingIndex, Money> = BTreeMap::new();
    for change in changes {
        match change {
            Change::MarketStatus { market, status } if status.is_final() => {
                for currency in Currency::ALL {
                    if let Some(market) = exchange.catalogue().find_market(*market) {
                        paid.entry(ListingIndex::new(market, currency)).or_default();
                    }
                }
            }
            Change::Settled(settled) => {
                if let Some(market) = exchange.catalogue().find_market(settled.market) {
                    *paid.entry(ListingIndex::new(market, settled.currency)).or_default() += settled.payout;
                }
            }
            _ => {}
        }
    }
    for (listing, payout) in paid {
        let collateral = before.collateral.get(listing.slot()).copied().unwrap_or_default();
        ensure(payout == collateral, PAYOUTS, || format!("{listing:?}: paid {payout} of {collateral}"))?;
    }
    Ok(())
}

pub fn check_sets(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    result: &Result<Reply, Reject>,
) -> Result<(), Failure> {
    let is_sets = matches!(request.command, Command::MintSets { .. } | Command::BurnSets { .. });
    if !is_sets || result.is_err() {
        return Ok(());
    }
    for (index, listing) in exchange.catalogue().listings() {
        let (price, pool) = (before.prices[index.slot()], before.pools[index.slot()]);
        let unmoved = listing.yes_price() == price && listing.pool().copied() == pool;
        ensure(unmoved, NO_PRICE_MOVES, || {
            format!("{index:?} moved from {price} to {}", listing.yes_price())
        })?;
    }
    Ok(())
}
