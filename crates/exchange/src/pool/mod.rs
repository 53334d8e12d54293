//! The AMM: a pool of YES and NO shares that trades at once with anyone, along a curve.
//!
//! A pool owns shares only. Cash becomes complete sets on the way in, sets become cash on the way out,
//! and fees never enter the curve, so the collateral stays exactly what the outstanding sets need.
//! `quote` changes nothing; a trade is its quote, carried out.

mod constant_product;
mod curve;
mod seed;
mod trade;

pub use constant_product::ConstantProduct;
pub use curve::{Curve, Reserves};
pub use seed::{Seed, SeedError};
pub use trade::{PoolTrade, PoolWant};

use minicbor::{Decode, Encode};

use crate::numbers::{Ppm, Shares, half_up, narrow};
use crate::order::Outcome;

/// What a pool holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Pool {
    #[n(0)]
    pub yes: Shares,
    #[n(1)]
    pub no: Shares,
    /// Sets that the house has put in, ever: its loss cannot exceed this.
    #[n(2)]
    pub seeded: Shares,
}

impl Pool {
    /// The reserves as a trade in `outcome` sees them.
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

    /// The marginal price shown for `outcome`. NO is the complement: the two are never rounded apart.
    pub fn price(&self, outcome: Outcome) -> Ppm {
        let (yes, no) = (i128::from(self.yes.units()), i128::from(self.no.units()));
        let price = Ppm::new(narrow(half_up(1_000_000 * no, yes + no)));
        match outcome {
            Outcome::Yes => price,
            Outcome::No => price.complement(),
        }
    }

    /// The smaller reserve: what is there to be bought.
    pub fn depth(&self) -> Shares {
        self.yes.min(self.no)
    }

    /// What one share costs now, in 10⁻⁴ of a base unit; zero when buying it would leave the band.
    pub fn price_of_one(&self, outcome: Outcome) -> Ppm {
        let reserves = self.reserves(outcome);
        let sets = ConstantProduct.sets_for_buying(reserves, Shares::whole(1).units());
        match sets {
            Some((sets, after)) if after.in_band() => Ppm::new(sets * 100),
            _ => Ppm::ZERO,
        }
    }
}
