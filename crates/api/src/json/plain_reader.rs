//! One pass over a request body in its plain form, which is what nearly every client sends.
//!
//! Plain means: only known keys, each once; texts without escapes and in ASCII; numbers without an exponent. The reader
//! returns `None` for every other body, valid or not. The caller then parses the body with `crate::read`, which decides
//! and explains. An accepted body has the same value there.

use uuid::Uuid;

use crate::identifier;
use crate::read::BODY_BYTES_MAX;
use crate::words::Word;

/// Longer numbers are left to `crate::read`. Without an exponent, none of this length is out of the range of a float.
const NUMBER_BYTES_MAX: usize = 40;

/// The bytes that end the plain part of a text: quotes, escapes, control characters, and all that is not ASCII.
const ENDS_TEXT: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        ends[byte] = byte < 0x20 || byte >= 0x80 || byte == b'"' as usize || byte == b'\\' as usize;
        byte += 1;
    }
    ends
};

/// The position in a body.
pub(crate) struct PlainReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> PlainReader<'a> {
    /// Reads a whole body with `read`.
    pub(crate) fn body<T>(body: &'a [u8], read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if body.len() > BODY_BYTES_MAX {
            return None;
        }
        let mut reader = PlainReader { text: std::str::from_utf8(body).ok()?, at: 0 };
        let value = read(&mut reader)?;
        reader.skip_space();
        (reader.at == reader.text.len()).then_some(value)
    }

    /// Reads an object. `member` gets each key and reads its value.
    pub(crate) fn object(&mut self, mut member: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.take(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.string()?;
            self.take(b':')?;
            member(self, key)?;
            if self.take(b',').is_none() {
                return self.take(b'}');
            }
        }
    }

    /// Reads a list of 1 to `items_max` items.
    pub(crate) fn list<T>(
        &mut self,
        items_max: usize,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.take(b'[')?;
        let mut items = Vec::with_capacity(items_max);
        loop {
            items.push(item(self)?);
            if self.take(b',').is_none() {
                self.take(b']')?;
                return Some(items);
            }
            if items.len() == items_max {
                return None;
            }
        }
    }

    /// Reads null as `Some(None)`, anything else with `read`.
    pub(crate) fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.peek() == Some(b'n') { self.literal("null").map(|()| None) } else { read(self).map(Some) }
    }

    pub(crate) fn string(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let rest = self.text.as_bytes().get(self.at..)?;
        let length = rest.iter().position(|byte| ENDS_TEXT[usize::from(*byte)])?;
        let text = &self.text[self.at..self.at + length];
        self.at += length;
        // Spaces before the quote belong to the text, so they are not skipped here.
        (rest[length] == b'"').then(|| self.at += 1)?;
        Some(text)
    }

    /// Reads the text of a number with `parse`, which also checks its form.
    pub(crate) fn number<T, E>(&mut self, parse: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        self.skip_space();
        let rest = self.text.as_bytes().get(self.at..)?;
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
        let length = rest.iter().position(|byte| !is_part(byte))?;
        if length > NUMBER_BYTES_MAX || matches!(rest[length], b'e' | b'E') {
            return None;
        }
        let text = &self.text[self.at..self.at + length];
        self.at += length;
        parse(text).ok()
    }

    pub(crate) fn boolean(&mut self) -> Option<bool> {
        match self.peek()? {
            b't' => self.literal("true").map(|()| true),
            _ => self.literal("false").map(|()| false),
        }
    }

    pub(crate) fn word<T: Word>(&mut self) -> Option<T> {
        T::find(self.string()?)
    }

    pub(crate) fn identifier(&mut self) -> Option<Uuid> {
        identifier::parse(self.string()?).ok()
    }

    fn literal(&mut self, literal: &str) -> Option<()> {
        let is_next = self.text.as_bytes().get(self.at..)?.starts_with(literal.as_bytes());
        is_next.then(|| self.at += literal.len())
    }

    /// Skips spaces, then consumes `byte` if it is next.
    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Skips spaces and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        self.skip_space();
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }
}

/// Stores the value of a key, unless the key was given before.
pub(crate) fn put<T>(slot: &mut Option<T>, value: Option<T>) -> Option<()> {
    if slot.is_some() {
        return None;
    }
    *slot = Some(value?);
    Some(())
}
