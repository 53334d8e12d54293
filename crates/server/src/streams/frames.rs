//! Messages as WebSocket frames (RFC 6455, section 5.2), encoded once: a server's frames have no mask, so all readers
//! of a form of a message get the same bytes.

use std::fmt;
use std::io::Cursor;
use std::sync::{Arc, OnceLock};

use api::json::{Decimals, WriteJson, Writer};
use bytes::Bytes;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// The longest frame head without a mask.
const HEAD_BYTES_MAX: usize = 10;
/// The size of most messages.
const MESSAGE_BYTES: usize = 640;

/// A message in frames of both forms, shared by its readers.
#[derive(Clone)]
pub(super) struct EncodedMessage(Arc<Encoded<dyn WriteJson + Send + Sync>>);

struct Encoded<M: ?Sized> {
    numbers: Frame,
    /// Written when a reader first needs it: most messages have no reader of this form.
    strings: OnceLock<Frame>,
    message: M,
}

#[derive(Clone)]
struct Frame {
    bytes: Bytes,
    head_bytes: usize,
}

impl EncodedMessage {
    pub(super) fn new(message: impl WriteJson + Send + Sync + 'static) -> EncodedMessage {
        let numbers = Frame::of(&message, Decimals::Numbers);
        EncodedMessage(Arc::new(Encoded { numbers, strings: OnceLock::new(), message }))
    }

    /// A message without decimals, which has one form.
    pub(super) fn without_decimals(message: &impl WriteJson) -> EncodedMessage {
        let numbers = Frame::of(message, Decimals::Numbers);
        EncodedMessage(Arc::new(Encoded { strings: OnceLock::from(numbers.clone()), numbers, message: "" }))
    }

    fn form(&self, decimals: Decimals) -> &Frame {
        let Encoded { numbers, strings, message } = &*self.0;
        match decimals {
            Decimals::Numbers => numbers,
            Decimals::Strings => strings.get_or_init(|| Frame::of(message, Decimals::Strings)),
        }
    }

    /// The whole frame.
    pub(super) fn frame(&self, decimals: Decimals) -> &Bytes {
        &self.form(decimals).bytes
    }

    /// The message without its frame head.
    pub(super) fn content(&self, decimals: Decimals) -> &[u8] {
        let Frame { bytes, head_bytes } = self.form(decimals);
        &bytes[*head_bytes..]
    }
}

impl fmt::Debug for EncodedMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(self.content(Decimals::Numbers)).fmt(formatter)
    }
}

impl Frame {
    fn of(message: &(impl WriteJson + ?Sized), decimals: Decimals) -> Frame {
        // The head follows when the length is known.
        let mut bytes = Vec::with_capacity(HEAD_BYTES_MAX + MESSAGE_BYTES);
        bytes.resize(HEAD_BYTES_MAX, 0);
        let mut out = Writer::new(bytes, decimals);
        message.write_json(&mut out);
        let mut bytes = out.into_bytes();
        let length = (bytes.len() - HEAD_BYTES_MAX) as u64;
        let head = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        let head_bytes = head.len(length);
        let start = HEAD_BYTES_MAX - head_bytes;
        let written = head.format(length, &mut &mut bytes[start..HEAD_BYTES_MAX]);
        assert!(written.is_ok(), "a head without a mask has at most {HEAD_BYTES_MAX} bytes");
        Frame { bytes: Bytes::from(bytes).slice(start..), head_bytes }
    }
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
impl EncodedMessage {
    /// A message of these bytes.
    pub(super) fn text(text: &str) -> EncodedMessage {
        struct Raw<'a>(&'a str);

        impl WriteJson for Raw<'_> {
            fn write_json(&self, out: &mut Writer) {
                out.raw(self.0.as_bytes());
            }
        }

        EncodedMessage::without_decimals(&Raw(text))
    }
}

#[cfg(test)]
mod tests {
    use api::decimal::Money;

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
            assert_eq!(message.content(Decimals::Numbers), text.as_bytes());
            assert_eq!(*message.frame(Decimals::Numbers), [&head[..], text.as_bytes()].concat());
        }
        let message = EncodedMessage::new(["é"]);
        assert_eq!(*message.frame(Decimals::Numbers), [&[0x81, 6][..], "[\"é\"]".as_bytes()].concat());
    }

    #[test]
    fn the_form_with_strings_is_written_once_for_all_readers() {
        let message = EncodedMessage::new(vec![Money::from_units(1_500_000)]);
        assert_eq!(message.content(Decimals::Numbers), b"[1.5]");
        assert_eq!(message.content(Decimals::Strings), b"[\"1.5\"]");
        let again = message.clone();
        assert_eq!(again.frame(Decimals::Strings).as_ptr(), message.frame(Decimals::Strings).as_ptr());
    }

    #[test]
    fn the_end_of_a_frame_that_is_partly_written_is_found() {
        let lengths = [0, 10, 200, 70_000];
        let messages = lengths.map(|length| EncodedMessage::text(&"x".repeat(length)));
        let frames: Vec<u8> =
            messages.iter().flat_map(|message| message.frame(Decimals::Numbers).to_vec()).collect();
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
