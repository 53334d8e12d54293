//! The records of a block: for each the distance of its number and of its time from the previous one, its length, its
//! bytes.

use crate::log::Record;
use crate::varint::{self, Input};

/// The number and time from which the next record of a block is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Base {
    pub(crate) number: u64,
    pub(crate) at: i64,
}

/// Appends a record. Numbers do not fall.
pub(crate) fn put(bytes: &mut Vec<u8>, base: &mut Base, number: u64, at: i64, record: &[u8]) {
    varint::put(bytes, number - base.number);
    varint::put_signed(bytes, at.wrapping_sub(base.at));
    varint::put(bytes, record.len() as u64);
    bytes.extend_from_slice(record);
    *base = Base { number, at };
}

/// Reads the records of a block in order. Ends early if the block is malformed, with `is_damaged` set.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    input: Input<'a>,
    base: Base,
    pub(crate) is_damaged: bool,
}

impl<'a> Records<'a> {
    pub(crate) const fn new(bytes: &'a [u8], base: Base) -> Records<'a> {
        Records { input: Input(bytes), base, is_damaged: false }
    }

    fn read(&mut self) -> Option<Record<&'a [u8]>> {
        let number = self.base.number.checked_add(self.input.number()?)?;
        let at = self.base.at.wrapping_add(self.input.signed()?);
        let length = self.input.number()?;
        let bytes = self.input.bytes(usize::try_from(length).ok()?)?;
        self.base = Base { number, at };
        Some(Record { number, at, bytes })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<&'a [u8]>;

    fn next(&mut self) -> Option<Record<&'a [u8]>> {
        if self.input.0.is_empty() || self.is_damaged {
            return None;
        }
        let read = self.read();
        self.is_damaged = read.is_none();
        read
    }
}
