//! Looks up an RFC 6901 pointer in a JSON text and parses the value there: an exact decimal or a time.
//!
//! Numbers are never converted to floats: they are parsed digit by digit.

use std::borrow::Cow;
use std::collections::BTreeMap;

use api::Timestamp;
use api::decimal;
use exchange::catalogue::AssetPrice;
use exchange::time::Time;
use serde_json::value::RawValue;

use super::settings::TimeFormat;

/// The raw JSON text at a pointer.
fn find<'a>(json: &'a str, pointer: &str) -> Result<&'a str, String> {
    let mut place: &RawValue =
        serde_json::from_str(json).map_err(|fault| format!("the answer is not JSON: {fault}"))?;
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        let missing = || format!("the answer has nothing at {pointer}");
        place = match place.get().as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<Cow<'_, str>, &RawValue> =
                    serde_json::from_str(place.get()).map_err(|_| missing())?;
                members.get(token.as_str()).copied().ok_or_else(missing)?
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(place.get()).map_err(|_| missing())?;
                let index: usize = token.parse().map_err(|_| missing())?;
                items.get(index).copied().ok_or_else(missing)?
            }
            _ => return Err(missing()),
        };
    }
    Ok(place.get())
}

/// A number as written, or the content of a string: many endpoints send prices as strings to keep them exact.
fn plain(found: &str) -> Result<Cow<'_, str>, String> {
    if !found.starts_with('"') {
        return Ok(Cow::Borrowed(found));
    }
    let text: String = serde_json::from_str(found).map_err(|_| "invalid JSON string".to_owned())?;
    Ok(Cow::Owned(text))
}

/// The price at a pointer, exact to a millionth.
pub(super) fn price(json: &str, pointer: &str) -> Result<AssetPrice, String> {
    let text = plain(find(json, pointer)?)?;
    let price = decimal::AssetPrice::parse(&text)
        .map_err(|fault| format!("{} at {pointer} is no price: it {fault}", shown(&text)))?;
    if price.units() <= 0 {
        return Err(format!("{} at {pointer} is no price: it must be more than 0", shown(&text)));
    }
    Ok(AssetPrice(price.units()))
}

/// The time at a pointer.
pub(super) fn time(json: &str, pointer: &str, format: TimeFormat) -> Result<Time, String> {
    let text = plain(find(json, pointer)?)?;
    let micros = match format {
        // Scaled to 6, 3 or 0 decimals, the number is a whole number of microseconds.
        TimeFormat::Seconds => decimal::parse(&text, 6).ok(),
        TimeFormat::Milliseconds => decimal::parse(&text, 3).ok(),
        TimeFormat::Microseconds => decimal::parse(&text, 0).ok(),
        TimeFormat::Rfc3339 => Timestamp::parse(&text).ok().map(Timestamp::micros),
    };
    let micros = micros.filter(|micros| (0..=Time::MAX.micros()).contains(micros));
    micros
        .map(Time::from_micros)
        .ok_or_else(|| format!("{} at {pointer} is no time in {format:?}", shown(&text)))
}

/// The beginning of a text, for logs.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    if start.len() < text.len() { format!("{start:?}…") } else { format!("{start:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = r#"{
        "price": 96250.1234567, "text": "1.084200", "big": "98765432109876", "tiny": 1e-7, "none": null,
        "deep": {"a/b": [{"~": 2.5}, "3"], "": 4, "\u0061bc": 5},
        "time": 1767225600123, "when": "2026-01-01T00:00:00.5Z", "seconds": 1767225600.25, "minus": -3
    }"#;

    #[test]
    fn a_price_is_read_to_the_last_digit_at_any_pointer() {
        let table = [
            ("/price", Ok(96_250_123_457)),
            ("/text", Ok(1_084_200)),
            ("/deep/a~1b/0/~0", Ok(2_500_000)),
            ("/deep/a~1b/1", Ok(3_000_000)),
            ("/deep/", Ok(4_000_000)),
            ("/deep/abc", Ok(5_000_000)),
            ("/tiny", Err("\"1e-7\" at /tiny is no price: it must be more than 0")),
            ("/minus", Err("\"-3\" at /minus is no price: it must be more than 0")),
            ("/price/0", Err("the answer has nothing at /price/0")),
            ("/deep/a~1b/2", Err("the answer has nothing at /deep/a~1b/2")),
            ("/deep/a~1b/x", Err("the answer has nothing at /deep/a~1b/x")),
            ("/other", Err("the answer has nothing at /other")),
        ];
        for (pointer, expected) in table {
            let found = price(ANSWER, pointer).map(|price| price.0);
            assert_eq!(
                found.as_ref().map_err(String::as_str),
                expected.as_ref().map_err(|fault| *fault),
                "{pointer}"
            );
        }
        assert_eq!(price("0.5", "").map(|price| price.0), Ok(500_000), "the whole answer is a number");
        for pointer in ["/none", "/deep", "/when", "/big", ""] {
            let fault = price(ANSWER, pointer).expect_err("no price");
            assert!(fault.contains(" is no price: it "), "{fault}");
        }
        assert!(price("<html>", "/price").expect_err("no JSON").starts_with("the answer is not JSON"));
    }

    #[test]
    fn a_time_is_read_in_the_format_that_was_set() {
        let begin = 1_767_225_600_000_000;
        let table = [
            ("/time", TimeFormat::Milliseconds, Some(begin + 123_000)),
            ("/time", TimeFormat::Microseconds, Some(1_767_225_600_123)),
            ("/seconds", TimeFormat::Seconds, Some(begin + 250_000)),
            ("/when", TimeFormat::Rfc3339, Some(begin + 500_000)),
            ("/when", TimeFormat::Milliseconds, None),
            ("/time", TimeFormat::Rfc3339, None),
            ("/time", TimeFormat::Seconds, None),
            ("/minus", TimeFormat::Seconds, None),
            ("/none", TimeFormat::Seconds, None),
        ];
        for (pointer, format, expected) in table {
            let found = time(ANSWER, pointer, format);
            assert_eq!(found.clone().ok().map(Time::micros), expected, "{pointer} {format:?}: {found:?}");
        }
    }
}
