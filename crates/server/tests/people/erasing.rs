//! After an erasure no file contains a byte of the row or of its key, even if the process dies at any point; and the
//! journal still gives every earlier state.

use std::fs;
use std::path::Path;

use exchange::id::{RowId, UserId};
use exchange::time::Time;
use server::audit::past::{Until, replay_until};
use server::people::{Erasing, Rows, SqliteRows, StoredRow};

use crate::{START, Venue, holders, stored};

/// Enough rows for several pages, which are rebuilt as rows come and go.
const ROWS: u128 = 60;

/// Bytes that no other row has.
fn pattern(number: u128, kind: u8, length: usize) -> Vec<u8> {
    let block = |place: u128| {
        let seed = (number << 40) ^ (place << 8) ^ u128::from(kind) ^ 1;
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
    };
    (0..).flat_map(block).take(length).collect()
}

fn row(number: u128) -> StoredRow {
    StoredRow {
        id: RowId::new(number),
        person: UserId::new(number),
        expires_at: Time::from_micros(START),
        wrapped_key: pattern(number, 1, 73),
        sealed: pattern(number, 2, 300),
    }
}

/// Erases every third row, and returns how many of their bytes are still in some file.
fn left_after_erasing(folder: &Path, erasing: Erasing) -> usize {
    let mut rows = SqliteRows::open_with(folder, erasing).expect("a store");
    for number in 0..ROWS {
        rows.insert(&row(number)).expect("a row");
    }
    let gone: Vec<u128> = (0..ROWS).filter(|number| number % 3 == 0).collect();
    for number in &gone {
        rows.erase(&[RowId::new(*number)]).expect("erased");
    }
    drop(rows);
    let kept = row(1);
    assert!(!holders(folder, &kept.sealed[..24]).is_empty(), "a row that is there can be found");
    let found = |bytes: &[u8]| usize::from(!holders(folder, &bytes[..24]).is_empty());
    gone.iter().map(|number| found(&row(*number).wrapped_key) + found(&row(*number).sealed)).sum()
}

#[test]
fn an_erased_row_is_in_no_file_and_a_store_that_only_deletes_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(left_after_erasing(folder.path(), Erasing::Overwritten), 0);
    let folder = tempfile::tempdir().expect("a folder");
    assert!(left_after_erasing(folder.path(), Erasing::LeftThere) > 0, "this search finds what is left");
}

#[test]
fn after_an_erasure_no_file_has_the_row_or_its_key_and_the_journal_gives_every_earlier_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    let rows: Vec<_> = (1..=30).map(|number| venue.person(number)).collect();
    let before = rows.iter().map(|row| stored(folder.path(), *row).expect("a row")).collect::<Vec<_>>();
    let last = venue.node.app.reading().state().seq();
    let digest_at = |sequence| {
        let past = replay_until(folder.path(), Until::Sequence(sequence), |_, _| {}).expect("a past state");
        past.exchange.digest()
    };
    let digests: Vec<_> = (1..=last).map(digest_at).collect();
    for number in [7, 8, 30] {
        assert!(venue.email_of(number).is_some());
        venue.erase(number);
        assert_eq!(venue.email_of(number), None);
    }
    assert_eq!(venue.email_of(9).as_deref(), Some("person-9@mail.example"), "others are not touched");
    venue.stop();
    for number in [7, 8, 30] {
        let row = &before[number - 1];
        for bytes in [&row.wrapped_key, &row.sealed] {
            assert_eq!(holders(folder.path(), &bytes[1..33]), Vec::<String>::new(), "person {number}");
        }
    }
    assert!(!holders(folder.path(), &before[0].sealed[1..33]).is_empty(), "a row that is there can be found");
    assert_eq!((1..=last).map(digest_at).collect::<Vec<_>>(), digests);
}

/// What an entry looks like on disk: its wrapped key and its encrypted content.
fn entry_bytes(folder: &Path, person: u128) -> Vec<Vec<u8>> {
    let mut rows = SqliteRows::open_reading(folder).expect("a store").expect("a store");
    let entries = rows.entries_of(UserId::new(person)).expect("entries");
    entries.into_iter().flat_map(|entry| [entry.wrapped_key, entry.sealed]).collect()
}

#[test]
fn after_an_erasure_no_file_has_an_alert_a_subscription_or_a_read_mark_of_the_person() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    for number in 1..=20 {
        venue.person(number);
        venue.keep_entries(number);
    }
    let (gone, kept) = (entry_bytes(folder.path(), 7), entry_bytes(folder.path(), 8));
    assert_eq!((gone.len(), kept.len()), (6, 6), "an alert, a subscription and a mark");
    assert_eq!(holders(folder.path(), b"push.example"), Vec::<String>::new(), "an address is never readable");
    venue.erase(7);
    let people = venue.node.app.access().people().clone();
    let entries = |number| people.entries_blocking(UserId::new(number)).expect("entries");
    assert_eq!((entries(7).alerts.len(), entries(7).subscriptions.len(), entries(7).read), (0, 0, 0));
    assert_eq!((entries(8).alerts.len(), entries(8).subscriptions.len(), entries(8).read), (1, 1, 5));
    // An erased person gets no new entries.
    venue.keep_entries(7);
    assert_eq!((entries(7).alerts.len(), entries(7).subscriptions.len(), entries(7).read), (0, 0, 0));
    drop(people);
    venue.stop();
    for bytes in &gone {
        assert_eq!(holders(folder.path(), &bytes[1..33]), Vec::<String>::new());
    }
    for bytes in &kept {
        assert!(!holders(folder.path(), &bytes[1..33]).is_empty(), "an entry that is there can be found");
    }
}

#[test]
fn a_start_erases_the_rows_of_users_erased_in_the_journal() {
    let (folder, old) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    let [first, second] = [1, 2].map(|number| venue.person(number));
    venue.keep_entries(1);
    let entries = entry_bytes(folder.path(), 1);
    SqliteRows::open_reading(folder.path())
        .expect("a store")
        .expect("a store")
        .copy_into(old.path())
        .expect("an old copy");
    let row = stored(folder.path(), first).expect("a row");
    venue.erase(1);
    venue.stop();
    // As a people store out of an older backup.
    fs::remove_dir_all(folder.path().join("people")).expect("removed");
    fs::create_dir(folder.path().join("people")).expect("a folder");
    fs::copy(SqliteRows::file(old.path()), SqliteRows::file(folder.path())).expect("the old store");
    assert!(!holders(folder.path(), &row.sealed[1..33]).is_empty(), "it is back");
    let venue = Venue::open(folder.path());
    assert_eq!((stored(folder.path(), first), venue.email_of(2).is_some()), (None, true));
    assert!(stored(folder.path(), second).is_some());
    venue.stop();
    for bytes in [&row.wrapped_key, &row.sealed].into_iter().chain(&entries) {
        assert_eq!(holders(folder.path(), &bytes[1..33]), Vec::<String>::new());
    }
}
