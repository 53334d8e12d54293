//! Exact numbers in JSON: each decimal is read from the text of the answer, never through a float.
//!
//! A decimal may be a JSON number or a JSON string. In requests it is a JSON number. Functions for `#[serde(with)]`.

use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

pub(crate) fn serialize<S: Serializer>(number: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    let text = number.normalize().to_string();
    RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    parse(raw.get()).ok_or_else(|| D::Error::custom(format_args!("not a decimal: {raw}")))
}

/// The number in the text of a JSON value.
fn parse(json: &str) -> Option<Decimal> {
    let text = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(json);
    // `from_str_exact` refuses digits that it would have to drop.
    Decimal::from_str_exact(text)
        .or_else(|_| Decimal::from_scientific(text))
        .ok()
        .map(|number| number.normalize())
}

/// A decimal that may be missing or null.
pub(crate) mod option {
    use super::{Decimal, Deserialize, Deserializer, RawValue, Serializer, parse};
    use serde::de::Error as _;

    pub(crate) fn serialize<S: Serializer>(
        number: &Option<Decimal>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => super::serialize(number, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Decimal>, D::Error> {
        let Some(raw) = Option::<Box<RawValue>>::deserialize(deserializer)? else { return Ok(None) };
        // A raw value keeps a null as a text.
        if raw.get() == "null" {
            return Ok(None);
        }
        parse(raw.get()).map(Some).ok_or_else(|| D::Error::custom(format_args!("not a decimal: {raw}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Row {
        #[serde(with = "super")]
        price: Decimal,
        #[serde(default, with = "option", skip_serializing_if = "Option::is_none")]
        size: Option<Decimal>,
    }

    fn read(json: &str) -> Option<Row> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn every_digit_of_a_number_or_a_string_is_kept() {
        let largest = "9223372036854.775807";
        for json in [format!(r#"{{"price":{largest}}}"#), format!(r#"{{"price":"{largest}"}}"#)] {
            let row = read(&json).expect("a row");
            assert_eq!(row.price.to_string(), largest);
        }
        let row = read(r#"{"price":0.30,"size":-12}"#).expect("a row");
        assert_eq!(serde_json::to_string(&row).expect("JSON"), r#"{"price":0.3,"size":-12}"#);
        assert_eq!(read(r#"{"price":1e-3}"#).expect("a row").price, Decimal::new(1, 3));
    }

    #[test]
    fn a_missing_number_is_none_and_words_are_refused() {
        assert_eq!(read(r#"{"price":1,"size":null}"#), Some(Row { price: Decimal::ONE, size: None }));
        assert_eq!(read(r#"{"price":1}"#), Some(Row { price: Decimal::ONE, size: None }));
        for json in [r#"{"price":"dear"}"#, r#"{"price":null}"#, r#"{"price":true}"#, r#"{"price":[1]}"#] {
            assert_eq!(read(json), None, "{json}");
        }
    }
}
