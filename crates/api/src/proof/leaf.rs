//! One user's account in the tree, and its encoding: one encoding for one content.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::sums::{CurrencySums, Sums};
use crate::decimal::{Money, Shares};
use crate::json::WriteJson;
use crate::terms::Currency;

/// Money in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Balance {
    pub free: Money,
    /// Held for resting orders.
    pub held: Money,
}

/// Money in both currencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Balances {
    #[serde(rename = "USD")]
    pub usd: Balance,
    #[serde(rename = "NGN")]
    pub ngn: Balance,
}

/// Shares of one market in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeafPosition {
    pub market_id: Uuid,
    pub currency: Currency,
    pub yes_free: Shares,
    /// Held for resting orders.
    pub yes_held: Shares,
    pub no_free: Shares,
    pub no_held: Shares,
}

/// Everything that one user has.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Leaf {
    pub user_id: Uuid,
    pub balances: Balances,
    /// In the order of market ids, USD before NGN; only where there are shares.
    pub positions: Vec<LeafPosition>,
}

impl Leaf {
    /// The bytes to hash. `None` if the account is not in canonical form: a negative number, or positions out of order
    /// or repeated.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = self.user_id.as_bytes().to_vec();
        let Balances { usd, ngn } = &self.balances;
        for money in [usd.free, usd.held, ngn.free, ngn.held] {
            bytes.extend(unsigned(money.units())?.to_be_bytes());
        }
        bytes.extend(u32::try_from(self.positions.len()).ok()?.to_be_bytes());
        let mut last = None;
        for position in &self.positions {
            let place = (position.market_id, currency_number(position.currency));
            if last.is_some_and(|last| last >= place) {
                return None;
            }
            last = Some(place);
            bytes.extend(place.0.as_bytes());
            bytes.push(place.1);
            for shares in [position.yes_free, position.yes_held, position.no_free, position.no_held] {
                bytes.extend(unsigned(shares.units())?.to_be_bytes());
            }
        }
        Some(bytes)
    }

    /// The leaf's contribution to the sums of the tree. `None` if it exceeds the limits of an exchange.
    pub(super) fn sums(&self) -> Option<Sums> {
        let money = |balance: &Balance| {
            let money = balance.free.units().checked_add(balance.held.units())?;
            Some(CurrencySums { money: Money::from_units(money), ..CurrencySums::default() })
        };
        let mut sums = Sums { usd: money(&self.balances.usd)?, ngn: money(&self.balances.ngn)? };
        for position in &self.positions {
            let shares =
                |free: Shares, held: Shares| free.units().checked_add(held.units()).map(Shares::from_units);
            let row = CurrencySums {
                money: Money::ZERO,
                yes_shares: shares(position.yes_free, position.yes_held)?,
                no_shares: shares(position.no_free, position.no_held)?,
            };
            let row = match position.currency {
                Currency::Usd => Sums { usd: row, ..Sums::default() },
                Currency::Ngn => Sums { ngn: row, ..Sums::default() },
            };
            sums = sums.plus(&row)?;
        }
        Some(sums)
    }
}

fn unsigned(units: i64) -> Option<u64> {
    u64::try_from(units).ok()
}

const fn currency_number(currency: Currency) -> u8 {
    match currency {
        Currency::Usd => 0,
        Currency::Ngn => 1,
    }
}
