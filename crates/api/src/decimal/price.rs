//! Limit prices in whole cents. A client using binary floating point may be off by up to 10^-9; larger differences are
//! refused.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::print::DecimalText;
use super::scan::{NumberFault, Rest, scan};
use super::{deserialize, serialize};
use crate::json::{WriteJson, Writer, write_decimal};

/// The precision of a price when it is compared with the cent.
const NANO_PLACES: u32 = 9;
const NANOS_PER_CENT: u64 = 10_000_000;

/// A price per share in whole cents: 1 to 99 for a limit, 0 if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(u8);

impl Price {
    /// No price, as shown for a MARKET order.
    pub const NONE: Price = Price(0);

    /// A price of 0.00 to 1.00.
    pub const fn from_cents(cents: u8) -> Price {
        assert!(cents <= 100, "a price is at most 1.00");
        Price(cents)
    }

    pub const fn cents(self) -> u8 {
        self.0
    }

    /// Parses a limit price, 0.01 to 0.99, from the text of a JSON number.
    pub fn parse(text: &str) -> Result<Price, NumberFault> {
        GivenPrice::parse(text)?.limit()
    }
}

impl fmt::Display for Price {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        DecimalText::new(i64::from(self.0), 2).fmt(formatter)
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(i64::from(self.0), 2, serializer)
    }
}

impl WriteJson for Price {
    fn write_json(&self, out: &mut Writer) {
        write_decimal::<2>(i64::from(self.0), out);
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Price, D::Error> {
        deserialize(deserializer, Price::parse)
    }
}

/// A number given as a price, not validated yet. The price of a MARKET order is ignored, valid or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenPrice(Result<Price, NumberFault>);

impl GivenPrice {
    pub(crate) fn parse(text: &str) -> Result<GivenPrice, NumberFault> {
        match scan(text, NANO_PLACES) {
            Ok(scanned) => Ok(GivenPrice(judge(scanned.negative, scanned.units, scanned.rest))),
            Err(NumberFault::TooLarge) => Ok(GivenPrice(Err(OUTSIDE))),
            Err(fault) => Err(fault),
        }
    }

    /// The number as a limit price.
    pub fn limit(self) -> Result<Price, NumberFault> {
        self.0
    }
}

impl<'de> Deserialize<'de> for GivenPrice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenPrice, D::Error> {
        deserialize(deserializer, GivenPrice::parse)
    }
}

const OUTSIDE: NumberFault = NumberFault::Outside { low: "0.01", high: "0.99" };

/// Accepts `nanos` plus a rest below one if it is at most one nano away from a cent.
fn judge(negative: bool, nanos: u64, rest: Rest) -> Result<Price, NumberFault> {
    let beyond = nanos % NANOS_PER_CENT;
    let cents = match (beyond, rest) {
        (0, _) | (1, Rest::Nothing) => nanos / NANOS_PER_CENT,
        (beyond, _) if beyond == NANOS_PER_CENT - 1 => nanos / NANOS_PER_CENT + 1,
        _ if negative || nanos >= 100 * NANOS_PER_CENT => return Err(OUTSIDE),
        _ => return Err(NumberFault::OffTheCent),
    };
    match u8::try_from(cents) {
        Ok(cents @ 1..=99) if !negative => Ok(Price(cents)),
        _ => Err(OUTSIDE),
    }
}

#[cfg(test)]
mod tests {
    use super::{NumberFault, OUTSIDE, Price};

    #[test]
    fn a_price_is_a_whole_cent_within_one_billionth() {
        let table = [
            ("0.01", Ok(1)),
            ("0.99", Ok(99)),
            ("0.5", Ok(50)),
            ("0.650", Ok(65)),
            ("65e-2", Ok(65)),
            ("0.29999999999999998", Ok(30)),
            ("0.30000000000000004", Ok(30)),
            ("0.700000001", Ok(70)),
            ("0.699999999", Ok(70)),
            ("0.7000000010000000001", Err(NumberFault::OffTheCent)),
            ("0.6999999989", Err(NumberFault::OffTheCent)),
            ("0.655", Err(NumberFault::OffTheCent)),
            ("0.001", Err(NumberFault::OffTheCent)),
            ("0", Err(OUTSIDE)),
            ("-0.5", Err(OUTSIDE)),
            ("-0.555", Err(OUTSIDE)),
            ("1", Err(OUTSIDE)),
            ("1.005", Err(OUTSIDE)),
            ("65", Err(OUTSIDE)),
            ("1e30", Err(OUTSIDE)),
            ("1e41", Err(NumberFault::ExponentOutOfRange)),
            ("\"0.65\"", Err(NumberFault::NotANumber { found: "a string" })),
        ];
        for (text, expected) in table {
            assert_eq!(Price::parse(text).map(Price::cents), expected, "{text}");
        }
    }
}
