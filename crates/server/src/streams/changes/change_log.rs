//! The state of a room of `changes`: its subject, the recent deltas, and the sequence up to which it is complete.
//!
//! `deltas` has everything after `base`, so a client at `base` or later can resume without a gap. A client that is
//! older, or that claims a sequence not reached yet, starts with a snapshot.

use std::collections::VecDeque;
use std::time::Instant;

use api::json::{Decimals, WriteJson};
use api::response::{ChangeKind, ChangeMessage};
use exchange::time::Time;

use super::super::frames::EncodedMessage;
use super::account::FullAccountState;
use super::market;
use crate::view::changes::FullMarketState;
use crate::view::stream::millis;

#[derive(Debug)]
pub(super) enum SubjectState {
    Market(Box<FullMarketState>),
    Account(FullAccountState),
}

/// How much a room may keep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) deltas: usize,
    pub(super) bytes: usize,
}

#[derive(Debug)]
pub(super) struct ChangeLog {
    pub(super) state: SubjectState,
    room: String,
    /// The sequence of the first look; `state` includes everything up to it.
    since: u64,
    /// The sequence of the last delta, or `since`.
    pub(super) last: u64,
    at: Time,
    base: u64,
    deltas: VecDeque<(u64, EncodedMessage)>,
    pub(super) bytes: usize,
    /// The encoded snapshot at `last`, once a client needed it.
    snapshot: Option<EncodedMessage>,
    /// When the last message was sent, and when the room was last used.
    pub(super) sent_at: Instant,
    pub(super) used: Instant,
}

/// The messages with which a client catches up with the room.
#[derive(Debug)]
pub(super) enum CatchUp {
    Snapshot(EncodedMessage),
    Deltas(Vec<(u64, EncodedMessage)>),
}

impl ChangeLog {
    pub(super) fn new(room: String, state: SubjectState, since: u64, at: Time) -> ChangeLog {
        let (deltas, now) = (VecDeque::new(), Instant::now());
        ChangeLog {
            state,
            room,
            since,
            last: since,
            at,
            base: since,
            deltas,
            bytes: 0,
            snapshot: None,
            sent_at: now,
            used: now,
        }
    }

    /// The sequence up to which the room is complete, if the hub has reported everything up to `published`.
    pub(super) fn head(&self, published: u64) -> u64 {
        published.max(self.since).max(self.last)
    }

    /// Encodes a request's delta once and keeps it.
    pub(super) fn append_delta(
        &mut self,
        sequence: u64,
        at: Time,
        data: impl WriteJson + Send + Sync + 'static,
    ) -> EncodedMessage {
        let frame = EncodedMessage::new(ChangeMessage {
            kind: ChangeKind::Delta,
            room: self.room.clone(),
            data,
            sequence,
            previous_sequence: Some(self.last),
            timestamp: millis(at),
        });
        self.bytes += frame.content(Decimals::Numbers).len();
        self.deltas.push_back((sequence, frame.clone()));
        (self.last, self.at, self.snapshot, self.sent_at) = (sequence, at, None, Instant::now());
        frame
    }

    /// Drops the oldest deltas until the room is within its bounds and has freed `bytes_over` bytes.
    pub(super) fn trim(&mut self, bounds: Bounds, bytes_over: usize) {
        let bytes_max = bounds.bytes.min(self.bytes.saturating_sub(bytes_over));
        while self.deltas.len() > bounds.deltas || self.bytes > bytes_max {
            let Some((sequence, frame)) = self.deltas.pop_front() else { return };
            self.bytes -= frame.content(Decimals::Numbers).len();
            self.base = sequence;
        }
    }

    /// The messages that a client at `from` lacks. With more than `most` deltas a snapshot is better.
    pub(super) fn catch_up(&mut self, from: Option<u64>, published: u64, most: usize) -> CatchUp {
        let head = self.head(published);
        let first = from
            .filter(|from| (self.base..=head).contains(from))
            .map(|from| self.deltas.partition_point(|(sequence, _)| *sequence <= from));
        match first {
            Some(first) if self.deltas.len() - first <= most => {
                CatchUp::Deltas(self.deltas.range(first..).cloned().collect())
            }
            _ => CatchUp::Snapshot(self.snapshot()),
        }
    }

    fn snapshot(&mut self) -> EncodedMessage {
        if let Some(frame) = &self.snapshot {
            return frame.clone();
        }
        let frame = match &self.state {
            SubjectState::Market(state) => self.whole(market::whole(state)),
            SubjectState::Account(state) => self.whole(state.whole()),
        };
        self.snapshot.insert(frame).clone()
    }

    fn whole(&self, data: impl WriteJson + Send + Sync + 'static) -> EncodedMessage {
        EncodedMessage::new(ChangeMessage {
            kind: ChangeKind::Snapshot,
            room: self.room.clone(),
            data,
            sequence: self.last,
            previous_sequence: None,
            timestamp: millis(self.at),
        })
    }
}

#[cfg(test)]
mod tests {
    use exchange::Exchange;
    use exchange::id::UserId;
    use exchange::index::UserIndex;

    use super::*;
    use crate::view;

    /// A room opened at 10 with deltas at 12, 15 and 20, of which it keeps `most`.
    fn log(most: usize) -> ChangeLog {
        let wallets = view::changes::wallets(&Exchange::new(), UserIndex::from_slot(0));
        let state = FullAccountState::empty(UserId::new(0), wallets);
        let mut log = ChangeLog::new("changes:x".to_owned(), SubjectState::Account(state), 10, Time::ZERO);
        for sequence in [12, 15, 20] {
            log.append_delta(sequence, Time::ZERO, "data");
            log.trim(Bounds { deltas: most, bytes: 1 << 20 }, 0);
        }
        log
    }

    /// The sequences of the deltas that a client gets; `None` for a snapshot.
    fn missing(log: &mut ChangeLog, from: Option<u64>, published: u64) -> Option<Vec<u64>> {
        match log.catch_up(from, published, 100) {
            CatchUp::Deltas(deltas) => Some(deltas.iter().map(|(sequence, _)| *sequence).collect()),
            CatchUp::Snapshot(_) => None,
        }
    }

    #[test]
    fn a_client_at_or_after_the_base_resumes_and_all_others_get_a_snapshot() {
        for (most, from, expected) in [
            (9, Some(10), Some(vec![12, 15, 20])),
            (9, Some(11), Some(vec![12, 15, 20])),
            (9, Some(12), Some(vec![15, 20])),
            (9, Some(20), Some(vec![])),
            // Reported up to 23: nothing has changed since 20.
            (9, Some(23), Some(vec![])),
            (9, Some(24), None),
            (9, Some(u64::MAX), None),
            (9, Some(9), None),
            (9, Some(0), None),
            (9, None, None),
            (2, Some(12), Some(vec![15, 20])),
            (2, Some(11), None),
            (0, Some(20), Some(vec![])),
            (0, Some(19), None),
        ] {
            assert_eq!(missing(&mut log(most), from, 23), expected, "{from:?} of {most}");
        }
        // A hub that has reported less than the room has does not reduce the room's head.
        assert_eq!(missing(&mut log(9), Some(20), 3), Some(vec![]));
        assert_eq!(missing(&mut log(9), Some(21), 3), None);
    }

    #[test]
    fn deltas_that_exceed_a_queue_become_a_snapshot_and_their_bytes_are_released() {
        let mut log = log(9);
        assert!(matches!(log.catch_up(Some(10), 20, 3), CatchUp::Deltas(_)));
        assert!(matches!(log.catch_up(Some(10), 20, 2), CatchUp::Snapshot(_)));
        let (before, one) = (log.bytes, log.bytes / 3);
        log.trim(Bounds { deltas: 9, bytes: before - 1 }, 0);
        assert_eq!((log.bytes, missing(&mut log, Some(10), 20)), (before - one, None));
        log.trim(Bounds { deltas: 9, bytes: before }, 1);
        assert_eq!((log.bytes, missing(&mut log, Some(15), 20)), (one, Some(vec![20])));
        log.trim(Bounds { deltas: 9, bytes: before }, before);
        assert_eq!((log.bytes, missing(&mut log, Some(20), 20)), (0, Some(vec![])));
    }
}
