//! Requests as the journal keeps them: a version byte, then CBOR with the numbers of `command.rs`.
//!
//! A request has one spelling. Bytes with a field, a variant or a form that this build does not know are refused: an older
//! build must stop at them instead of deciding a part of them.

use minicbor::{Decoder, Encoder};

use super::{CodecError, Comparing};
use crate::command::Request;

const VERSION: u8 = 2;

/// Appends a request's bytes; the buffer may hold others before it.
pub fn encode_request(request: &Request, into: &mut Vec<u8>) {
    into.push(VERSION);
    let written = Encoder::new(into).encode(request).is_ok();
    assert!(written, "a vector takes every byte, and no encoder of ours refuses a value");
}

/// Reads one request that fills `bytes` to the end.
pub fn decode_request(bytes: &[u8]) -> Result<Request, CodecError> {
    let (version, body) = bytes.split_first().ok_or_else(minicbor::decode::Error::end_of_input)?;
    if *version != VERSION {
        return Err(CodecError::UnknownVersion(*version));
    }
    let mut decoder = Decoder::new(body);
    let request: Request = decoder.decode()?;
    if decoder.position() != body.len() {
        return Err(CodecError::TrailingBytes);
    }
    // The decoder skips fields that it does not know; the encoder writes none of them.
    match Encoder::new(Comparing { rest: body }).encode(&request) {
        Ok(_) => Ok(request),
        Err(_) => Err(CodecError::NotCanonical),
    }
}
