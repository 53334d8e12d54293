//! Events on their way to readers. The events of a room that are delivered together form a batch, whose frames are
//! joined once. The queues of all readers share it; a run is the part of a batch that one reader gets.

use std::ops::Range;
use std::sync::Arc;

use api::json::Decimals;
use bytes::{Bytes, BytesMut};

use super::frames::EncodedMessage;
use super::room::Room;

/// Events of one room, by number.
#[derive(Debug)]
pub(super) struct EventBatch {
    pub(super) room: Room,
    /// The form of the frames. Readers of the other form have a batch of their own.
    pub(super) decimals: Decimals,
    /// The frames of all events, one after the other.
    frames: Bytes,
    /// The number of each event, and where its frame ends.
    events: Vec<(u64, usize)>,
}

impl EventBatch {
    pub(super) fn new(room: Room, decimals: Decimals, messages: &[(u64, EncodedMessage)]) -> EventBatch {
        let mut end = 0;
        let place = |(number, message): &(u64, EncodedMessage)| {
            end += message.frame(decimals).len();
            (*number, end)
        };
        let events = messages.iter().map(place).collect();
        let frames = match messages {
            [(_, message)] => message.frame(decimals).clone(),
            _ => {
                let mut frames = BytesMut::with_capacity(end);
                for (_, message) in messages {
                    frames.extend_from_slice(message.frame(decimals));
                }
                frames.freeze()
            }
        };
        EventBatch { room, decimals, frames, events }
    }

    /// The index of the first event with a number above this one.
    pub(super) fn first_after(&self, number: u64) -> usize {
        self.events.partition_point(|(other, _)| *other <= number)
    }

    fn start_of(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |previous| self.events[previous].1)
    }
}

/// Successive events of a batch.
#[derive(Clone, Debug)]
pub(super) struct EventRun {
    pub(super) batch: Arc<EventBatch>,
    events: Range<usize>,
}

impl EventRun {
    /// The events of a batch from an index on.
    pub(super) fn from(batch: &Arc<EventBatch>, first: usize) -> EventRun {
        EventRun { batch: batch.clone(), events: first..batch.events.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Removes the first events and returns their frames: as many as fit into `bytes_max`, but at least one.
    pub(super) fn split_frames(&mut self, bytes_max: usize) -> Bytes {
        let (first, start) = (self.events.start, self.batch.start_of(self.events.start));
        let waiting = &self.batch.events[self.events.clone()];
        let fitting = waiting.partition_point(|(_, end)| end - start <= bytes_max);
        self.events.start = self.events.end.min(first + fitting.max(1));
        self.batch.frames.slice(start..self.batch.start_of(self.events.start))
    }
}

/// Orders the events of several rooms by number. An event that is in several of them is kept once.
pub(super) fn merge(runs: &[EventRun]) -> Vec<EventRun> {
    let numbered = |(part, run): (usize, &EventRun)| {
        let (batch, events) = (run.batch.clone(), run.events.clone());
        events.map(move |index| (batch.events[index].0, part, index))
    };
    let mut events: Vec<(u64, usize, usize)> = runs.iter().enumerate().flat_map(numbered).collect();
    events.sort_unstable();
    events.dedup_by_key(|(number, ..)| *number);
    let successive =
        events.chunk_by(|(_, part, index), (_, next_part, next)| part == next_part && index + 1 == *next);
    let run = |chunk: &[(u64, usize, usize)]| {
        let (_, part, first) = *chunk.first()?;
        Some(EventRun { batch: runs[part].batch.clone(), events: first..first + chunk.len() })
    };
    successive.filter_map(run).collect()
}

#[cfg(test)]
mod tests {
    use exchange::id::EventId;

    use super::*;

    fn batch(room: u128, numbers: &[u64]) -> Arc<EventBatch> {
        let room = Room::Prices { event: EventId::new(room) };
        let message = |number: &u64| (*number, EncodedMessage::text(&number.to_string()));
        let messages: Vec<_> = numbers.iter().map(message).collect();
        Arc::new(EventBatch::new(room, Decimals::Numbers, &messages))
    }

    fn numbers(runs: &[EventRun]) -> Vec<Vec<u64>> {
        let of_run = |run: &EventRun| run.events.clone().map(|index| run.batch.events[index].0).collect();
        runs.iter().map(of_run).collect()
    }

    #[test]
    fn events_of_several_rooms_are_ordered_by_number_and_kept_once() {
        let (one, two, three) = (batch(1, &[1, 2, 3, 7, 8]), batch(2, &[4, 5, 8, 9]), batch(3, &[2, 6, 10]));
        let runs = [EventRun::from(&one, 0), EventRun::from(&two, 0), EventRun::from(&three, 0)];
        let merged = merge(&runs);
        assert_eq!(numbers(&merged), [vec![1, 2, 3], vec![4, 5], vec![6], vec![7, 8], vec![9], vec![10]]);
        assert!(Arc::ptr_eq(&merged[0].batch, &one) && Arc::ptr_eq(&merged[2].batch, &three));
        let late = [EventRun::from(&one, one.first_after(2)), EventRun::from(&two, two.first_after(8))];
        assert_eq!(numbers(&merge(&late)), [vec![3, 7, 8], vec![9]]);
    }

    #[test]
    fn frames_are_taken_up_to_a_size_and_never_cut() {
        // Frames of 3, 3, 4 and 3 bytes.
        let batch = batch(1, &[1, 2, 13, 4]);
        let mut run = EventRun::from(&batch, 0);
        assert_eq!(run.split_frames(7), &b"\x81\x011\x81\x012"[..]);
        assert_eq!(run.split_frames(1), &b"\x81\x0213"[..], "at least one");
        assert_eq!((run.len(), run.split_frames(100)), (1, Bytes::from_static(b"\x81\x014")));
        assert!(run.is_empty() && run.split_frames(100).is_empty());
    }
}
