//! The whole state in one canonical form: the same state has the same bytes, wherever its parts lie in memory.
//!
//! Head, governance, people, money, catalogue, listings with their positions and orders, memory. What is read back
//! is put together again by the same maps and links that the commands use, then timers are set.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::{CodecError, Read, Written, books, listings, markets, money, people};
use crate::exchange::Exchange;

const MAGIC: [u8; 8] = *b"BELLWTHR";
const VERSION: u8 = 5;

/// The state's bytes.
pub fn encode_snapshot(exchange: &Exchange) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Invariant: a vector takes every byte, and no encoder of ours refuses a value.
    let written = write_snapshot(exchange, &mut bytes);
    assert!(written.is_ok(), "memory takes every byte");
    bytes
}

/// The same bytes, to wherever they are wanted.
pub(crate) fn write_snapshot<W: Write>(exchange: &Exchange, writer: W) -> Written<W> {
    let mut encoder = Encoder::new(writer);
    let e = &mut encoder;
    e.writer_mut().write_all(&MAGIC).map_err(minicbor::encode::Error::write)?;
    e.writer_mut().write_all(&[VERSION]).map_err(minicbor::encode::Error::write)?;
    e.u32(exchange.rules_version)?.u64(exchange.seq)?.encode(exchange.now)?.u64(exchange.next_serial)?;
    e.encode(&exchange.governance)?;
    people::write_directory(e, &exchange.directory)?;
    money::write_ledger(e, &exchange.ledger)?;
    money::write_references(e, &exchange.references)?;
    markets::write_catalogue(e, &exchange.catalogue)?;
    listings::write_listings(e, exchange)?;
    people::write_memory(e, &exchange.memory)
}

/// A state out of its bytes; it goes on exactly as the one that was written.
pub fn decode_snapshot(bytes: &[u8]) -> Result<Exchange, CodecError> {
    let body = bytes.strip_prefix(&MAGIC).ok_or(CodecError::NotASnapshot)?;
    let (version, body) = body.split_first().ok_or(CodecError::NotASnapshot)?;
    if *version != VERSION {
        return Err(CodecError::UnknownVersion(*version));
    }
    let mut decoder = Decoder::new(body);
    let exchange = read_state(&mut decoder)?;
    if decoder.position() != body.len() {
        return Err(CodecError::TrailingBytes);
    }
    // Numbers and lists can be spelt in several ways; a state has one spelling, so that digests mean something.
    match write_snapshot(&exchange, Comparing { rest: bytes }) {
        Ok(()) => Ok(exchange),
        Err(_) => Err(CodecError::NotCanonical),
    }
}

/// Takes the very bytes it was given, and no others.
struct Comparing<'a> {
    rest: &'a [u8],
}

impl Write for Comparing<'_> {
    type Error = Different;

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Different> {
        self.rest = self.rest.strip_prefix(bytes).ok_or(Different)?;
        Ok(())
    }
}

#[derive(Debug)]
struct Different;

fn read_state(d: &mut Decoder<'_>) -> Read<Exchange> {
    let mut exchange = Exchange::empty();
    exchange.rules_version = d.u32()?;
    super::check(exchange.rules_version <= Exchange::RULES_VERSION, "its rules are known to this build")?;
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
    exchange.arm_timers();
    Ok(exchange)
}
