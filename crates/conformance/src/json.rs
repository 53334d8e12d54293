//! JSON as it was sent: numbers keep their text, objects the order of their keys.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::decimal::Decimal;

/// Deeper values are refused, so that no answer can exhaust the stack.
const DEPTH_MAX: usize = 64;
/// Characters of a value that a report shows.
const SHOWN_MAX: usize = 160;

/// A value of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// The literal, digit for digit.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole document.
    pub fn parse(bytes: &[u8]) -> Result<Json, serde_json::Error> {
        Json::of(serde_json::from_slice(bytes)?, 0)
    }

    fn of(raw: &RawValue, depth: usize) -> Result<Json, serde_json::Error> {
        if depth > DEPTH_MAX {
            return Err(serde_json::Error::custom("nested too deeply"));
        }
        let text = raw.get();
        Ok(match text.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(text)?;
                let read = |(name, raw): (String, &RawValue)| Ok((name, Json::of(raw, depth + 1)?));
                Json::Object(members.into_iter().map(read).collect::<Result<_, serde_json::Error>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                Json::List(items.into_iter().map(|raw| Json::of(raw, depth + 1)).collect::<Result<_, _>>()?)
            }
            Some(b'"') => Json::Text(serde_json::from_str(text)?),
            Some(b't') => Json::Bool(true),
            Some(b'f') => Json::Bool(false),
            Some(b'n') => Json::Null,
            _ => Json::Number(text.to_owned()),
        })
    }

    /// The value at a path of names and indexes, such as `order/id` or `results/0/success`.
    pub fn at(&self, path: &str) -> Option<&Json> {
        path.split('/').filter(|step| !step.is_empty()).try_fold(self, |value, step| match value {
            Json::Object(members) => members.iter().find(|(name, _)| name == step).map(|(_, value)| value),
            Json::List(items) => step.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        })
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        match self.at(path) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn decimal(&self, path: &str) -> Option<Decimal> {
        match self.at(path) {
            Some(Json::Number(literal)) => Decimal::parse(literal),
            _ => None,
        }
    }

    pub fn boolean(&self, path: &str) -> Option<bool> {
        match self.at(path) {
            Some(Json::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The items of a list; none if the value is absent or something else.
    pub fn list(&self, path: &str) -> &[Json] {
        match self.at(path) {
            Some(Json::List(items)) => items,
            _ => &[],
        }
    }

    /// Calls `visit` with every number literal and the path to it.
    pub fn numbers(&self, path: &str, visit: &mut dyn FnMut(&str, &str)) {
        match self {
            Json::Number(literal) => visit(path, literal),
            Json::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.numbers(&format!("{path}/{index}"), visit);
                }
            }
            Json::Object(members) => {
                for (name, value) in members {
                    value.numbers(&format!("{path}/{name}"), visit);
                }
            }
            Json::Null | Json::Bool(_) | Json::Text(_) => {}
        }
    }

    /// The kind of the value, for a report.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::Text(_) => "a string",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }

    /// The value for a report: its kind, and its beginning.
    pub fn shown(&self) -> String {
        shorten(&self.to_string())
    }
}

/// The beginning of a text, for a report.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => formatter.write_str("null"),
            Json::Bool(value) => write!(formatter, "{value}"),
            Json::Number(literal) => formatter.write_str(literal),
            Json::Text(text) => write!(formatter, "{}", serde_json::Value::from(text.as_str())),
            Json::List(items) => {
                formatter.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(formatter, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                formatter.write_str("]")
            }
            Json::Object(members) => {
                formatter.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(formatter, "{comma}{}:{value}", serde_json::Value::from(name.as_str()))?;
                }
                formatter.write_str("}")
            }
        }
    }
}

/// The members of an object, each as raw text, in their order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members: Vec<(String, &'de RawValue)> = Vec::new();
                while let Some((name, raw)) = map.next_entry::<String, &'de RawValue>()? {
                    if members.iter().any(|(other, _)| *other == name) {
                        return Err(A::Error::custom(format!("{name} appears twice")));
                    }
                    members.push((name, raw));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::Json;
    use crate::decimal::Decimal;

    fn read(text: &str) -> Json {
        Json::parse(text.as_bytes()).expect("valid JSON")
    }

    #[test]
    fn a_number_keeps_every_digit() {
        let value = read(r#" {"a": [1.10, -0.000001, 1e3], "b": {"c": "x\n", "d": null, "e": true}} "#);
        assert_eq!(value.at("a/0"), Some(&Json::Number("1.10".to_owned())));
        assert_eq!(value.decimal("a/1"), Decimal::parse("-0.000001"));
        assert_eq!(value.decimal("a/2"), None, "an exponent is not plain");
        assert_eq!((value.text("b/c"), value.boolean("b/e")), (Some("x\n"), Some(true)));
        assert_eq!(value.to_string(), r#"{"a":[1.10,-0.000001,1e3],"b":{"c":"x\n","d":null,"e":true}}"#);
    }

    #[test]
    fn every_number_is_visited_with_its_path() {
        let mut seen = Vec::new();
        let mut visit = |path: &str, literal: &str| seen.push(format!("{path}={literal}"));
        read(r#"{"a":[1,{"b":2.5}],"c":"3"}"#).numbers("", &mut visit);
        assert_eq!(seen, ["/a/0=1", "/a/1/b=2.5"]);
    }

    #[test]
    fn a_repeated_key_broken_text_and_deep_nesting_are_refused() {
        for text in [r#"{"a":1,"a":2}"#, "{", "", "[1] x"] {
            assert!(Json::parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(Json::parse(format!("{}{}", "[".repeat(80), "]".repeat(80)).as_bytes()).is_err());
    }
}
