//! Seeding and growing a pool: the house adds sets at a price and keeps the left-over shares.

use super::{Pool, Reserves};
use crate::numbers::{Price, Shares, ceil_sqrt, div_ceil, narrow};

/// The result of a seed: the pool's new reserves and the shares that stay with the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    pub pool: Pool,
    pub left_yes: Shares,
    pub left_no: Shares,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedError {
    Empty,
    /// More than 2⁵⁰ units in one reserve.
    TooLarge,
    OutsideBand,
}

const RESERVE_MAX: i64 = 1 << 50;

impl Pool {
    /// The first seed of `sets` at a YES price.
    pub fn seed(sets: Shares, price: Price) -> Result<Seed, SeedError> {
        let (all, p) = (i128::from(sets.units()), i128::from(price.cents()));
        let (yes, no) =
            if p >= 50 { (div_ceil(all * (100 - p), p), all) } else { (all, div_ceil(all * p, 100 - p)) };
        Pool { yes: Shares::ZERO, no: Shares::ZERO, seeded: Shares::ZERO }.grow(sets, yes, no)
    }

    /// Adds sets at the pool's current price: both reserves grow in proportion.
    pub fn grown_by(self, sets: Shares) -> Result<Seed, SeedError> {
        let (all, yes, no) =
            (i128::from(sets.units()), i128::from(self.yes.units()), i128::from(self.no.units()));
        let (more_yes, more_no) =
            if yes <= no { (div_ceil(all * yes, no), all) } else { (all, div_ceil(all * no, yes)) };
        self.grow(sets, more_yes, more_no)
    }

    fn grow(self, sets: Shares, yes: i128, no: i128) -> Result<Seed, SeedError> {
        if sets <= Shares::ZERO {
            return Err(SeedError::Empty);
        }
        if sets.units() > RESERVE_MAX {
            return Err(SeedError::TooLarge);
        }
        let (yes, no) = (Shares::new(narrow(yes)), Shares::new(narrow(no)));
        let pool = Pool { yes: self.yes + yes, no: self.no + no, seeded: self.seeded + sets };
        if pool.yes.max(pool.no).units() > RESERVE_MAX {
            return Err(SeedError::TooLarge);
        }
        if !(Reserves { own: pool.yes.units(), other: pool.no.units() }).in_band() {
            return Err(SeedError::OutsideBand);
        }
        Ok(Seed { pool, left_yes: sets - yes, left_no: sets - no })
    }

    /// The house's maximum further loss: `max(y, n) − ⌈√⌈y·n / 99⌉⌉`.
    pub fn max_liability(&self) -> Shares {
        let k = i128::from(self.yes.units()) * i128::from(self.no.units());
        let floor = ceil_sqrt(div_ceil(k, 99));
        self.yes.max(self.no) - Shares::new(narrow(floor))
    }
}
