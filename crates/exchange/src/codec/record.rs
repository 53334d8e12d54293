//! One order as history keeps it: the same bytes on every machine, so that history can be rebuilt and compared.

use minicbor::{Decoder, Encoder};

use super::CodecError;
use crate::order::{OrderRecord, OrderStatus};

/// The bytes of a record.
pub fn encode_record(record: &OrderRecord) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes);
    let fields = (record.user, record.market, record.currency, status_number(record.status), &record.terms);
    let written = encoder.encode(fields).is_ok();
    assert!(written, "a vector takes every byte");
    bytes
}

/// Reads a record that fills `bytes` to the end.
pub fn decode_record(bytes: &[u8]) -> Result<OrderRecord, CodecError> {
    let mut decoder = Decoder::new(bytes);
    let (user, market, currency, status, terms) = decoder.decode::<(_, _, _, u8, _)>()?;
    if decoder.position() != bytes.len() {
        return Err(CodecError::TrailingBytes);
    }
    let status = status_of(status).ok_or_else(|| minicbor::decode::Error::message("no such order status"))?;
    Ok(OrderRecord { user, market, currency, status, terms })
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
