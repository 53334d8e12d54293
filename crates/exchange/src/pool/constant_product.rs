//! Constant product over shares: `own · other` never decreases.
//!
//! A buy adds sets to both reserves and removes the bought shares; a sale does the reverse. Rounding always favours the
//! pool, so no round trip gains, in any order and with any splitting.

use super::{Curve, Reserves};
use crate::numbers::{ceil_sqrt, div_ceil, div_floor};

#[derive(Clone, Copy, Debug)]
pub struct ConstantProduct;

/// Reserves stay below 2⁵⁶ units, so that all products fit 128 bits for any request.
fn reserves(own: i128, other: i128) -> Option<Reserves> {
    let fits =
        |reserve: i128| i64::try_from(reserve).ok().filter(|reserve| *reserve >= 0 && *reserve < 1 << 56);
    Some(Reserves { own: fits(own)?, other: fits(other)? })
}

impl Curve for ConstantProduct {
    /// `out = y + c − ⌈y·n / (n + c)⌉`.
    fn shares_for_sets(&self, Reserves { own, other }: Reserves, sets: i64) -> Option<(i64, Reserves)> {
        let (y, n, c) = (i128::from(own), i128::from(other), i128::from(sets));
        let kept = div_ceil(y * n, n + c);
        let out = i64::try_from(y + c - kept).ok()?;
        Some((out, reserves(kept, n + c)?))
    }

    /// `U = y + n − s, D = U² + 4·n·s, c = ⌊(⌈√D⌉ − U + 1) / 2⌋`: the smallest c whose out reaches s.
    fn sets_for_buying(&self, Reserves { own, other }: Reserves, shares: i64) -> Option<(i64, Reserves)> {
        let (y, n, s) = (i128::from(own), i128::from(other), i128::from(shares));
        let u = y + n - s;
        let root = ceil_sqrt(u * u + 4 * n * s);
        let c = div_floor(root - u + 1, 2);
        Some((i64::try_from(c).ok()?, reserves(y + c - s, n + c)?))
    }

    /// `in = ⌈y·n / (n − r)⌉ − y + r`, for r below n.
    fn shares_to_receive(&self, Reserves { own, other }: Reserves, sets: i64) -> Option<(i64, Reserves)> {
        let (y, n, r) = (i128::from(own), i128::from(other), i128::from(sets));
        if r >= n {
            return None;
        }
        let after = div_ceil(y * n, n - r);
        let shares = i64::try_from(after - y + r).ok()?;
        Some((shares, reserves(after, n - r)?))
    }

    /// `T = y + n + s, D = T² − 4·n·s, r = ⌊(T − ⌈√D⌉) / 2⌋`: the largest r whose in stays within s.
    fn sets_for_selling(&self, Reserves { own, other }: Reserves, shares: i64) -> Option<(i64, Reserves)> {
        let (y, n, s) = (i128::from(own), i128::from(other), i128::from(shares));
        let t = y + n + s;
        let root = ceil_sqrt(t * t - 4 * n * s);
        let r = div_floor(t - root, 2);
        Some((i64::try_from(r).ok()?, reserves(y + s - r, n - r)?))
    }
}
