//! Messages as WebSocket frames (RFC 6455, section 5.2), encoded once: a server's frames have no mask, so all readers
//! of a message get the same bytes.

use std::io::Cursor;

use bytes::Bytes;
use serde::Serialize;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// The longest frame head without a mask.
const HEAD_BYTES_MAX: usize = 10;
/// The size of most messages.
const MESSAGE_BYTES: usize = 640;

/// An encoded message in a frame, shared by its readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EncodedMessage {
    frame: Bytes,
    head_bytes: usize,
}

impl EncodedMessage {
    pub(super) fn json(message: &impl Serialize) -> serde_json::Result<EncodedMessage> {
        // The head follows when the length is known.
        let mut bytes = Vec::with_capacity(HEAD_BYTES_MAX + MESSAGE_BYTES);
        bytes.resize(HEAD_BYTES_MAX, 0);
        serde_json::to_writer(&mut bytes, message)?;
        Ok(EncodedMessage::framed(bytes))
    }

    pub(super) fn text(text: &str) -> EncodedMessage {
        EncodedMessage::framed([&[0; HEAD_BYTES_MAX][..], text.as_bytes()].concat())
    }

    /// `bytes`: space for the head, then the content.
    fn framed(mut bytes: Vec<u8>) -> EncodedMessage {
        let length = (bytes.len() - HEAD_BYTES_MAX) as u64;
        let head = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        let head_bytes = head.len(length);
        let start = HEAD_BYTES_MAX - head_bytes;
        let written = head.format(length, &mut &mut bytes[start..HEAD_BYTES_MAX]);
        assert!(written.is_ok(), "a head without a mask has at most {HEAD_BYTES_MAX} bytes");
        EncodedMessage { frame: Bytes::from(bytes).slice(start..), head_bytes }
    }

    /// The whole frame.
    pub(super) fn frame(&self) -> &Bytes {
        &self.frame
    }

    /// The message without its frame head.
    pub(super) fn content(&self) -> &[u8] {
        &self.frame[self.head_bytes..]
    }
}

/// Frames with the content of each message changed by `change`; it returns `None` for one that stays as it is.
pub(super) fn changed(frames: &[u8], change: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Bytes {
    let mut changed = Vec::with_capacity(frames.len() + frames.len() / 8);
    let mut cursor = Cursor::new(frames);
    let mut start = 0;
    while let Ok(Some((_, length))) = FrameHeader::parse(&mut cursor) {
        let content = usize::try_from(cursor.position()).unwrap_or(frames.len());
        let end = frames.len().min(content.saturating_add(usize::try_from(length).unwrap_or(frames.len())));
        match change(&frames[content..end]) {
            Some(text) => {
                let message = EncodedMessage::framed([&[0; HEAD_BYTES_MAX][..], &text].concat());
                changed.extend_from_slice(message.frame());
            }
            None => changed.extend_from_slice(&frames[start..end]),
        }
        start = end;
        cursor.set_position(end as u64);
    }
    changed.into()
}

/// Where the frame that contains the byte before `position` ends. `frames` begins with a frame.
pub(super) fn frame_end(frames: &[u8], position: usize) -> usize {
    let mut cursor = Cursor::new(frames);
    while cursor.position() < position as u64 {
        let Ok(Some((_, length))) = FrameHeader::parse(&mut cursor) else { break };
        cursor.set_position(cursor.position() + length);
    }
    usize::try_from(cursor.position()).map_or(frames.len(), |end| end.min(frames.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_framed_with_the_head_for_its_length() {
        for (length, head) in [
            (0, vec![0x81, 0]),
            (125, vec![0x81, 125]),
            (126, vec![0x81, 126, 0, 126]),
            (65_535, vec![0x81, 126, 0xff, 0xff]),
            (65_536, vec![0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let text = "x".repeat(length);
            let message = EncodedMessage::text(&text);
            assert_eq!(message.content(), text.as_bytes());
            assert_eq!(*message.frame(), [&head[..], text.as_bytes()].concat());
        }
        let message = EncodedMessage::json(&["é"]).expect("JSON");
        assert_eq!(*message.frame(), [&[0x81, 6][..], "[\"é\"]".as_bytes()].concat());
    }

    #[test]
    fn contents_are_changed_one_by_one_and_framed_again() {
        let texts = ["stays", "x", "", "y"];
        let frames: Vec<u8> =
            texts.iter().flat_map(|text| EncodedMessage::text(text).frame().to_vec()).collect();
        let long = "x".repeat(70_000);
        let replaced = changed(&frames, |content| match content {
            b"x" => Some(long.clone().into_bytes()),
            b"y" => Some(Vec::new()),
            _ => None,
        });
        let expected =
            ["stays", &long, "", ""].map(|text| EncodedMessage::text(text).frame().to_vec()).concat();
        assert_eq!(replaced, expected);
        assert!(changed(&[], |_| None).is_empty());
    }

    #[test]
    fn the_end_of_a_frame_that_is_partly_written_is_found() {
        let lengths = [0, 10, 200, 70_000];
        let messages = lengths.map(|length| EncodedMessage::text(&"x".repeat(length)));
        let frames: Vec<u8> = messages.iter().flat_map(|message| message.frame().to_vec()).collect();
        let (first, second, third) = (2, 2 + 12, 2 + 12 + 204);
        for (position, end) in [
            (0, 0),
            (1, first),
            (2, first),
            (3, second),
            (second, second),
            (second + 1, third),
            (third + 69_000, frames.len()),
            (frames.len(), frames.len()),
        ] {
            assert_eq!(frame_end(&frames, position), end, "from {position}");
        }
    }
}
