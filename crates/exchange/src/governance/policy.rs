//! What operators may do alone. An approver sets it while one is enough; where two are required, two change it.

use minicbor::{Decode, Encode};

use crate::catalogue::checks::require;
use crate::numbers::{Currency, Money, PerCurrency};
use crate::reject::Reject;

/// Nobody waits longer than this for a payout by mistake.
const DELAY_SECONDS_MAX: u32 = 30 * 24 * 3_600;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Policy {
    /// Whoever finalises is an approver and not who proposed.
    #[n(0)]
    pub two_required: bool,
    /// How long a proposed resolution stands in public before it can be finalised.
    #[n(1)]
    pub resolution_delay_seconds: u32,
    /// The largest single credit or debit.
    #[n(2)]
    pub entry_max: PerCurrency<Money>,
    /// What one operator credits and debits in a day (UTC) at most.
    #[n(3)]
    pub day_max: PerCurrency<Money>,
}

impl Default for Policy {
    /// One operator is enough, nothing waits, no cap but the exchange's own.
    fn default() -> Policy {
        let both = |amount| PerCurrency { usd: amount, ngn: amount };
        Policy {
            two_required: false,
            resolution_delay_seconds: 0,
            entry_max: both(Money::ORDER_MAX),
            day_max: both(Money::TOTAL_MAX),
        }
    }
}

impl Policy {
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let waits = self.resolution_delay_seconds <= DELAY_SECONDS_MAX;
        require(waits, "resolution_delay", "is at most 30 days")?;
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
