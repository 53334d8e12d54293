//! The state of a room of `changes`: its subject, the recent deltas, and the sequence up to which it is complete.
//!
//! `deltas` has everything after `base`, so a client at `base` or later can resume without a gap. A client that is
//! older, or that claims a sequence not reached yet, starts with a snapshot.

use std::collections::VecDeque;
use std::time::Instant;

use api::response::{ChangeKind, ChangeMessage};
use exchange::time::Time;
use serde::Serialize;

use super::super::composing;
use super::super::outbox::Frame;
use super::account::AccountStanding;
use super::market;
use crate::view::changes::MarketStanding;
use crate::view::stream::millis;

#[derive(Debug)]
pub(super) enum Standing {
    Market(Box<MarketStanding>),
    Account(AccountStanding),
}

/// How much a room may keep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) deltas: usize,
    pub(super) bytes: usize,
}

#[derive(Debug)]
pub(super) struct Kept {
    pub(super) standing: Standing,
    room: String,
    /// The sequence of the first look; `standing` includes everything up to it.
    since: u64,
    /// The sequence of the last delta, or `since`.
    pub(super) last: u64,
    at: Time,
    base: u64,
    deltas: VecDeque<(u64, Frame)>,
    pub(super) bytes: usize,
    /// The encoded snapshot at `last`, once a client needed it.
    snapshot: Option<Frame>,
    /// When the last message was sent, and when the room was last used.
    pub(super) told: Instant,
    pub(super) used: Instant,
}

/// The messages with which a client catches up with the room.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Missing {
    Everything(Frame),
    Deltas(Vec<(u64, Frame)>),
}

impl Kept {
    pub(super) fn new(room: String, standing: Standing, since: u64, at: Time) -> Kept {
        let (deltas, now) = (VecDeque::new(), Instant::now());
        Kept {
            standing,
            room,
            since,
            last: since,
            at,
            base: since,
            deltas,
            bytes: 0,
            snapshot: None,
            told: now,
            used: now,
        }
    }

    /// The sequence up to which the room is complete, if the hub has reported everything up to `told`.
    pub(super) fn head(&self, told: u64) -> u64 {
        told.max(self.since).max(self.last)
    }

    /// Encodes a request's delta once and keeps it.
    pub(super) fn tell(&mut self, sequence: u64, at: Time, data: &impl Serialize) -> Frame {
        let frame = composing::frame(&ChangeMessage {
            kind: ChangeKind::Delta,
            room: self.room.clone(),
            data,
            sequence,
            previous_sequence: Some(self.last),
            timestamp: millis(at),
        });
        self.bytes += frame.as_str().len();
        self.deltas.push_back((sequence, frame.clone()));
        (self.last, self.at, self.snapshot, self.told) = (sequence, at, None, Instant::now());
        frame
    }

    /// Drops the oldest deltas until the room is within its bounds and has freed `bytes_over` bytes.
    pub(super) fn trim(&mut self, bounds: Bounds, bytes_over: usize) {
        let bytes_max = bounds.bytes.min(self.bytes.saturating_sub(bytes_over));
        while self.deltas.len() > bounds.deltas || self.bytes > bytes_max {
            let Some((sequence, frame)) = self.deltas.pop_front() else { return };
            self.bytes -= frame.as_str().len();
            self.base = sequence;
        }
    }

    /// The messages that a client at `from` lacks. With more than `most` deltas a snapshot is better.
    pub(super) fn missing(&mut self, from: Option<u64>, told: u64, most: usize) -> Missing {
        let head = self.head(told);
        let first = from
            .filter(|from| (self.base..=head).contains(from))
            .map(|from| self.deltas.partition_point(|(sequence, _)| *sequence <= from));
        match first {
            Some(first) if self.deltas.len() - first <= most => {
                Missing::Deltas(self.deltas.range(first..).cloned().collect())
            }
            _ => Missing::Everything(self.snapshot()),
        }
    }

    fn snapshot(&mut self) -> Frame {
        if let Some(frame) = &self.snapshot {
            return frame.clone();
        }
        let frame = match &self.standing {
            Standing::Market(standing) => self.whole(&market::whole(standing)),
            Standing::Account(standing) => self.whole(&standing.whole()),
        };
        self.snapshot.insert(frame).clone()
    }

    fn whole(&self, data: &impl Serialize) -> Frame {
        composing::frame(&ChangeMessage {
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

    use super::*;

    /// A room opened at 10 with deltas at 12, 15 and 20, of which it keeps `most`.
    fn kept(most: usize) -> Kept {
        let standing = AccountStanding::look(&Exchange::new(), UserId::new(0)).expect("the house");
        let mut kept = Kept::new("changes:x".to_owned(), Standing::Account(standing), 10, Time::ZERO);
        for sequence in [12, 15, 20] {
            kept.tell(sequence, Time::ZERO, &"data");
            kept.trim(Bounds { deltas: most, bytes: 1 << 20 }, 0);
        }
        kept
    }

    /// The sequences of the deltas that a client gets; `None` for a snapshot.
    fn missing(kept: &mut Kept, from: Option<u64>, told: u64) -> Option<Vec<u64>> {
        match kept.missing(from, told, 100) {
            Missing::Deltas(deltas) => Some(deltas.iter().map(|(sequence, _)| *sequence).collect()),
            Missing::Everything(_) => None,
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
            assert_eq!(missing(&mut kept(most), from, 23), expected, "{from:?} of {most}");
        }
        // A hub that has reported less than the room has does not reduce the room's head.
        assert_eq!(missing(&mut kept(9), Some(20), 3), Some(vec![]));
        assert_eq!(missing(&mut kept(9), Some(21), 3), None);
    }

    #[test]
    fn deltas_that_exceed_a_queue_become_a_snapshot_and_their_bytes_are_released() {
        let mut kept = kept(9);
        assert!(matches!(kept.missing(Some(10), 20, 3), Missing::Deltas(_)));
        assert!(matches!(kept.missing(Some(10), 20, 2), Missing::Everything(_)));
        let (before, one) = (kept.bytes, kept.bytes / 3);
        kept.trim(Bounds { deltas: 9, bytes: before - 1 }, 0);
        assert_eq!((kept.bytes, missing(&mut kept, Some(10), 20)), (before - one, None));
        kept.trim(Bounds { deltas: 9, bytes: before }, 1);
        assert_eq!((kept.bytes, missing(&mut kept, Some(15), 20)), (one, Some(vec![20])));
        kept.trim(Bounds { deltas: 9, bytes: before }, before);
        assert_eq!((kept.bytes, missing(&mut kept, Some(20), 20)), (0, Some(vec![])));
    }
}
