//! Any past state: replays the journal from its first frame up to a sequence or a time.

use std::str::FromStr;

use api::Timestamp;
use exchange::Exchange;
use journal::{Frame, FrameHeader, Head, Payload};

use super::{AuditError, DataFolder, last_sequence, replay_frame};
use crate::applied::Unobserved;

/// Where to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this sequence, even within a frame.
    Sequence(u64),
    /// After the last frame at or before this time.
    Time(Timestamp),
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Until, String> {
        if let Ok(sequence) = text.parse() {
            return Ok(Until::Sequence(sequence));
        }
        let time = Timestamp::parse(text).map(Until::Time);
        time.map_err(|_| "must be a sequence, or an RFC 3339 time such as 2026-07-28T23:42:38Z".to_owned())
    }
}

/// A past state.
#[derive(Debug)]
pub struct PastState {
    pub exchange: Exchange,
    /// The head after the last frame applied, in whole or in part.
    pub head: Head,
    /// Whether the journal continues after it.
    pub has_more: bool,
}

/// Replays a folder up to the given point.
pub fn replay_until<'a>(
    folder: impl Into<DataFolder<'a>>,
    until: Until,
    mut progress: impl FnMut(u64, u64),
) -> Result<PastState, AuditError> {
    let source = folder.into();
    let skips = source.find_skips(&Head::EMPTY)?;
    let (folder, mut audit) = (source.folder, source.open_journal()?);
    let last = match until {
        Until::Sequence(sequence) => last_sequence(folder).min(sequence),
        Until::Time(_) => last_sequence(folder),
    };
    let mut past = PastState { exchange: Exchange::new(), head: Head::EMPTY, has_more: false };
    while let Some(frame) = audit.next_frame()? {
        let Some((part, is_whole)) = part_until(&frame, until) else {
            past.has_more = true;
            break;
        };
        replay_frame(&mut past.exchange, &part, &skips, &mut Unobserved)?;
        past.head = Head::after(&frame.header, frame.hash);
        progress(past.exchange.seq(), last.max(past.exchange.seq()));
        if !is_whole {
            past.has_more = true;
            break;
        }
    }
    Ok(past)
}

impl Until {
    /// Whether all frames up to a head are within the range.
    pub(super) fn covers(self, head: &Head) -> bool {
        match self {
            Until::Sequence(sequence) => head.next.0 - 1 <= sequence,
            Until::Time(time) => head.at <= time.micros(),
        }
    }
}

/// The part of a frame within the range, and whether it is the whole frame.
pub(super) fn part_until(frame: &Frame, until: Until) -> Option<(Frame, bool)> {
    let wanted = match until {
        Until::Time(time) if frame.header.at <= time.micros() => u64::from(frame.header.commands),
        Until::Time(_) => 0,
        Until::Sequence(sequence) => sequence.saturating_add(1).saturating_sub(frame.header.first.0),
    };
    if wanted == 0 {
        return None;
    }
    if wanted >= u64::from(frame.header.commands) {
        return Some((frame.clone(), true));
    }
    let mut payload = Payload::new();
    let commands = frame.payload.commands().zip(0..wanted);
    commands.for_each(|(command, _)| payload.push(command));
    let payload_bytes = u32::try_from(payload.bytes().len()).unwrap_or(frame.header.payload_bytes);
    let header = FrameHeader { commands: payload.commands_count(), payload_bytes, ..frame.header };
    Some((Frame { header, hash: frame.hash, payload }, false))
}
