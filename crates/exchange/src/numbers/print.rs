//! Formats units for people: an integer part, a point, and the decimals without trailing zeros.

use core::fmt;

/// Writes `units` of 10^-`places` with at least `decimals_min` decimals.
pub(super) fn write_decimal(
    f: &mut fmt::Formatter<'_>,
    units: i64,
    places: u32,
    decimals_min: u32,
) -> fmt::Result {
    let (magnitude, scale) = (units.unsigned_abs(), 10_u64.pow(places));
    let sign = if units < 0 { "-" } else { "" };
    let (whole, part) = (magnitude / scale, magnitude % scale);
    let says_all = |decimals: &u32| part.is_multiple_of(10_u64.pow(places - decimals));
    let decimals = (decimals_min..places).find(says_all).unwrap_or(places);
    if decimals == 0 {
        return write!(f, "{sign}{whole}");
    }
    let shown = part / 10_u64.pow(places - decimals);
    write!(f, "{sign}{whole}.{shown:0width$}", width = decimals as usize)
}
