//! Exact decimal numbers of the wire format: integer units inside, JSON numbers outside, never a float in between.
//!
//! `kinds.rs` defines the types of the contract (money, shares, prices…). `scan.rs` parses, `print.rs` formats.

mod kinds;
mod price;
mod print;
mod scan;
mod text;

pub use kinds::{
    AssetPrice, DecimalKind, Money, Percent, PriceChange, PropLine, Shares, Slippage, UnitPrice,
};
pub use price::{GivenPrice, Price};
pub use scan::NumberFault;
pub use text::DecimalString;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use print::DecimalText;
use scan::Rest;

/// Parses a JSON number into units of 10^-`places`, rounded half up (by magnitude, so that rounding is symmetric around
/// zero).
pub fn parse(text: &str, places: u32) -> Result<i64, NumberFault> {
    let scanned = scan::scan(text, places)?;
    let rounded = scanned.units.checked_add(u64::from(scanned.rest == Rest::HalfOrMore));
    let signed = rounded.map(i128::from).map(|units| if scanned.negative { -units } else { units });
    signed.and_then(|units| i64::try_from(units).ok()).ok_or(NumberFault::TooLarge)
}

/// Formats units of 10^-`places`.
pub fn print(units: i64, places: u32) -> String {
    DecimalText::new(units, places).as_str().to_owned()
}

fn serialize<S: Serializer>(units: i64, places: u32, serializer: S) -> Result<S::Ok, S::Error> {
    let scale = 10_i64.pow(places);
    if units % scale == 0 {
        return serializer.serialize_i64(units / scale);
    }
    let text = DecimalText::new(units, places);
    // A raw JSON number, validated by serde_json and copied into the output unchanged.
    let raw: &RawValue = serde_json::from_str(text.as_str()).map_err(S::Error::custom)?;
    raw.serialize(serializer)
}

/// Passes the text of the JSON value to `read`.
fn deserialize<'de, D, T>(
    deserializer: D,
    read: impl FnOnce(&str) -> Result<T, NumberFault>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    let raw = <&RawValue>::deserialize(deserializer)?;
    read(raw.get()).map_err(serde::de::Error::custom)
}
