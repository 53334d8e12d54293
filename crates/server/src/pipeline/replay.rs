//! Replay: restores a snapshot and applies journal frames to it, with the same `decide` as the live writer.

use std::time::Duration;

use exchange::time::Time;
use exchange::{Exchange, codec};
use journal::snapshots::Snapshots;
use journal::{Frame, FrameHash, FrameHeader, Head, Journal, Payload, Sequence};

use super::deciding::decide;
use super::skips::Skips;
use crate::applied::{Observer, Unobserved};
use crate::start_error::StartError;

/// The findings of a start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartReport {
    /// The sequence of the snapshot used; 0 without one.
    pub snapshot: u64,
    /// Descriptions of the unusable snapshots.
    pub bad_snapshots: Vec<String>,
    pub replayed: u64,
    /// The torn frame that a crash left, if any. Its requests were never answered.
    pub cut: Option<String>,
    /// How far an unsynchronised clock that the operator accepted is past the last frame.
    pub unsure_clock: Option<Duration>,
    /// How far the stamping clock is behind the last frame. The exchange's time does not advance until the clock has
    /// caught up.
    pub behind: Duration,
}

/// A state from a snapshot, or an empty one.
#[derive(Debug)]
pub(crate) struct RestoredState {
    pub(crate) exchange: Exchange,
    /// The journal head at the snapshot that `exchange` was restored from.
    pub(crate) head: Head,
    /// The journal head at the newest readable snapshot, even if `exchange` was not restored from it.
    pub(crate) newest: Head,
    pub(crate) report: StartReport,
}

/// Restores the newest snapshot that this build can read, if the observer has everything before it.
pub(crate) fn restore(
    mut snapshots: impl Snapshots,
    observer: &dyn Observer,
) -> Result<RestoredState, StartError> {
    let latest = snapshots.latest_read(|snapshot| {
        let state = codec::decode_snapshot(&snapshot.content).map_err(|cause| cause.to_string())?;
        Ok((state, snapshot.head))
    })?;
    let bad_snapshots = latest.bad.iter().map(ToString::to_string).collect();
    let newest = latest.snapshot.as_ref().map_or(Head::EMPTY, |(_, head)| *head);
    // If history lacks something before the snapshot, the state starts empty and the whole journal is replayed.
    let usable = latest.snapshot.filter(|(state, _)| state.seq() <= observer.stored_until());
    let (exchange, head) = usable.unwrap_or_else(|| (Exchange::new(), Head::EMPTY));
    let report = StartReport { snapshot: exchange.seq(), bad_snapshots, ..StartReport::default() };
    Ok(RestoredState { exchange, head, newest, report })
}

/// Whether a snapshot's journal head `snapshot_head` is part of the journal.
pub(crate) fn is_on_chain(
    journal: &dyn Journal,
    head: &Head,
    snapshot_head: &Head,
) -> Result<bool, StartError> {
    if snapshot_head.next == Sequence::FIRST {
        return Ok(true);
    }
    if snapshot_head.next >= head.next {
        return Ok(snapshot_head.next == head.next && head.hash == snapshot_head.hash);
    }
    let following: Option<Frame> = journal.frames(snapshot_head.next)?.next_frame()?;
    Ok(following.is_some_and(|frame| frame.header.previous_hash == snapshot_head.hash))
}

/// Applies the requests of a frame before the sequence `end`.
pub(crate) fn replay_before(
    exchange: &mut Exchange,
    frame: &Frame,
    skips: &Skips,
    end: u64,
) -> Result<(), StartError> {
    let mut before = Payload::new();
    let commands = frame.payload.commands().zip(frame.header.first.0..end);
    commands.for_each(|(command, _)| before.push(command));
    let header = FrameHeader { commands: before.commands_count(), ..frame.header };
    replay(exchange, &Frame { header, hash: frame.hash, payload: before }, skips, &mut Unobserved).map(|_| ())
}

/// Applies a frame to a state that ends right before it, or inside it. Returns how many requests were applied or
/// skipped.
pub(crate) fn replay(
    exchange: &mut Exchange,
    frame: &Frame,
    skips: &Skips,
    observer: &mut dyn Observer,
) -> Result<u64, StartError> {
    let (before, mut decided) = (exchange.seq(), Vec::new());
    for (seq, bytes) in (frame.header.first.0..).zip(frame.payload.commands()) {
        if seq > exchange.seq() {
            if seq != exchange.seq() + 1 {
                return Err(StartError::Gap { expected: exchange.seq() + 1, found: seq });
            }
            if skips.contains(seq) {
                exchange.pass_over(Time::from_micros(frame.header.at));
                continue;
            }
            let undecidable = |cause| StartError::Undecidable { seq, cause };
            let request = codec::decode_request(bytes).map_err(|cause| undecidable(cause.into()))?;
            let at = Time::from_micros(frame.header.at);
            let decision = decide(exchange, at, &request, false, |applied| observer.applied(applied));
            decided.push((seq, exchange.now(), request, decision.map_err(undecidable)?));
        }
    }
    for (seq, at, request, decided) in &decided {
        decided.store_answer(*seq, *at, request, observer);
    }
    Ok(exchange.seq() - before)
}

/// The journal head after a frame.
pub(crate) fn head_after(frame: &Frame) -> Head {
    let hash: FrameHash = frame.hash;
    Head::after(&frame.header, hash)
}
