//! Rule 3: holds, recounted from the open orders.

use std::collections::BTreeMap;

use super::{Broken, ensure, rule};
use crate::exchange::Exchange;
use crate::index::ListingIndex;
use crate::numbers::{Currency, Money, PerCurrency, Shares};
use crate::order::{Outcome, Side};

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    for (user, record) in exchange.directory.users() {
        let mut cash = PerCurrency::<Money>::default();
        let mut sold = BTreeMap::<ListingIndex, (Shares, Shares)>::new();
        for entry in record.open_orders.iter() {
            let order = &exchange.orders[entry.slot];
            let (yes, no) = sold.entry(order.listing).or_default();
            match (order.terms.side, order.terms.outcome) {
                (Side::Buy, _) => *cash.get_mut(order.listing.currency()) += order.held_cash(),
                (Side::Sell, Outcome::Yes) => *yes += order.terms.remaining(),
                (Side::Sell, Outcome::No) => *no += order.terms.remaining(),
            }
        }
        for (listing, slot) in &record.positions {
            let (yes, no) = sold.get(listing).copied().unwrap_or_default();
            let position = &exchange.positions[*slot];
            ensure(position.yes.held == yes && position.no.held == no, rule::HOLDS_MATCH_ORDERS, || {
                format!(
                    "user {} on listing {}: orders sell {yes} and {no} of {position:?}",
                    user.0, listing.0
                )
            })?;
        }
        for currency in Currency::ALL {
            let (held, counted) = (exchange.ledger.wallet(user, currency).held, *cash.get(currency));
            ensure(held == counted, rule::HOLDS_MATCH_ORDERS, || {
                format!("user {} holds {held} {}, open orders need {counted}", user.0, currency.code())
            })?;
        }
    }
    Ok(())
}
