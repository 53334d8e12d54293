//! The policy: limits of operators who act alone, and how long ended events stay in memory. One approver may change
//! it, unless two persons are required.

use minicbor::{Decode, Encode};

use crate::catalogue::checks::require;
use crate::numbers::{Currency, Money, PerCurrency};
use crate::reject::Reject;

/// Limits the damage of a mistyped waiting period.
const DELAY_SECONDS_MAX: u32 = 30 * 24 * 3_600;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Policy {
    /// Payouts, and changes to who may pay out, must be proposed by one person and finalised by an approver who is
    /// another.
    #[n(0)]
    pub two_required: bool,
    /// How long a proposed resolution must be public before it can be finalised.
    #[n(1)]
    pub resolution_delay_seconds: u32,
    /// The largest single credit or debit by an operator alone; where two are required, also the largest seed.
    #[n(2)]
    pub entry_max: PerCurrency<Money>,
    /// The most that an operator moves alone per day (UTC).
    #[n(3)]
    pub day_max: PerCurrency<Money>,
    /// How long a resolved or cancelled event stays in memory. Afterwards it is read from history.
    #[n(4)]
    pub retire_after_seconds: u32,
}

const RETIRE_AFTER_SECONDS: u32 = 48 * 3_600;
/// A request never retires an event that it ended itself, and people read an event shortly after its end.
const RETIRE_AFTER_SECONDS_MIN: u32 = 60;
const RETIRE_AFTER_SECONDS_MAX: u32 = 3_650 * 24 * 3_600;

/// The default limit of an operator in millions of a currency, and how many times that is allowed per day.
const ENTRY_MAX: PerCurrency<i64> = PerCurrency { usd: 1, ngn: 100 };
const ENTRIES_A_DAY: i64 = 10;

impl Default for Policy {
    /// One operator is enough, and there is no waiting period.
    fn default() -> Policy {
        let millions = |factor: i64| PerCurrency {
            usd: Money::whole(ENTRY_MAX.usd * factor * 1_000_000),
            ngn: Money::whole(ENTRY_MAX.ngn * factor * 1_000_000),
        };
        Policy {
            two_required: false,
            resolution_delay_seconds: 0,
            entry_max: millions(1),
            day_max: millions(ENTRIES_A_DAY),
            retire_after_seconds: RETIRE_AFTER_SECONDS,
        }
    }
}

impl Policy {
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let waits = self.resolution_delay_seconds <= DELAY_SECONDS_MAX;
        require(waits, "resolution_delay", "is at most 30 days")?;
        let ages = RETIRE_AFTER_SECONDS_MIN..=RETIRE_AFTER_SECONDS_MAX;
        require(ages.contains(&self.retire_after_seconds), "retire_after", "is 60 seconds to 3650 days")?;
        for currency in Currency::ALL {
            let (entry, day) = (*self.entry_max.get(currency), *self.day_max.get(currency));
            require(
                entry > Money::ZERO && entry <= Money::ORDER_MAX,
                "entry_max",
                "is positive and at most 1000000000",
            )?;
            require(day >= entry && day <= Money::TOTAL_MAX, "day_max", "is at least entry_max")?;
        }
        Ok(())
    }
}
