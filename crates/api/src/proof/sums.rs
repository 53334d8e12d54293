//! The sums of a part of the tree: money and shares, per currency.
//!
//! Shares are counted, not valued: a price would be a matter of opinion, a number of shares is not.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::decimal::{Money, Shares};
use crate::json::WriteJson;

/// Money and shares of one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencySums {
    /// Free and held together.
    pub money: Money,
    /// YES shares of all markets, free and held together.
    pub yes_shares: Shares,
    pub no_shares: Shares,
}

/// Money and shares of both currencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Sums {
    #[serde(rename = "USD")]
    pub usd: CurrencySums,
    #[serde(rename = "NGN")]
    pub ngn: CurrencySums,
}

impl Sums {
    /// Six numbers in the order in which they are hashed.
    pub(super) const fn numbers(&self) -> [i64; 6] {
        let (usd, ngn) = (&self.usd, &self.ngn);
        [
            usd.money.units(),
            usd.yes_shares.units(),
            usd.no_shares.units(),
            ngn.money.units(),
            ngn.yes_shares.units(),
            ngn.no_shares.units(),
        ]
    }

    const fn of(numbers: [i64; 6]) -> Sums {
        let [usd_money, usd_yes, usd_no, ngn_money, ngn_yes, ngn_no] = numbers;
        Sums {
            usd: CurrencySums {
                money: Money::from_units(usd_money),
                yes_shares: Shares::from_units(usd_yes),
                no_shares: Shares::from_units(usd_no),
            },
            ngn: CurrencySums {
                money: Money::from_units(ngn_money),
                yes_shares: Shares::from_units(ngn_yes),
                no_shares: Shares::from_units(ngn_no),
            },
        }
    }

    /// The sum of both. `None` if a number is negative or the sum too large, which could hide liabilities.
    pub(super) fn plus(&self, other: &Sums) -> Option<Sums> {
        let (mut sum, other) = (self.numbers(), other.numbers());
        for (number, more) in sum.iter_mut().zip(other) {
            if *number < 0 || more < 0 {
                return None;
            }
            *number = number.checked_add(more)?;
        }
        Some(Sums::of(sum))
    }
}
