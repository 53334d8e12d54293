//! UUIDs in their hyphenated form with lower-case digits.

use uuid::Uuid;

use super::{WriteJson, Writer};

/// The length of a UUID with its quotes.
const QUOTED: usize = 38;

impl WriteJson for Uuid {
    fn write_json(&self, out: &mut Writer) {
        out.raw(&quoted(*self));
    }
}

/// The text of a UUID.
pub(crate) fn text_of(id: Uuid) -> String {
    // Only ASCII is written.
    std::str::from_utf8(&quoted(id)[1..QUOTED - 1]).unwrap_or_default().to_owned()
}

fn quoted(id: Uuid) -> [u8; QUOTED] {
    let mut text = *b"\"00000000-0000-0000-0000-000000000000\"";
    let (high, low) = id.as_u64_pair();
    let (first, second) = (digits((high >> 32) as u32), digits(high as u32));
    let (third, fourth) = (digits((low >> 32) as u32), digits(low as u32));
    text[1..9].copy_from_slice(&first);
    text[10..14].copy_from_slice(&second[..4]);
    text[15..19].copy_from_slice(&second[4..]);
    text[20..24].copy_from_slice(&third[..4]);
    text[25..29].copy_from_slice(&third[4..]);
    text[29..37].copy_from_slice(&fourth);
    text
}

/// Eight hexadecimal digits, all computed at once: one byte of a `u64` for each.
fn digits(value: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let spread = u64::from(value);
    let spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    let spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff;
    let spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // 1 in each byte above 9, which is a letter.
    let letters = ((spread + 6 * ONES) >> 4) & ONES;
    const TO_LETTER: u64 = (b'a' - b'0' - 10) as u64;
    (spread + u64::from(b'0') * ONES + letters * TO_LETTER).to_be_bytes()
}
