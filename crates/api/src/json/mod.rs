//! The JSON writer of all responses and messages, several times faster than serde. It writes the same bytes.
//!
//! `#[derive(WriteJson)]` follows the attributes of serde; the other files write one kind of value each, and
//! `writer.rs` has what they share. Decimals know by their types that they are decimals, so each response has two
//! forms: with numbers, and with decimals as strings. `plain_reader.rs` reads request bodies.

mod identifier;
mod number;
mod plain_reader;
mod pretty;
mod text;
mod writer;

use std::borrow::Cow;

pub use api_derives::WriteJson;
pub(crate) use identifier::text_of;
pub(crate) use number::write_decimal;
pub(crate) use plain_reader::{PlainReader, put};
pub use pretty::pretty;
pub use writer::{Decimals, Writer};

/// A value that is written as JSON. Writing cannot fail.
pub trait WriteJson {
    fn write_json(&self, out: &mut Writer);
}

/// A value that is written as a JSON object, or as a part of one.
pub trait WriteMembers {
    /// Writes each member as `,"key":value`.
    fn write_members(&self, out: &mut Writer);
}

/// The JSON of a value, with numbers.
pub fn to_vec(value: &(impl WriteJson + ?Sized)) -> Vec<u8> {
    let mut out = Writer::new(Vec::new(), Decimals::Numbers);
    value.write_json(&mut out);
    out.into_bytes()
}

impl<T: WriteJson + ?Sized> WriteJson for &T {
    fn write_json(&self, out: &mut Writer) {
        (**self).write_json(out);
    }
}

impl<T: WriteJson + ?Sized> WriteJson for Box<T> {
    fn write_json(&self, out: &mut Writer) {
        (**self).write_json(out);
    }
}

impl WriteJson for bool {
    fn write_json(&self, out: &mut Writer) {
        out.raw(if *self { b"true" } else { b"false" });
    }
}

/// `None` is null. A key that is omitted instead has `skip_serializing_if`.
impl<T: WriteJson> WriteJson for Option<T> {
    fn write_json(&self, out: &mut Writer) {
        match self {
            Some(value) => value.write_json(out),
            None => out.raw(b"null"),
        }
    }
}

/// `None` has no members.
impl<T: WriteMembers> WriteMembers for Option<T> {
    fn write_members(&self, out: &mut Writer) {
        if let Some(members) = self {
            members.write_members(out);
        }
    }
}

impl<T: WriteJson> WriteJson for [T] {
    fn write_json(&self, out: &mut Writer) {
        out.raw(b"[");
        if let Some((first, others)) = self.split_first() {
            first.write_json(out);
            for other in others {
                out.raw(b",");
                other.write_json(out);
            }
        }
        out.raw(b"]");
    }
}

impl<T: WriteJson, const N: usize> WriteJson for [T; N] {
    fn write_json(&self, out: &mut Writer) {
        self.as_slice().write_json(out);
    }
}

impl<T: WriteJson> WriteJson for Vec<T> {
    fn write_json(&self, out: &mut Writer) {
        self.as_slice().write_json(out);
    }
}

impl WriteJson for String {
    fn write_json(&self, out: &mut Writer) {
        self.as_str().write_json(out);
    }
}

impl WriteJson for Cow<'_, str> {
    fn write_json(&self, out: &mut Writer) {
        (**self).write_json(out);
    }
}
