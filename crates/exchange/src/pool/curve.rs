//! The interface of a curve: shares for sets and sets for shares, both ways, with the reserves afterwards.
//!
//! All results round in favour of the pool. Units are 10⁻⁴ of a share; arguments are positive.

/// Reserves as seen from one outcome: its own, and the other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserves {
    pub own: i64,
    pub other: i64,
}

impl Reserves {
    /// Whether the price is within 0.01..=0.99.
    pub fn in_band(self) -> bool {
        let (own, other) = (i128::from(self.own), i128::from(self.other));
        99 * own >= other && 99 * other >= own
    }
}

/// `None` means that the pool cannot perform the trade at all.
pub trait Curve {
    /// BUY with `sets`: shares out.
    fn shares_for_sets(&self, reserves: Reserves, sets: i64) -> Option<(i64, Reserves)>;
    /// BUY exactly `shares`: the fewest sets.
    fn sets_for_buying(&self, reserves: Reserves, shares: i64) -> Option<(i64, Reserves)>;
    /// SELL to receive `sets`: shares in.
    fn shares_to_receive(&self, reserves: Reserves, sets: i64) -> Option<(i64, Reserves)>;
    /// SELL exactly `shares`: the most sets.
    fn sets_for_selling(&self, reserves: Reserves, shares: i64) -> Option<(i64, Reserves)>;
}
