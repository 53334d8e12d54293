//! Encoding of requests for the journal, and of the whole state for snapshots and digests.
//!
//! Both carry a version. The input may come from a damaged disk, so nothing here panics on any bytes or allocates more
//! than the bytes can fill. Indexes, timers, links between orders and amounts on hold are not encoded; they are
//! derived.

mod books;
mod chunks;
mod digest;
mod listings;
mod markets;
mod money;
mod people;
mod record;
mod request;
mod retired;
mod snapshot;

pub use record::{
    decode_news, decode_record, decode_sets, decode_settled, decode_trade, encode_news, encode_record,
    encode_sets, encode_settled, encode_trade,
};
pub use request::{decode_request, encode_request};
pub use retired::{decode_retired, encode_retired};
#[cfg(test)]
pub(crate) use snapshot::encode_snapshot_in_first_form;
pub use snapshot::{decode_snapshot, encode_snapshot, write_snapshot};

use core::fmt;

use minicbor::decode;
use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};

/// Why bytes could not be decoded.
#[derive(Debug)]
pub enum CodecError {
    /// Does not begin like a snapshot.
    NotASnapshot,
    /// Written by a release that this one does not support.
    UnknownVersion(u8),
    /// Truncated, damaged or inconsistent.
    Malformed(decode::Error),
    /// Followed by extra bytes.
    TrailingBytes,
    /// Decodable, but not the encoding that this build writes: it has an unknown field or another form.
    NotCanonical,
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::NotASnapshot => f.write_str("not a snapshot"),
            CodecError::UnknownVersion(version) => write!(f, "unknown codec version {version}"),
            CodecError::Malformed(error) => write!(f, "malformed: {error}"),
            CodecError::TrailingBytes => f.write_str("bytes after the end"),
            CodecError::NotCanonical => f.write_str("not the bytes that this build writes for it"),
        }
    }
}

impl core::error::Error for CodecError {}

impl From<decode::Error> for CodecError {
    fn from(error: decode::Error) -> CodecError {
        CodecError::Malformed(error)
    }
}

type Written<W> = Result<(), encode::Error<<W as Write>::Error>>;
type Read<T> = Result<T, decode::Error>;

/// Encodes a list, prefixed with its length.
fn write_list<W: Write, T>(
    e: &mut Encoder<W>,
    items: impl ExactSizeIterator<Item = T>,
    mut write_item: impl FnMut(&mut Encoder<W>, T) -> Written<W>,
) -> Written<W> {
    e.array(items.len() as u64)?;
    for item in items {
        write_item(e, item)?;
    }
    Ok(())
}

/// Decodes a list item by item. Each item takes at least one byte, so a claimed length is bounded by the input.
fn read_list<'b>(d: &mut Decoder<'b>, mut read_item: impl FnMut(&mut Decoder<'b>) -> Read<()>) -> Read<()> {
    let length = d.array()?.ok_or_else(|| decode::Error::message("a list has a definite length"))?;
    for _ in 0..length {
        read_item(d)?;
    }
    Ok(())
}

/// Decodes the head of a record with this number of fields.
fn read_record(d: &mut Decoder<'_>, fields: u64) -> Read<()> {
    check(d.array()? == Some(fields), "a record has the fields of its version")
}

fn check(holds: bool, rule: &'static str) -> Read<()> {
    if holds { Ok(()) } else { Err(decode::Error::message(rule)) }
}

fn found<T>(thing: Option<T>, rule: &'static str) -> Read<T> {
    thing.ok_or_else(|| decode::Error::message(rule))
}
