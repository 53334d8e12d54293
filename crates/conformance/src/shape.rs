//! Shapes of answers: fields with their kinds, compared with raw JSON.

use jiff::Timestamp;
use uuid::Uuid;

use crate::check::Difference;
use crate::decimal::Decimal;
use crate::json::Json;

/// The kind that a value must have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text,
    /// A text that is not empty.
    Name,
    Uuid,
    /// RFC 3339.
    Time,
    /// RFC 3339, or empty while unset.
    TimeOrEmpty,
    Number,
    /// Digits only: no point and no exponent.
    Integer,
    /// A number from 0 to 1.
    Price,
    /// A number in a text.
    NumberText,
    Bool,
    OneOf(&'static [&'static str]),
    ListOf(&'static Kind),
    Object(&'static [Field]),
    /// The kind, or null.
    OrNull(&'static Kind),
    Any,
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    name: &'static str,
    kind: Kind,
    is_required: bool,
}

/// A field that must be there.
pub(crate) const fn must(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, is_required: true }
}

/// A field that may be absent.
pub(crate) const fn may(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, is_required: false }
}

/// Adds what differs. `place` names the value in reports.
pub(crate) fn compare(kind: &Kind, value: &Json, place: &str, differences: &mut Vec<Difference>) {
    let fits = match (kind, value) {
        (Kind::Any, _) | (Kind::OrNull(_), Json::Null) => true,
        (Kind::OrNull(kind), value) => return compare(kind, value, place, differences),
        (Kind::ListOf(kind), Json::List(items)) => {
            for (index, item) in items.iter().enumerate() {
                compare(kind, item, &format!("{place}[{index}]"), differences);
            }
            true
        }
        (Kind::Object(fields), Json::Object(_)) => {
            compare_fields(fields, value, place, differences);
            true
        }
        (kind, Json::Text(text)) => fits_text(kind, text),
        (kind, Json::Number(literal)) => fits_number(kind, literal),
        (Kind::Bool, Json::Bool(_)) => true,
        _ => false,
    };
    if !fits {
        let seen = format!("{}: {}", value.kind(), value.shown());
        differences.push(Difference { what: place.to_owned(), expected: kind.described(), seen });
    }
}

fn compare_fields(fields: &[Field], value: &Json, place: &str, differences: &mut Vec<Difference>) {
    for field in fields {
        let place = format!("{place}.{}", field.name);
        match value.at(field.name) {
            Some(value) => compare(&field.kind, value, &place, differences),
            None if field.is_required => differences.push(Difference {
                what: place,
                expected: field.kind.described(),
                seen: "absent".to_owned(),
            }),
            None => {}
        }
    }
}

fn fits_text(kind: &Kind, text: &str) -> bool {
    match kind {
        Kind::Text => true,
        Kind::Name => !text.is_empty(),
        Kind::Uuid => text.len() == 36 && Uuid::try_parse(text).is_ok(),
        Kind::Time => text.parse::<Timestamp>().is_ok(),
        Kind::TimeOrEmpty => text.is_empty() || text.parse::<Timestamp>().is_ok(),
        Kind::NumberText => Decimal::parse(text).is_some(),
        Kind::OneOf(words) => words.contains(&text),
        _ => false,
    }
}

fn fits_number(kind: &Kind, literal: &str) -> bool {
    match kind {
        Kind::Number => true,
        Kind::Integer => {
            literal.strip_prefix('-').unwrap_or(literal).bytes().all(|byte| byte.is_ascii_digit())
        }
        Kind::Price => {
            Decimal::parse(literal).is_some_and(|price| (Decimal::ZERO..=Decimal::ONE).contains(&price))
        }
        _ => false,
    }
}

impl Kind {
    /// The kind in words.
    fn described(&self) -> String {
        match self {
            Kind::Text => "a string".to_owned(),
            Kind::Name => "a string that is not empty".to_owned(),
            Kind::Uuid => "a UUID".to_owned(),
            Kind::Time => "an ISO 8601 time".to_owned(),
            Kind::TimeOrEmpty => "an ISO 8601 time, or an empty string".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Integer => "an integer".to_owned(),
            Kind::Price => "a number from 0 to 1".to_owned(),
            Kind::NumberText => "a number in a string".to_owned(),
            Kind::Bool => "true or false".to_owned(),
            Kind::OneOf(words) => format!("one of {}", words.join(", ")),
            Kind::ListOf(kind) => format!("a list, each {}", kind.described()),
            Kind::Object(fields) => {
                let names: Vec<_> =
                    fields.iter().filter(|field| field.is_required).map(|field| field.name).collect();
                format!("an object with {}", names.join(", "))
            }
            Kind::OrNull(kind) => format!("{}, or null", kind.described()),
            Kind::Any => "any value".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, compare, may, must};
    use crate::json::Json;

    const ROW: Kind = Kind::Object(&[
        must("id", Kind::Uuid),
        must("price", Kind::Price),
        must("count", Kind::Integer),
        may("side", Kind::OneOf(&["BUY", "SELL"])),
        may("team", Kind::OrNull(&Kind::Object(&[must("name", Kind::Name)]))),
        may("at", Kind::TimeOrEmpty),
        may("tags", Kind::ListOf(&Kind::Text)),
    ]);

    fn differences(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        compare(&ROW, &Json::parse(text.as_bytes()).expect("valid JSON"), "row", &mut found);
        found
            .into_iter()
            .map(|found| format!("{}: {} / {}", found.what, found.expected, found.seen))
            .collect()
    }

    #[test]
    fn a_fitting_value_has_no_difference() {
        let full = r#"{"id":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a","price":0.5,"count":3,"side":"BUY","team":null,
            "at":"2026-07-28T23:42:38.454Z","tags":["a"],"more":{}}"#;
        assert_eq!(differences(full), [""; 0]);
        assert_eq!(
            differences(
                r#"{"id":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a","price":1,"count":0,"at":"","team":{"name":"x"}}"#
            ),
            [""; 0]
        );
    }

    #[test]
    fn each_difference_names_its_place() {
        let expected = [
            "row.id: a UUID / a string: \"x\"",
            "row.price: a number from 0 to 1 / a string: \"0.5\"",
            "row.count: an integer / a number: 1.0",
            "row.side: one of BUY, SELL / a string: \"HOLD\"",
            "row.team.name: a string that is not empty / absent",
            "row.at: an ISO 8601 time, or an empty string / null: null",
            "row.tags[1]: a string / a number: 2",
        ];
        let text = r#"{"id":"x","price":"0.5","count":1.0,"side":"HOLD","team":{},"at":null,"tags":["a",2]}"#;
        assert_eq!(differences(text), expected);
        assert_eq!(
            differences(r#"{"id":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a","count":1,"price":1.01}"#).len(),
            1
        );
        assert_eq!(differences("[]").len(), 1);
    }
}
