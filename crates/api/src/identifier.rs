//! UUIDs of the wire format: only the hyphenated form of 36 characters, upper or lower case. The library's parser
//! accepts more.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer};
use uuid::Uuid;

/// Why a text is not an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentifierFault;

impl fmt::Display for IdentifierFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00")
    }
}

impl std::error::Error for IdentifierFault {}

pub fn parse(text: &str) -> Result<Uuid, IdentifierFault> {
    if text.len() == 36 { Uuid::try_parse(text).map_err(|_| IdentifierFault) } else { Err(IdentifierFault) }
}

/// For `#[serde(deserialize_with = …)]`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Uuid, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    parse(&text).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_the_hyphenated_form_is_an_identifier() {
        assert!(parse("01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00").is_ok());
        assert!(parse("01980D2F-7C1E-7A64-9A53-3F7D2B8C1E00").is_ok());
        for text in [
            "",
            "abc",
            "01980d2f7c1e7a649a533f7d2b8c1e00",
            "{01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00}",
            "urn:uuid:01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00",
            "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0g",
            "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0",
            "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e000",
            "01980d2f_7c1e_7a64_9a53_3f7d2b8c1e00",
            "01980d2f-7c1e-7a64-9a53-3f7d2b8c1eé",
            "                                    ",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
