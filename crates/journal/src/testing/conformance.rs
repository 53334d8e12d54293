//! The behaviour required of every journal implementation. An implementation calls [`check_all`] with a factory.

use std::sync::Arc;

use super::ManualClock;
use crate::{AppendError, Appended, Frame, FrameHash, Head, Journal, Payload, Sequence};

/// Creates the journals for the suite.
pub trait Factory {
    /// An empty journal, distinct from all earlier ones.
    fn create(&mut self, clock: ManualClock) -> Box<dyn Journal>;
    /// Reopens the last created journal, as a new process would. The former value was dropped.
    fn reopen(&mut self, clock: ManualClock) -> Box<dyn Journal>;
    /// A second writer of the last created journal, if the implementation allows several.
    fn second_writer(&mut self, _clock: ManualClock) -> Option<Box<dyn Journal>> {
        None
    }
}

/// Runs the whole suite and panics on a violation.
pub fn check_all(factory: &mut dyn Factory) {
    an_empty_journal_begins_at_sequence_one(factory);
    what_is_appended_is_read_back(factory);
    a_journal_goes_on_where_it_stopped(factory);
    time_never_goes_back(factory);
    every_frame_names_the_one_before(factory);
    an_append_at_a_taken_sequence_is_preceded(factory);
    an_append_that_leaves_a_gap_is_refused(factory);
    a_frame_without_commands_is_refused(factory);
    the_largest_payload_is_stored_and_a_larger_one_refused(factory);
    a_cursor_starts_at_the_frame_that_holds_the_sequence(factory);
    a_cursor_follows_the_head(factory);
    a_cursor_reads_on_another_thread(factory);
    of_two_writers_at_one_place_one_is_preceded_and_goes_behind(factory);
    time_never_goes_back_between_two_writers(factory);
    many_writers_at_once_make_one_chain_with_each_frame_in_it_once(factory);
}

/// A payload of commands with these lengths and distinct contents.
pub fn payload_of(lengths: &[usize], salt: u64) -> Payload {
    let mut payload = Payload::new();
    let mut random = super::Random(salt);
    for length in lengths {
        payload.push(&(0..*length).map(|_| random.number() as u8).collect::<Vec<_>>());
    }
    payload
}

/// Appends at the head and panics unless the frame is stored.
pub fn store(journal: &mut dyn Journal, payload: &Payload) -> Frame {
    let expected = journal.head().expect("a head").next;
    match journal.append(expected, payload).expect("an append") {
        Appended::Stored { header, hash } => Frame { header, hash, payload: payload.clone() },
        other => panic!("expected the frame to be stored: {other:?}"),
    }
}

/// All frames from `from` to the head.
pub fn read(journal: &dyn Journal, from: Sequence) -> Vec<Frame> {
    let mut cursor = journal.frames(from).expect("a cursor");
    std::iter::from_fn(|| cursor.next_frame().expect("a readable frame")).collect()
}

fn an_empty_journal_begins_at_sequence_one(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    assert_eq!(journal.head().expect("a head"), Head::EMPTY);
    assert_eq!(read(&*journal, Sequence::FIRST), []);
    assert!(journal.frames(Sequence(2)).is_err(), "a cursor cannot start beyond the head");
    drop(journal);
    let mut journal = factory.reopen(ManualClock::new(7));
    assert_eq!(journal.head().expect("a head"), Head::EMPTY);
}

fn what_is_appended_is_read_back(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let stored: Vec<_> =
        (0..40).map(|salt| store(&mut *journal, &payload_of(&[3, 0, salt as usize * 5], salt))).collect();
    assert_eq!(read(&*journal, Sequence::FIRST), stored);
    assert_eq!(journal.head().expect("a head").next, Sequence(121));
}

fn a_journal_goes_on_where_it_stopped(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let mut stored = Vec::new();
    for salt in 0..20 {
        stored.push(store(&mut *journal, &payload_of(&[100, 20], salt)));
        let head = journal.head().expect("a head");
        drop(journal);
        journal = factory.reopen(ManualClock::new(7));
        assert_eq!(journal.head().expect("a head"), head);
        assert_eq!(read(&*journal, Sequence::FIRST), stored);
    }
}

fn time_never_goes_back(factory: &mut dyn Factory) {
    let clock = ManualClock::new(1_000);
    let mut journal = factory.create(clock.clone());
    let payload = payload_of(&[1], 0);
    assert_eq!(store(&mut *journal, &payload).header.at, 1_000);
    clock.set(400);
    assert_eq!(store(&mut *journal, &payload).header.at, 1_000);
    clock.set(1_001);
    assert_eq!(store(&mut *journal, &payload).header.at, 1_001);
    drop(journal);
    let mut journal = factory.reopen(ManualClock::new(-5));
    assert_eq!(store(&mut *journal, &payload).header.at, 1_001);
}

fn every_frame_names_the_one_before(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    for salt in 0..30 {
        store(&mut *journal, &payload_of(&[50, 60], salt));
    }
    let mut previous = FrameHash::ZERO;
    for frame in read(&*journal, Sequence::FIRST) {
        assert_eq!(frame.header.previous_hash, previous);
        assert_eq!(frame.header.hash(frame.payload.bytes()), frame.hash);
        previous = frame.hash;
    }
    assert_eq!(journal.head().expect("a head").hash, previous);
}

fn an_append_at_a_taken_sequence_is_preceded(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let stored = store(&mut *journal, &payload_of(&[1, 2], 0));
    for taken in [Sequence(1), Sequence(2)] {
        let outcome = journal.append(taken, &payload_of(&[9], 1)).expect("an outcome");
        assert!(matches!(outcome, Appended::Preceded { next: Sequence(3) }));
    }
    assert_eq!(read(&*journal, Sequence::FIRST), [stored]);
}

fn an_append_that_leaves_a_gap_is_refused(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let refused = journal.append(Sequence(2), &payload_of(&[9], 1));
    assert!(matches!(refused, Err(AppendError::Ahead { next: Sequence(1), .. })));
    store(&mut *journal, &payload_of(&[9], 1));
}

fn a_frame_without_commands_is_refused(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    assert!(matches!(journal.append(Sequence::FIRST, &Payload::new()), Err(AppendError::Empty)));
    store(&mut *journal, &payload_of(&[0], 1));
}

fn the_largest_payload_is_stored_and_a_larger_one_refused(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let bytes_max = journal.payload_bytes_max();
    let largest = payload_of(&[bytes_max - 4], 1);
    let mut stored = vec![store(&mut *journal, &largest)];
    let refused = journal.append(Sequence(2), &payload_of(&[bytes_max - 3], 1));
    assert!(matches!(refused, Err(AppendError::TooLarge { .. })));
    stored.push(store(&mut *journal, &payload_of(&[1], 2)));
    stored.push(store(&mut *journal, &largest));
    assert_eq!(read(&*journal, Sequence::FIRST), stored);
}

fn a_cursor_starts_at_the_frame_that_holds_the_sequence(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let stored: Vec<_> = (0..30).map(|salt| store(&mut *journal, &payload_of(&[40, 40, 40], salt))).collect();
    for from in 1..=91 {
        let first = (from as usize - 1) / 3;
        assert_eq!(read(&*journal, Sequence(from)), stored[first..], "from {from}");
    }
}

fn a_cursor_follows_the_head(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let mut cursor = journal.frames(Sequence::FIRST).expect("a cursor");
    for salt in 0..60 {
        assert_eq!(cursor.next_frame().expect("no trouble"), None);
        let first = store(&mut *journal, &payload_of(&[30, 50], salt));
        let second = store(&mut *journal, &payload_of(&[700], salt));
        assert_eq!(cursor.next_frame().expect("no trouble"), Some(first));
        assert_eq!(cursor.next_frame().expect("no trouble"), Some(second));
    }
}

fn a_cursor_reads_on_another_thread(factory: &mut dyn Factory) {
    let mut journal = factory.create(ManualClock::new(7));
    let mut cursor = journal.frames(Sequence::FIRST).expect("a cursor");
    let total = 200;
    let reader = std::thread::spawn(move || {
        let mut frames = Vec::new();
        while frames.len() < total {
            match cursor.next_frame().expect("no trouble") {
                Some(frame) => frames.push(frame),
                None => std::thread::yield_now(),
            }
        }
        frames
    });
    let stored: Vec<_> =
        (0..total).map(|salt| store(&mut *journal, &payload_of(&[salt], salt as u64))).collect();
    assert_eq!(Arc::new(reader.join().expect("the reader ends")).as_slice(), stored);
}

fn of_two_writers_at_one_place_one_is_preceded_and_goes_behind(factory: &mut dyn Factory) {
    let mut first = factory.create(ManualClock::new(7));
    let Some(mut second) = factory.second_writer(ManualClock::new(7)) else { return };
    let ours = store(&mut *first, &payload_of(&[1, 2], 0));
    let payload = payload_of(&[9], 1);
    let outcome = second.append(Sequence(1), &payload).expect("an outcome");
    assert!(matches!(outcome, Appended::Preceded { next: Sequence(3) }), "{outcome:?}");
    assert_eq!(second.read_others().expect("frames"), std::slice::from_ref(&ours));
    assert_eq!(second.read_others().expect("none"), []);
    let Ok(Appended::Stored { header, hash }) = second.append(Sequence(3), &payload) else {
        panic!("the place is free now");
    };
    let theirs = Frame { header, hash, payload };
    assert_eq!(read(&*first, Sequence::FIRST), [ours, theirs.clone()]);
    assert_eq!(
        first.read_others().expect("frames"),
        [theirs],
        "a writer's own frames are not returned by `others`"
    );
    assert_eq!(first.head().expect("a head"), second.head().expect("a head"));
}

fn time_never_goes_back_between_two_writers(factory: &mut dyn Factory) {
    let mut ahead = factory.create(ManualClock::new(1_000));
    let Some(mut behind) = factory.second_writer(ManualClock::new(400)) else { return };
    let payload = payload_of(&[1], 0);
    assert_eq!(store(&mut *ahead, &payload).header.at, 1_000);
    assert_eq!(store(&mut *behind, &payload).header.at, 1_000);
}

fn many_writers_at_once_make_one_chain_with_each_frame_in_it_once(factory: &mut dyn Factory) {
    const WRITERS: u64 = 4;
    const FRAMES: u64 = 25;
    let first = factory.create(ManualClock::new(7));
    let others: Vec<_> = (1..WRITERS).filter_map(|_| factory.second_writer(ManualClock::new(7))).collect();
    if others.is_empty() {
        return;
    }
    let writers: Vec<_> = std::iter::once(first).chain(others).zip(0..).collect();
    let appending = writers.into_iter().map(|(mut journal, writer): (Box<dyn Journal>, u64)| {
        std::thread::spawn(move || {
            let mut next = Sequence::FIRST;
            for number in 0..FRAMES {
                let payload = payload_of(&[20], writer * FRAMES + number);
                loop {
                    match journal.append(next, &payload).expect("an outcome") {
                        Appended::Stored { header, .. } => break next = header.next(),
                        Appended::Preceded { next: further } => next = further,
                        Appended::Unknown { cause } => panic!("no connection was cut: {cause}"),
                    }
                }
            }
            journal
        })
    });
    let appending: Vec<_> = appending.collect();
    let journals: Vec<_> = appending.into_iter().map(|thread| thread.join().expect("an end")).collect();
    // Reading verifies the chain.
    let mut found: Vec<_> = read(&*journals[0], Sequence::FIRST)
        .into_iter()
        .map(|frame| frame.payload.bytes().to_vec())
        .collect();
    let mut sent: Vec<_> =
        (0..WRITERS * FRAMES).map(|salt| payload_of(&[20], salt).bytes().to_vec()).collect();
    found.sort();
    sent.sort();
    assert_eq!(found, sent);
}
