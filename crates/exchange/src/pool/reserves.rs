//! Constant product over shares: `own · other` never decreases.
//!
//! A buy adds sets to both reserves and removes the bought shares; a sale does the reverse. Rounding always favours the
//! pool, so no round trip gains, in any order and with any splitting. Units are 10⁻⁴ of a share; arguments are positive.

use crate::numbers::{ceil_sqrt, div_ceil, div_floor};

/// Reserves as seen from one outcome: its own, and the other's.
///
/// A trade returns its result and the reserves afterwards; `None` means that the pool cannot perform it at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserves {
    pub own: i64,
    pub other: i64,
}

impl Reserves {
    /// Reserves stay below 2⁵⁶ units, so that all products fit 128 bits for any request.
    fn checked(own: i128, other: i128) -> Option<Reserves> {
        let fits =
            |reserve: i128| i64::try_from(reserve).ok().filter(|reserve| *reserve >= 0 && *reserve < 1 << 56);
        Some(Reserves { own: fits(own)?, other: fits(other)? })
    }

    /// Whether the price is within 0.01..=0.99.
    pub fn in_band(self) -> bool {
        let (own, other) = (i128::from(self.own), i128::from(self.other));
        99 * own >= other && 99 * other >= own
    }

    /// BUY with `sets`: shares out. `out = y + c − ⌈y·n / (n + c)⌉`.
    pub fn shares_for_sets(self, sets: i64) -> Option<(i64, Reserves)> {
        let (y, n, c) = (i128::from(self.own), i128::from(self.other), i128::from(sets));
        let kept = div_ceil(y * n, n + c);
        let out = i64::try_from(y + c - kept).ok()?;
        Some((out, Reserves::checked(kept, n + c)?))
    }

    /// BUY exactly `shares`: the fewest sets.
    /// `U = y + n − s, D = U² + 4·n·s, c = ⌊(⌈√D⌉ − U + 1) / 2⌋`: the smallest c whose out reaches s.
    pub fn sets_for_buying(self, shares: i64) -> Option<(i64, Reserves)> {
        let (y, n, s) = (i128::from(self.own), i128::from(self.other), i128::from(shares));
        let u = y + n - s;
        let root = ceil_sqrt(u * u + 4 * n * s);
        let c = div_floor(root - u + 1, 2);
        Some((i64::try_from(c).ok()?, Reserves::checked(y + c - s, n + c)?))
    }

    /// SELL to receive `sets`: shares in. `in = ⌈y·n / (n − r)⌉ − y + r`, for r below n.
    pub fn shares_to_receive(self, sets: i64) -> Option<(i64, Reserves)> {
        let (y, n, r) = (i128::from(self.own), i128::from(self.other), i128::from(sets));
        if r >= n {
            return None;
        }
        let after = div_ceil(y * n, n - r);
        let shares = i64::try_from(after - y + r).ok()?;
        Some((shares, Reserves::checked(after, n - r)?))
    }

    /// SELL exactly `shares`: the most sets.
    /// `T = y + n + s, D = T² − 4·n·s, r = ⌊(T − ⌈√D⌉) / 2⌋`: the largest r whose in stays within s.
    pub fn sets_for_selling(self, shares: i64) -> Option<(i64, Reserves)> {
        let (y, n, s) = (i128::from(self.own), i128::from(self.other), i128::from(shares));
        let t = y + n + s;
        let root = ceil_sqrt(t * t - 4 * n * s);
        let r = div_floor(t - root, 2);
        Some((i64::try_from(r).ok()?, Reserves::checked(y + s - r, n - r)?))
    }
}
