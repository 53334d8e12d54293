//! Integer division with the rounding direction in its name.
//!
//! `floor` rounds towards minus infinity, `ceil` towards plus infinity, `half_up` to the nearest with ties up. Divisors
//! are positive: callers divide by prices, reserves and rates.

/// `⌊a / b⌋` for `b > 0`.
pub const fn div_floor(a: i128, b: i128) -> i128 {
    assert!(b > 0, "divisors are positive");
    a.div_euclid(b)
}

/// `⌈a / b⌉` for `b > 0`.
pub const fn div_ceil(a: i128, b: i128) -> i128 {
    -div_floor(-a, b)
}

/// `a / b` to the nearest integer, ties up; also correct for negative `a`.
pub const fn half_up(a: i128, b: i128) -> i128 {
    div_floor(2 * a + b, 2 * b)
}

/// `⌊a · b / c⌋`; the product uses 128 bits if 64 are too few.
pub fn mul_floor(a: i64, b: i64, c: i64) -> i64 {
    match a.checked_mul(b) {
        Some(product) => product.div_euclid(c),
        None => narrow(div_floor(i128::from(a) * i128::from(b), i128::from(c))),
    }
}

/// `⌈a · b / c⌉`; the product uses 128 bits if 64 are too few.
pub fn mul_ceil(a: i64, b: i64, c: i64) -> i64 {
    match a.checked_mul(b).and_then(i64::checked_neg) {
        Some(product) => -product.div_euclid(c),
        None => narrow(div_ceil(i128::from(a) * i128::from(b), i128::from(c))),
    }
}

/// The smallest `q` with `q · q ≥ d`.
pub const fn ceil_sqrt(d: i128) -> i128 {
    let root = d.isqrt();
    if root * root == d { root } else { root + 1 }
}

/// Converts back to 64 bits. The caps on deposits and orders keep every valid result in range.
#[inline]
pub fn narrow(wide: i128) -> i64 {
    let narrow = wide as i64;
    assert!(i128::from(narrow) == wide, "results fit 64 bits");
    narrow
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_by_its_name() {
        let rows =
            [(7, 2, 3, 4, 4), (-7, 2, -4, -3, -3), (6, 3, 2, 2, 2), (-1, 3, -1, 0, 0), (5, 10, 0, 1, 1)];
        for (a, b, floor, ceil, nearest) in rows {
            assert_eq!((div_floor(a, b), div_ceil(a, b), half_up(a, b)), (floor, ceil, nearest), "{a}/{b}");
        }
    }

    #[test]
    fn ceil_sqrt_is_the_smallest_root() {
        for d in 0..10_000_i128 {
            let q = ceil_sqrt(d);
            assert!(q * q >= d && (q == 0 || (q - 1) * (q - 1) < d), "{d}");
        }
    }
}
