//! Requests as stored in the journal: a version byte, then CBOR with the numbers of `command.rs`.
//!
//! A request has exactly one encoding. Bytes with an unknown field, variant or form are refused: an older build must
//! stop at them instead of deciding a part of them.

use minicbor::{Decoder, Encoder};

use super::{CodecError, Comparing};
use crate::command::Request;

const VERSION: u8 = 2;

/// Appends a request's encoding to the buffer.
pub fn encode_request(request: &Request, into: &mut Vec<u8>) {
    into.push(VERSION);
    let written = Encoder::new(into).encode(request).is_ok();
    assert!(written, "writing to a vector cannot fail, and our encoders accept every value");
}

/// Decodes one request that fills `bytes` exactly.
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
    // The decoder skips unknown fields, and the encoder does not write them: a difference means that there were some.
    match Encoder::new(Comparing { rest: body }).encode(&request) {
        Ok(_) => Ok(request),
        Err(_) => Err(CodecError::NotCanonical),
    }
}
