//! The structure of a JSON text, independent of the meaning of its keys: limited nesting, no duplicate keys in an
//! object.
//!
//! Values are checked and discarded; numbers are parsed later from the text (`decimal`), never here.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::read::too_deep;

/// The nesting depth of objects and arrays, including the body itself.
pub const DEPTH_MAX: usize = 16;

/// Up to this many keys are compared one by one, which is faster than hashing them.
const KEYS_COMPARED: usize = 24;

pub(crate) fn check(text: &str) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Level(0).deserialize(&mut deserializer)?;
    deserializer.end()
}

/// Like `check`, but slower and with the path of the error.
pub(crate) fn check_with_path(text: &str) -> Result<(), serde_path_to_error::Error<serde_json::Error>> {
    let mut track = serde_path_to_error::Track::new();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    Level(0).deserialize(tracked).map_err(|error| serde_path_to_error::Error::new(track.path(), error))
}

/// A value at this nesting depth.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn inside<E: Error>(self) -> Result<Level, E> {
        if self.0 < DEPTH_MAX { Ok(Level(self.0 + 1)) } else { Err(E::custom(too_deep())) }
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        while list.next_element_seed(inside)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        let mut keys = Keys::default();
        while let Some(Key(key)) = object.next_key()? {
            if let Some(key) = keys.seen_before(key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is given twice")));
            }
            object.next_value_seed(inside)?;
        }
        Ok(())
    }
}

/// The keys of one object so far.
#[derive(Default)]
struct Keys<'de> {
    first: Vec<Cow<'de, str>>,
    others: HashSet<Cow<'de, str>>,
}

impl<'de> Keys<'de> {
    /// Returns the key if it appeared before; otherwise remembers it.
    fn seen_before(&mut self, key: Cow<'de, str>) -> Option<Cow<'de, str>> {
        if self.first.contains(&key) || self.others.contains(&key) {
            return Some(key);
        }
        if self.first.len() < KEYS_COMPARED {
            self.first.push(key);
        } else {
            self.others.insert(key);
        }
        None
    }
}

/// A key with its escapes resolved: `"\u0061"` equals `"a"`.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key<'de>, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a key")
            }

            fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }

            fn visit_str<E: Error>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }

        deserializer.deserialize_str(KeyVisitor)
    }
}
