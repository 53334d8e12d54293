//! Orders, trades, mints, burns, settlements and news as stored in history, and orders in stored replies. The encoding is the
//! same on every machine, so that history can be rebuilt and compared.

use std::sync::Arc;

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use super::CodecError;
use crate::catalogue::Instrument;
use crate::change::{SetsChange, Settled, Trade};
use crate::command::NewsNote;
use crate::id::{NewsId, OutcomeId};
use crate::order::{OrderRecord, OrderStatus, Outcome, ReportedOrder};

/// Encodes an order record.
pub fn encode_record(record: &OrderRecord) -> Vec<u8> {
    encode(record)
}

/// Decodes a record that fills `bytes` exactly.
pub fn decode_record(bytes: &[u8]) -> Result<OrderRecord, CodecError> {
    decode(bytes)
}

/// Encodes a trade.
pub fn encode_trade(trade: &Trade) -> Vec<u8> {
    encode(trade)
}

/// Decodes a trade that fills `bytes` exactly.
pub fn decode_trade(bytes: &[u8]) -> Result<Trade, CodecError> {
    decode(bytes)
}

/// Encodes the settlement of a position.
pub fn encode_settled(settled: &Settled) -> Vec<u8> {
    encode(settled)
}

/// Decodes a settlement that fills `bytes` exactly.
pub fn decode_settled(bytes: &[u8]) -> Result<Settled, CodecError> {
    decode(bytes)
}

/// Encodes a mint or a burn.
pub fn encode_sets(sets: &SetsChange) -> Vec<u8> {
    encode(sets)
}

/// Decodes a mint or a burn that fills `bytes` exactly.
pub fn decode_sets(bytes: &[u8]) -> Result<SetsChange, CodecError> {
    decode(bytes)
}

/// Encodes a note about news, or its removal.
pub fn encode_news(news: NewsId, note: Option<&NewsNote>) -> Vec<u8> {
    encode(&(news, note))
}

/// Decodes a note about news that fills `bytes` exactly.
pub fn decode_news(bytes: &[u8]) -> Result<(NewsId, Option<NewsNote>), CodecError> {
    decode(bytes)
}

fn encode(value: &impl Encode<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = Encoder::new(&mut bytes).encode(value).is_ok();
    assert!(written, "writing to a vector cannot fail");
    bytes
}

fn decode<'b, T: Decode<'b, ()>>(bytes: &'b [u8]) -> Result<T, CodecError> {
    let mut decoder = Decoder::new(bytes);
    let value = decoder.decode()?;
    if decoder.position() != bytes.len() {
        return Err(CodecError::TrailingBytes);
    }
    Ok(value)
}

impl<C> Encode<C> for OrderRecord {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        let OrderRecord { user, market, currency, status, ref terms } = *self;
        e.encode((user, market, currency, status_number(status), terms))?.ok()
    }
}

impl<'b, C> Decode<'b, C> for OrderRecord {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<OrderRecord, Error> {
        let (user, market, currency, status, terms) = d.decode::<(_, _, _, u8, _)>()?;
        let status = status_of(status).ok_or_else(|| Error::message("no such order status"))?;
        Ok(OrderRecord { user, market, currency, status, terms })
    }
}

/// The ids of the outcomes follow from the market's.
impl<C> Encode<C> for ReportedOrder {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        let Instrument { event, engine, ref labels, .. } = *self.instrument;
        e.encode((&self.record, event, engine, &labels[0], &labels[1]))?.ok()
    }
}

impl<'b, C> Decode<'b, C> for ReportedOrder {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<ReportedOrder, Error> {
        let (record, event, engine, yes, no) = d.decode::<(OrderRecord, _, _, _, _)>()?;
        let (market, labels) = (record.market, [yes, no]);
        let outcomes = Outcome::BOTH.map(|outcome| OutcomeId::of(market, outcome as u64));
        Ok(ReportedOrder {
            record,
            instrument: Arc::new(Instrument { event, market, engine, outcomes, labels }),
        })
    }
}

const STATUSES: [OrderStatus; 6] = [
    OrderStatus::Open,
    OrderStatus::PartialFilled,
    OrderStatus::Filled,
    OrderStatus::Cancelled,
    OrderStatus::Rejected,
    OrderStatus::Expired,
];

fn status_number(status: OrderStatus) -> u8 {
    status as u8
}

fn status_of(number: u8) -> Option<OrderStatus> {
    STATUSES.into_iter().find(|status| status_number(*status) == number)
}
