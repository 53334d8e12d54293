//! Requests as stored in the journal: a version byte, then CBOR with the numbers of `command.rs`.
//!
//! A request has exactly one encoding. Bytes with an unknown field, variant or form are refused: an older build must
//! stop at them instead of deciding a part of them.

use std::convert::Infallible;

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::CodecError;
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
    // Decoders skip unknown fields, and accept numbers and lists in longer forms. The encoder writes the shortest form of
    // known fields, so that any other encoding is longer. No request contains a map or a set, whose order could differ.
    if encoded_length(&request) != body.len() {
        return Err(CodecError::NotCanonical);
    }
    Ok(request)
}

fn encoded_length(request: &Request) -> usize {
    let mut encoder = Encoder::new(Counting { bytes: 0 });
    let is_counted = encoder.encode(request).is_ok();
    assert!(is_counted, "counting cannot fail, and our encoders accept every value");
    encoder.writer().bytes
}

/// Counts bytes in place of writing them.
struct Counting {
    bytes: usize,
}

impl Write for Counting {
    type Error = Infallible;

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.bytes += bytes.len();
        Ok(())
    }
}
