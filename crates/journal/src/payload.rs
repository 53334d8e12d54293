//! The commands of one frame, each prefixed with its length. The commands themselves are opaque.

use crate::frame::FrameKind;

/// The commands of a frame, encoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    bytes: Vec<u8>,
    commands: u32,
    kind: FrameKind,
}

/// The bytes do not contain the stated number of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes do not hold {commands} length-prefixed commands")]
pub struct PayloadError {
    pub bytes: usize,
    pub commands: u32,
}

const LENGTH_BYTES: usize = 4;

impl Payload {
    pub fn new() -> Payload {
        Payload::default()
    }

    /// The payload of a frame of kind `Skip`: one command.
    pub fn skip(command: &[u8]) -> Payload {
        let mut payload = Payload { kind: FrameKind::Skip, ..Payload::default() };
        payload.push(command);
        payload
    }

    pub fn kind(&self) -> FrameKind {
        self.kind
    }

    /// Adds one command.
    pub fn push(&mut self, command: &[u8]) {
        self.push_with(|bytes| bytes.extend_from_slice(command));
    }

    /// Adds one command, which `write` appends directly to the buffer; the encoder needs no buffer.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len() + LENGTH_BYTES;
        self.bytes.extend_from_slice(&[0; LENGTH_BYTES]);
        write(&mut self.bytes);
        let length = self.bytes.len().checked_sub(start).expect("`write` only appends");
        let length = u32::try_from(length).expect("a command is far smaller than 4 GiB");
        self.bytes[start - LENGTH_BYTES..start].copy_from_slice(&length.to_le_bytes());
        self.commands += 1;
    }

    /// Removes all commands and keeps the capacity.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.commands = 0;
    }

    /// The inverse of [`Payload::bytes`]. Fails unless the bytes hold exactly `commands` commands.
    pub fn parse(bytes: Vec<u8>, commands: u32, kind: FrameKind) -> Result<Payload, PayloadError> {
        let mut walk = Commands { rest: &bytes };
        let found = walk.by_ref().count();
        let is_alone = kind == FrameKind::Commands || commands == 1;
        if walk.rest.is_empty() && u32::try_from(found) == Ok(commands) && is_alone {
            Ok(Payload { bytes, commands, kind })
        } else {
            Err(PayloadError { bytes: bytes.len(), commands })
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn commands_count(&self) -> u32 {
        self.commands
    }

    pub fn is_empty(&self) -> bool {
        self.commands == 0
    }

    /// The commands in their order.
    pub fn commands(&self) -> Commands<'_> {
        Commands { rest: &self.bytes }
    }
}

/// Iterates over the commands of a payload. Stops early, with a non-empty rest, if a length does not fit.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Commands<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.rest.split_first_chunk::<LENGTH_BYTES>()?;
        let (command, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        self.rest = rest;
        Some(command)
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameKind, Payload};

    #[test]
    fn a_payload_gives_its_commands_back() {
        let mut payload = Payload::new();
        payload.push(b"one");
        payload.push(b"");
        payload.push_with(|bytes| bytes.extend_from_slice(b"three"));
        let commands: Vec<_> = payload.commands().collect();
        assert_eq!(commands, [b"one".as_slice(), b"", b"three"]);
        assert_eq!(Payload::parse(payload.bytes().to_vec(), 3, FrameKind::Commands), Ok(payload.clone()));
        payload.clear();
        assert!(payload.is_empty());
    }

    #[test]
    fn a_payload_that_skips_holds_one_command() {
        let payload = Payload::skip(b"one");
        assert_eq!(Payload::parse(payload.bytes().to_vec(), 1, FrameKind::Skip), Ok(payload.clone()));
        let mut two = payload;
        two.push(b"two");
        assert!(Payload::parse(two.bytes().to_vec(), 2, FrameKind::Skip).is_err());
    }

    #[test]
    fn a_payload_whose_lengths_do_not_add_up_is_refused() {
        let mut payload = Payload::new();
        payload.push(b"one");
        assert!(Payload::parse(payload.bytes().to_vec(), 2, FrameKind::Commands).is_err());
        for length in 1..payload.bytes().len() {
            assert!(Payload::parse(payload.bytes()[..length].to_vec(), 1, FrameKind::Commands).is_err());
        }
    }
}
