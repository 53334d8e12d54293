//! Integers in any spelling: `60` and `60.0` are the same JSON number.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::decimal;

/// Reads an integer that fits both `Whole` and a signed integer of 64 bits, which other languages use.
pub(super) fn whole<'de, D, Whole>(deserializer: D) -> Result<Whole, D::Error>
where
    D: Deserializer<'de>,
    Whole: TryFrom<i64>,
{
    let text = <&RawValue>::deserialize(deserializer)?.get();
    let spelt_out = || {
        let millionths = decimal::parse(text, 6).ok().filter(|millionths| millionths % 1_000_000 == 0);
        millionths.map(|millionths| millionths / 1_000_000)
    };
    let number = text.parse().ok().or_else(spelt_out).and_then(|number| Whole::try_from(number).ok());
    number.ok_or_else(|| D::Error::custom("must be a whole number, 0 or more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    struct Given<Whole: TryFrom<i64>> {
        #[serde(deserialize_with = "whole")]
        number: Whole,
    }

    #[test]
    fn spellings_of_an_integer_are_equal_and_everything_else_is_refused() {
        let read = |number: &str| serde_json::from_str(&format!("{{\"number\":{number}}}")).ok();
        let sequence = |number: &str| read(number).map(|given: Given<u64>| given.number);
        for (number, expected) in
            [("60", 60), ("60.0", 60), ("6e1", 60), ("0", 0), ("9223372036854775807", i64::MAX as u64)]
        {
            assert_eq!(sequence(number), Some(expected), "{number}");
        }
        for number in ["-1", "0.5", "9223372036854775808", "\"60\"", "null", "true", "[]"] {
            assert_eq!(sequence(number), None, "{number}");
        }
    }
}
