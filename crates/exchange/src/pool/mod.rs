//! The AMM: a pool of YES and NO shares that trades immediately with any user, along the constant-product curve.
//!
//! A pool owns only shares. Cash is converted to complete sets on the way in and sets to cash on the way out, and fees
//! never enter the curve, so the collateral is always exactly what the outstanding sets need. `quote` changes nothing;
//! a trade applies its quote.

mod reserves;
mod seed;
mod trade;

pub use reserves::Reserves;
pub use seed::{Seed, SeedError};
pub use trade::{PoolTrade, PoolWant};

use minicbor::{Decode, Encode};

use crate::numbers::{Ppm, Shares, half_up, narrow};
use crate::order::Outcome;

/// The reserves of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Pool {
    #[n(0)]
    pub yes: Shares,
    #[n(1)]
    pub no: Shares,
    /// All sets that the house has ever put in: its loss cannot exceed this.
    #[n(2)]
    pub seeded: Shares,
}

impl Pool {
    /// The reserves as seen by a trade in `outcome`.
    pub fn reserves(&self, outcome: Outcome) -> Reserves {
        match outcome {
            Outcome::Yes => Reserves { own: self.yes.units(), other: self.no.units() },
            Outcome::No => Reserves { own: self.no.units(), other: self.yes.units() },
        }
    }

    pub(crate) fn set_reserves(&mut self, outcome: Outcome, reserves: Reserves) {
        let (own, other) = (Shares::new(reserves.own), Shares::new(reserves.other));
        (self.yes, self.no) = match outcome {
            Outcome::Yes => (own, other),
            Outcome::No => (other, own),
        };
    }

    /// The displayed marginal price of `outcome`. NO is the complement of YES, so the two always sum to 1.
    pub fn price(&self, outcome: Outcome) -> Ppm {
        let (yes, no) = (i128::from(self.yes.units()), i128::from(self.no.units()));
        let price = Ppm::new(narrow(half_up(1_000_000 * no, yes + no)));
        match outcome {
            Outcome::Yes => price,
            Outcome::No => price.complement(),
        }
    }

    /// The smaller reserve: the shares available to buy.
    pub fn depth(&self) -> Shares {
        self.yes.min(self.no)
    }

    /// The current cost of one share, in 10⁻⁴ of a base unit; zero if buying it would leave the band.
    pub fn price_of_one(&self, outcome: Outcome) -> Ppm {
        match self.reserves(outcome).sets_for_buying(Shares::whole(1).units()) {
            Some((sets, after)) if after.in_band() => Ppm::new(sets * 100),
            _ => Ppm::ZERO,
        }
    }
}
