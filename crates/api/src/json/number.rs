//! Integers, and exact decimals with as few digits as needed.

use super::{WriteJson, Writer};

/// The position of the point: behind a quote, the sign, and the 20 digits of `u64::MAX`.
const POINT: usize = 1 + 1 + 20;
/// Up to six decimals and a quote follow the point. Two more bytes make a size that is quickly filled.
const TEXT_MAX: usize = POINT + 1 + 6 + 1 + 2;

/// `00` to `99`.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut value = 0;
    while value < 100 {
        pairs[value] = [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8];
        value += 1;
    }
    pairs
};

/// Writes a decimal of `units` of 10^-`PLACES` in the writer's form. `PLACES` is at most 6.
pub(crate) fn write_decimal<const PLACES: usize>(units: i64, out: &mut Writer) {
    let mut text = [b'0'; TEXT_MAX];
    let (mut start, mut end) = write_number::<PLACES>(units, &mut text);
    if out.has_strings() {
        start -= 1;
        (text[start], text[end]) = (b'"', b'"');
        end += 1;
    }
    out.raw(&text[start..end]);
}

/// Writes `units` of 10^-`PLACES` as `decimal::print` formats it, and returns where the text is.
#[inline]
fn write_number<const PLACES: usize>(units: i64, text: &mut [u8; TEXT_MAX]) -> (usize, usize) {
    let scale = const { 10_u64.pow(PLACES as u32) };
    let magnitude = units.unsigned_abs();
    let mut start = write_whole(magnitude / scale, text);
    if units < 0 {
        start -= 1;
        text[start] = b'-';
    }
    (start, write_fraction::<PLACES>(magnitude % scale, text))
}

/// Writes the digits before the point from the last to the first, and returns the position of the first.
fn write_whole(mut value: u64, text: &mut [u8; TEXT_MAX]) -> usize {
    let mut start = POINT;
    while value >= 100 {
        start -= 2;
        text[start..start + 2].copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if value >= 10 {
        start -= 2;
        text[start..start + 2].copy_from_slice(&PAIRS[value as usize]);
    } else {
        start -= 1;
        text[start] = b'0' + value as u8;
    }
    start
}

/// Writes the point and the digits behind it without trailing zeros, and returns the end of the text.
fn write_fraction<const PLACES: usize>(mut fraction: u64, text: &mut [u8; TEXT_MAX]) -> usize {
    if fraction == 0 {
        return POINT;
    }
    text[POINT] = b'.';
    for place in (POINT + 1..=POINT + PLACES).rev() {
        text[place] = b'0' + (fraction % 10) as u8;
        fraction /= 10;
    }
    let mut end = POINT + PLACES + 1;
    while text[end - 1] == b'0' {
        end -= 1;
    }
    end
}

macro_rules! whole_numbers {
    ($($type:ty),+) => {$(
        impl WriteJson for $type {
            fn write_json(&self, out: &mut Writer) {
                let mut text = [b'0'; TEXT_MAX];
                let start = write_whole(*self as u64, &mut text);
                out.raw(&text[start..POINT]);
            }
        }
    )+};
}

whole_numbers!(u16, u32, u64, usize);

impl WriteJson for i64 {
    fn write_json(&self, out: &mut Writer) {
        let mut text = [b'0'; TEXT_MAX];
        let (start, end) = write_number::<0>(*self, &mut text);
        out.raw(&text[start..end]);
    }
}

impl WriteJson for i16 {
    fn write_json(&self, out: &mut Writer) {
        i64::from(*self).write_json(out);
    }
}

/// A client's own number, repeated.
impl WriteJson for serde_json::Number {
    fn write_json(&self, out: &mut Writer) {
        out.raw(self.to_string().as_bytes());
    }
}
