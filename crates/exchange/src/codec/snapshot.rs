//! The whole state in canonical form: equal states have equal encodings, regardless of their layout in memory.
//!
//! Order: head, governance, people, money, catalogue, listings with their positions and orders, memory. Decoding
//! rebuilds the maps and links that the commands use, then sets the timers.
//!
//! A snapshot is written in this build's newest form and read in that form or the previous one, so that two builds can
//! share a folder or a log during an upgrade. The digest depends on the rules of the log, not on the build; see
//! `digest.rs`.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::chunks::{Chunks, Sink, Stopped};
use super::{CodecError, Read, Written, books, check, listings, markets, money, people};
use crate::exchange::Exchange;
use crate::ledger::Ledger;
use crate::next::is_next;
use crate::numbers::PerCurrency;

const MAGIC: [u8; 8] = *b"BELLWTHR";

/// A version of the encoding. A form never changes: a build with more state adds a new form and encodes the new state
/// only in it. A form can be dropped once no snapshot and no digest needs it. An optional field that older rules never set,
/// such as the window of an idempotency key, needs no new form: a build without it refuses the rules of such a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SnapshotFormat(u8);

impl SnapshotFormat {
    pub(super) const FIRST: SnapshotFormat = SnapshotFormat(6);
    /// The form that the next version adds; only for upgrade drills.
    pub(super) const NEXT: SnapshotFormat = SnapshotFormat(SnapshotFormat::FIRST.0 + 1);

    /// The form of new snapshots.
    fn newest() -> SnapshotFormat {
        if is_next() { SnapshotFormat::NEXT } else { SnapshotFormat::FIRST }
    }

    /// The form with this version number, if this build reads it.
    fn of_version(version: u8) -> Option<SnapshotFormat> {
        let newest = SnapshotFormat::newest();
        let oldest = SnapshotFormat::FIRST.0.max(newest.0 - 1);
        (oldest..=newest.0).contains(&version).then_some(SnapshotFormat(version))
    }
}

/// Encodes the state.
pub fn encode_snapshot(exchange: &Exchange) -> Vec<u8> {
    encode_in(exchange, SnapshotFormat::newest())
}

/// Encodes the state in chunks, so that the encoding is never in memory as a whole. The first error of `sink` ends it.
pub fn write_snapshot<E>(exchange: &Exchange, mut sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let format = SnapshotFormat::newest();
    sink(&MAGIC)?;
    sink(&[format.0])?;
    let mut failed = None;
    let written = write_state(exchange, format, &mut |bytes| {
        sink(bytes).map_err(|error| {
            failed = Some(error);
            Stopped
        })
    });
    match failed {
        Some(error) => Err(error),
        None => {
            assert!(written.is_ok(), "our encoders accept every value");
            Ok(())
        }
    }
}

/// Encodes the state as the build before the next version does.
#[cfg(test)]
pub(crate) fn encode_snapshot_in_first_form(exchange: &Exchange) -> Vec<u8> {
    encode_in(exchange, SnapshotFormat::FIRST)
}

fn encode_in(exchange: &Exchange, format: SnapshotFormat) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(format.0);
    let written = write_state(exchange, format, &mut |chunk| {
        bytes.extend_from_slice(chunk);
        Ok(())
    });
    assert!(written.is_ok(), "writing to memory cannot fail, and our encoders accept every value");
    bytes
}

/// Encodes the state in a form, without the header that names the form.
pub(super) fn write_state(
    exchange: &Exchange,
    format: SnapshotFormat,
    sink: &mut Sink<'_>,
) -> Result<(), Stopped> {
    let mut encoder = Encoder::new(Chunks::new(sink));
    write_parts(exchange, format, &mut encoder).map_err(|_| Stopped)?;
    encoder.into_writer().finish()
}

#[cfg_attr(not(any(test, feature = "next")), allow(unused_variables, reason = "there is one form"))]
fn write_parts<W: Write>(exchange: &Exchange, format: SnapshotFormat, e: &mut Encoder<W>) -> Written<W> {
    e.u32(exchange.rules_version)?.u64(exchange.seq)?.encode(exchange.now)?.u64(exchange.next_serial)?;
    e.encode(&exchange.governance)?;
    people::write_directory(e, &exchange.directory)?;
    money::write_ledger(e, &exchange.ledger)?;
    money::write_references(e, &exchange.references)?;
    markets::write_catalogue(e, &exchange.catalogue)?;
    listings::write_listings(e, exchange)?;
    people::write_memory(e, &exchange.memory)?;
    #[cfg(any(test, feature = "next"))]
    if format >= SnapshotFormat::NEXT {
        e.u64(exchange.drill)?;
    }
    Ok(())
}

/// Decodes a state; it behaves exactly like the encoded one.
pub fn decode_snapshot(bytes: &[u8]) -> Result<Exchange, CodecError> {
    let body = bytes.strip_prefix(&MAGIC).ok_or(CodecError::NotASnapshot)?;
    let (version, body) = body.split_first().ok_or(CodecError::NotASnapshot)?;
    let format = SnapshotFormat::of_version(*version).ok_or(CodecError::UnknownVersion(*version))?;
    let mut decoder = Decoder::new(body);
    let exchange = read_state(&mut decoder, format)?;
    if decoder.position() != body.len() {
        return Err(CodecError::TrailingBytes);
    }
    // CBOR allows several encodings of numbers and lists. Only one is accepted, so that digests are comparable.
    let mut rest = body;
    let compared = write_state(&exchange, format, &mut |chunk| {
        rest = rest.strip_prefix(chunk).ok_or(Stopped)?;
        Ok(())
    });
    match compared {
        Ok(()) if rest.is_empty() => Ok(exchange),
        _ => Err(CodecError::NotCanonical),
    }
}

#[cfg_attr(not(any(test, feature = "next")), allow(unused_variables, reason = "there is one form"))]
fn read_state(d: &mut Decoder<'_>, format: SnapshotFormat) -> Read<Exchange> {
    let mut exchange = Exchange::empty();
    exchange.rules_version = d.u32()?;
    check(exchange.rules_version <= Exchange::rules_known(), "this build supports its rules")?;
    exchange.seq = d.u64()?;
    exchange.now = d.decode()?;
    exchange.next_serial = d.u64()?;
    exchange.governance = d.decode()?;
    people::read_directory(d, &mut exchange)?;
    let mut balances = money::read_balances(d, exchange.directory.users.len())?;
    money::read_references(d, &mut exchange.references)?;
    markets::read_catalogue(d, &mut exchange, &balances)?;
    let mut created = listings::read_listings(d, &mut exchange, &mut balances)?;
    books::list_orders(&mut exchange, &mut created)?;
    let accounts = PerCurrency { usd: balances.usd.into(), ngn: balances.ngn.into() };
    exchange.ledger = Ledger::restored(accounts, exchange.now);
    people::read_memory(d, &mut exchange)?;
    #[cfg(any(test, feature = "next"))]
    if format >= SnapshotFormat::NEXT {
        exchange.drill = d.u64()?;
    }
    exchange.arm_timers();
    Ok(exchange)
}
