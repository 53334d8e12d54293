//! The bytes of a response while it is written, and the form of its decimals.

use super::{WriteJson, WriteMembers};

/// How decimals are written. Integers are numbers in both forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimals {
    #[default]
    Numbers,
    /// For clients whose JSON numbers are floats.
    Strings,
}

#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    decimals: Decimals,
}

impl Writer {
    /// Appends to `bytes`.
    pub const fn new(bytes: Vec<u8>, decimals: Decimals) -> Writer {
        Writer { bytes, decimals }
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) const fn has_strings(&self) -> bool {
        matches!(self.decimals, Decimals::Strings)
    }

    /// Appends bytes of JSON.
    #[inline]
    pub fn raw(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    /// Writes an object with these members.
    #[inline]
    pub fn object(&mut self, members: &(impl WriteMembers + ?Sized)) {
        let start = self.bytes.len();
        members.write_members(self);
        // The comma before the first member becomes the brace, so no member needs to know whether it is the first.
        match self.bytes.get_mut(start) {
            Some(comma) => *comma = b'{',
            None => self.bytes.push(b'{'),
        }
        self.bytes.push(b'}');
    }

    /// Writes a member. `key` is `,"key":`.
    #[inline]
    pub fn member(&mut self, key: &'static str, value: &(impl WriteJson + ?Sized)) {
        self.raw(key.as_bytes());
        value.write_json(self);
    }

    /// Writes a member whose key is a value too.
    pub fn entry(&mut self, key: &impl WriteJson, value: &impl WriteJson) {
        self.raw(b",");
        key.write_json(self);
        self.raw(b":");
        value.write_json(self);
    }
}
