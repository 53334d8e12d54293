//! What a room of `changes` keeps: how its subject stands, the deltas of a while, and up to where it knows.
//!
//! Everything behind `base` is in `deltas`, so whoever has `base` or anything later can go on without a gap. Whoever has
//! less, or claims more than is known, begins with a snapshot.

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

/// How much is kept of a room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) deltas: usize,
    pub(super) bytes: usize,
}

#[derive(Debug)]
pub(super) struct Kept {
    pub(super) standing: Standing,
    room: String,
    /// When it was looked at first: everything before is in `standing`.
    since: u64,
    /// Of the last delta, or `since`.
    pub(super) last: u64,
    at: Time,
    base: u64,
    deltas: VecDeque<(u64, Frame)>,
    pub(super) bytes: usize,
    /// As of `last`, once somebody wanted it.
    snapshot: Option<Frame>,
    /// When something was told last, and when somebody was interested last.
    pub(super) told: Instant,
    pub(super) used: Instant,
}

/// What somebody has to be sent to be where the room is.
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

    /// Up to where it is known that there is nothing else, if the hub has told everything up to `told`.
    pub(super) fn head(&self, told: u64) -> u64 {
        told.max(self.since).max(self.last)
    }

    /// A delta was made by a request: writes it once and keeps it.
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

    /// Gives up the oldest until it keeps to its bounds, and so many bytes besides.
    pub(super) fn trim(&mut self, bounds: Bounds, bytes_over: usize) {
        let bytes_max = bounds.bytes.min(self.bytes.saturating_sub(bytes_over));
        while self.deltas.len() > bounds.deltas || self.bytes > bytes_max {
            let Some((sequence, frame)) = self.deltas.pop_front() else { return };
            self.bytes -= frame.as_str().len();
            self.base = sequence;
        }
    }

    /// What somebody misses who has everything up to `from`. At most `most` deltas: whoever needs more is better off with
    /// a snapshot.
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

    /// A room that was opened at 10 and has deltas of 12, 15 and 20, of which it keeps so many.
    fn kept(most: usize) -> Kept {
        let standing = AccountStanding::look(&Exchange::new(), UserId::new(0)).expect("the house");
        let mut kept = Kept::new("changes:x".to_owned(), Standing::Account(standing), 10, Time::ZERO);
        for sequence in [12, 15, 20] {
            kept.tell(sequence, Time::ZERO, &"data");
            kept.trim(Bounds { deltas: most, bytes: 1 << 20 }, 0);
        }
        kept
    }

    /// Sequences of the deltas that somebody gets; none for a snapshot.
    fn missing(kept: &mut Kept, from: Option<u64>, told: u64) -> Option<Vec<u64>> {
        match kept.missing(from, told, 100) {
            Missing::Deltas(deltas) => Some(deltas.iter().map(|(sequence, _)| *sequence).collect()),
            Missing::Everything(_) => None,
        }
    }

    #[test]
    fn whoever_has_everything_up_to_what_is_kept_goes_on_and_all_others_begin_anew() {
        for (most, from, expected) in [
            (9, Some(10), Some(vec![12, 15, 20])),
            (9, Some(11), Some(vec![12, 15, 20])),
            (9, Some(12), Some(vec![15, 20])),
            (9, Some(20), Some(vec![])),
            // Told up to 23: nothing has changed since 20.
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
        // A hub that has told less than the room knows takes nothing away from it.
        assert_eq!(missing(&mut kept(9), Some(20), 3), Some(vec![]));
        assert_eq!(missing(&mut kept(9), Some(21), 3), None);
    }

    #[test]
    fn what_does_not_fit_into_a_queue_is_a_snapshot_and_bytes_are_given_back() {
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
