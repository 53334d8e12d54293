//! Parses a query string: percent-decoding, `+` as a space, repeated keys, and one reader per type of value.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::percent_decode_str;
use uuid::Uuid;

use crate::error::BadRequest;
use crate::identifier;
use crate::terms::Currency;
use crate::timestamp::Timestamp;
use crate::words::Word;

/// No legitimate request has more parameters.
const PARAMETERS_MAX: usize = 256;

/// The decoded parameters in their original order.
#[derive(Clone, Debug, Default)]
pub struct RawQuery {
    parameters: Vec<(String, String)>,
}

impl RawQuery {
    /// Parses the part of the URL after the `?`.
    pub fn parse(raw: &str) -> Result<RawQuery, BadRequest> {
        let pairs = raw.split('&').filter(|pair| !pair.is_empty());
        let mut parameters = Vec::new();
        for pair in pairs {
            if parameters.len() == PARAMETERS_MAX {
                return Err(BadRequest::new(format!("The query has more than {PARAMETERS_MAX} parameters")));
            }
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            parameters.push((decode(key)?, decode(value)?));
        }
        Ok(RawQuery { parameters })
    }

    /// The value of a parameter that may appear once; an empty value counts as absent.
    pub fn text(&self, name: &str) -> Result<Option<&str>, BadRequest> {
        let mut values = self.values(name);
        match (values.next(), values.next()) {
            (Some(_), Some(_)) => Err(BadRequest::at(name, "is given twice")),
            (value, _) => Ok(value),
        }
    }

    fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.parameters.iter().filter(move |(key, _)| key == name);
        named.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Parses the value with `read`; an error names the parameter.
    pub fn read<T, E: fmt::Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, BadRequest> {
        self.text(name)?.map(|text| read(text).map_err(|fault| BadRequest::at(name, fault))).transpose()
    }

    pub fn owned(&self, name: &str) -> Result<Option<String>, BadRequest> {
        Ok(self.text(name)?.map(str::to_owned))
    }

    /// A text of at most this many characters.
    pub fn bounded(&self, name: &str, characters_max: usize) -> Result<Option<String>, BadRequest> {
        self.read(name, |text| {
            if text.chars().count() > characters_max {
                Err(format!("must have at most {characters_max} characters"))
            } else {
                Ok(text.to_owned())
            }
        })
    }

    pub fn word<T: Word>(&self, name: &str) -> Result<Option<T>, BadRequest> {
        self.read(name, |text| T::find_in_any_case(text).ok_or_else(|| format!("must be {}", T::choices())))
    }

    pub fn uuid(&self, name: &str) -> Result<Option<Uuid>, BadRequest> {
        self.read(name, identifier::parse)
    }

    pub fn timestamp(&self, name: &str) -> Result<Option<Timestamp>, BadRequest> {
        self.read(name, Timestamp::parse_query)
    }

    pub fn boolean(&self, name: &str) -> Result<Option<bool>, BadRequest> {
        self.read(name, |text| match text {
            "true" | "True" | "1" => Ok(true),
            "false" | "False" | "0" => Ok(false),
            _ => Err("must be true or false"),
        })
    }

    /// An integer from `low` to `high`, in plain digits.
    pub fn integer(&self, name: &str, low: u32, high: u32) -> Result<Option<u32>, BadRequest> {
        let what = if high == u32::MAX {
            format!("must be a whole number of at least {low}")
        } else {
            format!("must be a whole number from {low} to {high}")
        };
        self.read(name, |text| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = if digits { text.parse().ok() } else { None };
            number.filter(|number| (low..=high).contains(number)).ok_or(what)
        })
    }

    /// An integer of at least `low`, in plain digits; values above `high` become `high`.
    pub fn at_most(&self, name: &str, low: u32, high: u32) -> Result<Option<u32>, BadRequest> {
        self.read(name, |text| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            // Digits that do not fit a `u32` are a larger number.
            let number = is_number.then(|| text.parse().unwrap_or(u32::MAX).min(high));
            number
                .filter(|number| *number >= low)
                .ok_or_else(|| format!("must be a whole number of at least {low}"))
        })
    }

    /// A sequence of the journal, in plain digits; limited to the range of a signed integer, which other languages use.
    pub fn sequence(&self, name: &str) -> Result<Option<u64>, BadRequest> {
        self.read(name, |text| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let number: Option<i64> = if digits { text.parse().ok() } else { None };
            let number = number.and_then(|number| u64::try_from(number).ok());
            number.ok_or("must be a whole number from 0 to 9223372036854775807")
        })
    }

    pub fn currency_or_default(&self) -> Result<Currency, BadRequest> {
        Ok(self.word("currency")?.unwrap_or(Currency::Usd))
    }

    /// UUIDs of a parameter that may be repeated or comma-separated, with or without `[]` in its name.
    pub fn uuids(&self, name: &str, count_max: usize) -> Result<Vec<Uuid>, BadRequest> {
        let listed = format!("{name}[]");
        let given = self.parameters.iter().filter(|(key, _)| key == name || *key == listed);
        let texts =
            given.flat_map(|(_, value)| value.split(',')).map(str::trim).filter(|text| !text.is_empty());
        let mut ids = Vec::new();
        for text in texts {
            if ids.len() == count_max {
                return Err(BadRequest::at(listed, format_args!("must have at most {count_max} values")));
            }
            ids.push(identifier::parse(text).map_err(|fault| BadRequest::at(&listed, fault))?);
        }
        Ok(ids)
    }
}

fn decode(text: &str) -> Result<String, BadRequest> {
    // `percent_decode_str` keeps malformed escapes as they are; here they are refused.
    let has_digits = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    if !text.split('%').skip(1).all(has_digits) {
        return Err(BadRequest::new("The query has malformed percent-encoding"));
    }
    let decoded = percent_decode_str(&text.replace('+', " ")).decode_utf8().map(Cow::into_owned);
    decoded.map_err(|_| BadRequest::new("The query is not UTF-8"))
}
