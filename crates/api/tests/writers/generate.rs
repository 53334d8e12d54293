//! Values from a seed: extreme numbers and times, texts with every escape, each option both ways.

use api::decimal::{AssetPrice, Money, Percent, Price, PriceChange, PropLine, Shares, Slippage, UnitPrice};
use api::timestamp::{OptionalDate, Timestamp};
use uuid::Uuid;

/// Pseudo-random numbers (SplitMix64).
pub struct Source(u64);

impl Source {
    pub fn new(seed: u64) -> Source {
        Source(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

pub trait Generate {
    fn generate(source: &mut Source) -> Self;
}

impl Generate for bool {
    fn generate(source: &mut Source) -> bool {
        source.below(2) == 0
    }
}

impl Generate for u64 {
    fn generate(source: &mut Source) -> u64 {
        match source.below(8) {
            0 => 0,
            1 => u64::MAX,
            // Trailing zeros: decimals of every length.
            2..=4 => source.below(1_000_000) * 10_u64.pow(source.below(8) as u32),
            // Every bit length.
            _ => source.next() >> source.below(64),
        }
    }
}

impl Generate for i64 {
    fn generate(source: &mut Source) -> i64 {
        match source.below(16) {
            0 => i64::MIN,
            1 => i64::MAX,
            _ => u64::generate(source) as i64,
        }
    }
}

impl Generate for u32 {
    fn generate(source: &mut Source) -> u32 {
        u64::generate(source) as u32
    }
}

impl Generate for u16 {
    fn generate(source: &mut Source) -> u16 {
        u64::generate(source) as u16
    }
}

impl Generate for Uuid {
    fn generate(source: &mut Source) -> Uuid {
        match source.below(8) {
            0 => Uuid::nil(),
            1 => Uuid::max(),
            _ => Uuid::from_u64_pair(source.next(), source.next()),
        }
    }
}

impl Generate for String {
    fn generate(source: &mut Source) -> String {
        const PIECES: [&str; 8] = ["\"", "\\", "\u{7f}", "é", "😀", "\u{2028}", "/", "</script>"];
        let length = [0, 1, 3, 30][source.below(4) as usize];
        let piece = |_| match source.below(4) {
            0 => PIECES[source.below(8) as usize].to_owned(),
            1 => char::from(source.below(0x20) as u8).to_string(),
            _ => char::from(0x20 + source.below(0x5f) as u8).to_string(),
        };
        (0..length).map(piece).collect()
    }
}

impl<T: Generate> Generate for Option<T> {
    fn generate(source: &mut Source) -> Option<T> {
        bool::generate(source).then(|| T::generate(source))
    }
}

impl<T: Generate> Generate for Box<T> {
    fn generate(source: &mut Source) -> Box<T> {
        Box::new(T::generate(source))
    }
}

impl<T: Generate, const N: usize> Generate for [T; N] {
    fn generate(source: &mut Source) -> [T; N] {
        std::array::from_fn(|_| T::generate(source))
    }
}

impl<T: Generate> Generate for Vec<T> {
    fn generate(source: &mut Source) -> Vec<T> {
        (0..source.below(4)).map(|_| T::generate(source)).collect()
    }
}

impl Generate for Timestamp {
    fn generate(source: &mut Source) -> Timestamp {
        Timestamp::from_micros(match source.below(8) {
            // Years before 1970, after 9999, and outside of the calendar.
            0 => i64::generate(source),
            1 => source.below(300_000) as i64 * 1_000_000_000_000 - 20_000_000_000_000_000,
            2 => source.below(4_000_000_000) as i64 * 1_000_000,
            3 => source.below(4_000_000_000_000) as i64 * 1_000,
            _ => source.below(4_000_000_000_000_000) as i64,
        })
    }
}

impl Generate for OptionalDate {
    fn generate(source: &mut Source) -> OptionalDate {
        OptionalDate(Option::generate(source))
    }
}

impl Generate for Price {
    fn generate(source: &mut Source) -> Price {
        Price::from_cents(source.below(101) as u8)
    }
}

macro_rules! decimals {
    ($($name:ident),+ $(,)?) => {$(
        impl Generate for $name {
            fn generate(source: &mut Source) -> $name {
                $name::from_units(i64::generate(source))
            }
        }
    )+};
}

decimals!(AssetPrice, Money, Percent, PriceChange, PropLine, Shares, Slippage, UnitPrice);
