//! Finds the messages in what a server writes on a WebSocket: after the head of the upgrade, frames without a mask.

use bytes::{Buf, Bytes, BytesMut};
use serde::Deserialize;

/// The types of messages that are no data: answers to the client, and signs of life.
const NO_DATA: [&str; 7] =
    ["connected", "subscribed", "unsubscribed", "pong", "error", "heartbeat", "cancelOnDisconnect"];

const TEXT: u8 = 1;

/// A piece of a stream that is sent, dropped or repeated as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The head of the upgrade, or a frame without data.
    Other(Bytes),
    /// A frame with a message about the venue.
    Data(Bytes),
}

/// Cuts bytes into pieces.
#[derive(Debug, Default)]
pub(super) struct Frames {
    waiting: BytesMut,
    has_head: bool,
}

impl Frames {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    /// The next whole piece.
    pub(super) fn next_piece(&mut self) -> Option<Piece> {
        if !self.has_head {
            let end = self.waiting.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
            self.has_head = true;
            return Some(Piece::Other(self.waiting.split_to(end).freeze()));
        }
        let (head, length) = frame_head(&self.waiting)?;
        let end = head.checked_add(length).filter(|end| *end <= self.waiting.len())?;
        let frame = self.waiting.split_to(end).freeze();
        let is_data = frame[0] & 0x0f == TEXT && is_data(&frame[head..]);
        Some(if is_data { Piece::Data(frame) } else { Piece::Other(frame) })
    }
}

/// The length of a frame's head and of its payload, if the head is complete.
fn frame_head(bytes: &[u8]) -> Option<(usize, usize)> {
    let length = usize::from(bytes.get(1)? & 0x7f);
    match length {
        126 => Some((4, usize::from(bytes.get(2..4)?.get_u16()))),
        127 => Some((10, usize::try_from(bytes.get(2..10)?.get_u64()).ok()?)),
        _ => Some((2, length)),
    }
}

#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "type", borrow)]
    kind: &'a str,
}

fn is_data(payload: &[u8]) -> bool {
    let typed: Option<Typed<'_>> = serde_json::from_slice(payload).ok();
    typed.is_none_or(|typed| !NO_DATA.contains(&typed.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Vec<u8> {
        let mut frame = vec![0x81];
        match text.len() {
            short @ 0..126 => frame.push(short as u8),
            long => {
                frame.push(126);
                frame.extend((long as u16).to_be_bytes());
            }
        }
        frame.extend(text.as_bytes());
        frame
    }

    #[test]
    fn pieces_are_whole_however_the_bytes_arrive() {
        let long = format!(r#"{{"type":"activity","text":"{}"}}"#, "x".repeat(300));
        let frames =
            [frame(r#"{"type":"connected"}"#), frame(&long), vec![0x89, 0], frame(r#"{"type":"orderbook"}"#)];
        let head = b"HTTP/1.1 101 Switching Protocols\r\n\r\n".to_vec();
        let all = [vec![head.clone()], frames.to_vec()].concat().concat();
        for step in [1, 3, 50, all.len()] {
            let (mut found, mut pieces) = (Frames::default(), Vec::new());
            for part in all.chunks(step) {
                found.add(part);
                while let Some(piece) = found.next_piece() {
                    pieces.push(piece);
                }
            }
            let [connected, long, ping, book] = frames.clone().map(Bytes::from);
            let expected = [
                Piece::Other(head.clone().into()),
                Piece::Other(connected),
                Piece::Data(long),
                Piece::Other(ping),
                Piece::Data(book),
            ];
            assert_eq!(pieces, expected, "in steps of {step}");
        }
    }
}
