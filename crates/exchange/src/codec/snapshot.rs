//! The whole state in one canonical form: a state has one spelling, wherever its parts lie in memory.
//!
//! Head, governance, people, money, catalogue, listings with their positions and orders, memory. What is read back
//! is put together again by the maps and links that the commands use, then timers are set.
//!
//! A snapshot is written in the newest form of this build and read in that form and in the one before it, so that two
//! builds can share a folder or a log while one takes over from the other. The digest of the state goes by the rules of
//! the log and not by the build, see `digest.rs`.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::{CodecError, Comparing, Read, Written, books, check, listings, markets, money, people};
use crate::exchange::Exchange;

const MAGIC: [u8; 8] = *b"BELLWTHR";

/// How the state is spelt. A form never changes: a build that keeps more adds the next one, writes what is new where the
/// form is new enough, and can drop forms that neither a snapshot nor the digest of any rules needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form(u8);

impl Form {
    pub(crate) const FIRST: Form = Form(6);
    /// The form of new snapshots.
    const NEWEST: Form = if cfg!(any(test, feature = "next")) { Form::NEXT } else { Form::FIRST };
    /// The form that a next version adds, for drills of an upgrade.
    pub(crate) const NEXT: Form = Form(7);

    /// Finds the form of a snapshot's version.
    fn of_version(version: u8) -> Option<Form> {
        let oldest = Form::FIRST.0.max(Form::NEWEST.0 - 1);
        (oldest..=Form::NEWEST.0).contains(&version).then_some(Form(version))
    }
}

/// The state's bytes.
pub fn encode_snapshot(exchange: &Exchange) -> Vec<u8> {
    encode_in(exchange, Form::NEWEST)
}

/// The bytes that the build before the next version writes.
#[cfg(test)]
pub(crate) fn encode_snapshot_in_first_form(exchange: &Exchange) -> Vec<u8> {
    encode_in(exchange, Form::FIRST)
}

fn encode_in(exchange: &Exchange, form: Form) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(form.0);
    // Invariant: a vector takes every byte, and no encoder of ours refuses a value.
    let written = write_state(exchange, form, &mut bytes);
    assert!(written.is_ok(), "memory takes every byte");
    bytes
}

/// Writes the state in a form, without a head that names the form.
#[cfg_attr(not(any(test, feature = "next")), allow(unused_variables, reason = "there is one form"))]
pub(crate) fn write_state<W: Write>(exchange: &Exchange, form: Form, writer: W) -> Written<W> {
    let mut encoder = Encoder::new(writer);
    let e = &mut encoder;
    e.u32(exchange.rules_version)?.u64(exchange.seq)?.encode(exchange.now)?.u64(exchange.next_serial)?;
    e.encode(&exchange.governance)?;
    people::write_directory(e, &exchange.directory)?;
    money::write_ledger(e, &exchange.ledger)?;
    money::write_references(e, &exchange.references)?;
    markets::write_catalogue(e, &exchange.catalogue)?;
    listings::write_listings(e, exchange)?;
    people::write_memory(e, &exchange.memory)?;
    #[cfg(any(test, feature = "next"))]
    if form >= Form::NEXT {
        e.u64(exchange.drill)?;
    }
    Ok(())
}

/// A state out of its bytes; it goes on exactly as the one that was written.
pub fn decode_snapshot(bytes: &[u8]) -> Result<Exchange, CodecError> {
    let body = bytes.strip_prefix(&MAGIC).ok_or(CodecError::NotASnapshot)?;
    let (version, body) = body.split_first().ok_or(CodecError::NotASnapshot)?;
    let form = Form::of_version(*version).ok_or(CodecError::UnknownVersion(*version))?;
    let mut decoder = Decoder::new(body);
    let exchange = read_state(&mut decoder, form)?;
    if decoder.position() != body.len() {
        return Err(CodecError::TrailingBytes);
    }
    // Numbers and lists can be spelt in several ways; a state has one spelling, so that digests mean something.
    match write_state(&exchange, form, Comparing { rest: body }) {
        Ok(()) => Ok(exchange),
        Err(_) => Err(CodecError::NotCanonical),
    }
}

#[cfg_attr(not(any(test, feature = "next")), allow(unused_variables, reason = "there is one form"))]
fn read_state(d: &mut Decoder<'_>, form: Form) -> Read<Exchange> {
    let mut exchange = Exchange::empty();
    exchange.rules_version = d.u32()?;
    check(exchange.rules_version <= Exchange::RULES_VERSION, "its rules are known to this build")?;
    exchange.seq = d.u64()?;
    exchange.now = d.decode()?;
    exchange.next_serial = d.u64()?;
    exchange.governance = d.decode()?;
    people::read_directory(d, &mut exchange)?;
    money::read_ledger(d, &mut exchange)?;
    exchange.ledger.now = exchange.now;
    money::read_references(d, &mut exchange.references)?;
    markets::read_catalogue(d, &mut exchange)?;
    let mut created = listings::read_listings(d, &mut exchange)?;
    books::list_orders(&mut exchange, &mut created);
    people::read_memory(d, &mut exchange)?;
    #[cfg(any(test, feature = "next"))]
    if form >= Form::NEXT {
        exchange.drill = d.u64()?;
    }
    exchange.arm_timers();
    Ok(exchange)
}
