//! Backups, restores, verifications and copies have both stores; a folder without its people is not served.

use std::fs;

use api::signing::MasterKey;
use exchange::id::{RowId, UserId};
use server::audit::KeyFile;
use server::audit::backup::backup;
use server::audit::journal_copy::{JournalPlace, journal_copy};
use server::audit::past::Until;
use server::audit::restore::{Sources, restore, restore_from};
use server::audit::verify::verify;
use server::node::{Node, NodeError};
use server::people::moving::{is_wrapped_under, open_all, rewrap};
use server::people::{PeopleError, Rows, SqliteRows};
use server::secrets::master_key;

use crate::{START, Venue, email, holders, stored};

fn problems(folder: &std::path::Path) -> Vec<String> {
    verify(folder, None, |_, _| {}).expect("a verdict").problems
}

#[test]
fn a_backup_of_a_served_folder_has_the_people_and_a_restore_gives_them_back() {
    let [folder, saved, back] = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    for number in 1..=20 {
        venue.person(number);
    }
    let unnamed = venue.write(UserId::new(99), &email(99), "hash");
    let manifest = backup(folder.path(), saved.path(), KeyFile::Included, |_, _| {}).expect("a backup");
    assert_eq!((manifest.people, manifest.people_missing), (21, 0));
    assert!(stored(saved.path(), unnamed).is_some(), "its command may be on its way");
    assert_eq!(problems(saved.path()), Vec::<String>::new());
    venue.erase(5);
    venue.stop();
    restore(saved.path(), back.path(), |_, _| {}).expect("restored");
    assert_eq!(problems(back.path()), Vec::<String>::new());
    let venue = Venue::open(back.path());
    assert_eq!(venue.email_of(20), Some(email(20)));
    assert_eq!(venue.email_of(5), Some(email(5)), "an older backup has whom it had");
    venue.stop();
}

#[test]
fn a_restore_erases_the_rows_of_users_erased_in_the_journal() {
    let [folder, saved, old, back] = [(); 4].map(|()| tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    let row = venue.person(1);
    venue.person(2);
    let people = SqliteRows::open_reading(folder.path()).expect("a store").expect("a store");
    people.copy_into(old.path()).expect("an old copy");
    drop(people);
    let bytes = stored(folder.path(), row).expect("a row");
    venue.erase(1);
    backup(folder.path(), saved.path(), KeyFile::Included, |_, _| {}).expect("a backup");
    venue.stop();
    fs::copy(SqliteRows::file(old.path()), SqliteRows::file(saved.path())).expect("an older people store");
    restore(saved.path(), back.path(), |_, _| {}).expect("restored");
    assert_eq!(stored(back.path(), row), None);
    for bytes in [&bytes.wrapped_key, &bytes.sealed] {
        assert_eq!(holders(back.path(), &bytes[1..33]), Vec::<String>::new());
    }
    assert_eq!(problems(back.path()), Vec::<String>::new());
}

#[test]
fn a_restore_reports_how_many_persons_have_no_row() {
    let [folder, saved, back, empty] = [(); 4].map(|()| tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    let row = venue.person(1);
    venue.person(2);
    venue.person(3);
    backup(folder.path(), saved.path(), KeyFile::Included, |_, _| {}).expect("a backup");
    venue.stop();
    let mut rows = SqliteRows::open(saved.path()).expect("a store");
    rows.remove(&[row.id]).expect("removed");
    drop(rows);
    assert_eq!(restore(saved.path(), back.path(), |_, _| {}).expect("restored").people_missing, 1);
    fs::remove_dir_all(saved.path().join("people")).expect("removed");
    assert_eq!(restore(saved.path(), empty.path(), |_, _| {}).expect("restored").people_missing, 3);
}

#[test]
fn a_journal_copy_takes_the_people_along_and_goes_where_there_are_none() {
    let [folder, copy] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    for number in 1..=5 {
        venue.person(number);
    }
    venue.erase(4);
    venue.stop();
    let place = |folder: &tempfile::TempDir| JournalPlace::Folder(folder.path().to_owned());
    let copied = journal_copy(&place(&folder), &place(&copy), |_, _, _| {}).expect("a copy");
    assert_eq!((copied.people, copied.people_missing), (4, 0));
    fs::copy(folder.path().join("master.key"), copy.path().join("master.key")).expect("the same key");
    assert_eq!(problems(copy.path()), Vec::<String>::new());
    let venue = Venue::open(copy.path());
    assert_eq!(venue.email_of(5), Some(email(5)));
    venue.stop();
    fs::remove_dir_all(copy.path().join("journal")).expect("removed");
    assert!(journal_copy(&place(&folder), &place(&copy), |_, _, _| {}).is_err(), "a people store is there");
}

#[test]
fn a_verification_names_the_persons_with_a_missing_damaged_or_foreign_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    let [first, second, _] = [1, 2, 3].map(|number| venue.person(number));
    venue.stop();
    assert_eq!(problems(folder.path()), Vec::<String>::new());
    let mut rows = SqliteRows::open(folder.path()).expect("a store");
    let (one, other) = (rows.get(first.id).expect("a row"), rows.get(second.id).expect("a row"));
    let (one, other) = (one.expect("a row"), other.expect("a row"));
    rows.remove(&[first.id]).expect("removed");
    let person = UserId::new(1);
    assert_eq!(problems(folder.path()), [PeopleError::Missing(person).to_string()]);
    // The row of another person, under this person's id.
    let planted = server::people::StoredRow { id: one.id, person, ..other };
    rows.insert(&planted).expect("planted");
    assert_eq!(problems(folder.path()), [PeopleError::Sealed("the key of a row").to_string()]);
    rows.remove(&[first.id]).expect("removed");
    rows.insert(&one).expect("put back");
    assert_eq!(problems(folder.path()), Vec::<String>::new());
}

#[test]
fn a_folder_whose_people_are_lost_is_not_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    venue.person(1);
    venue.person(2);
    venue.stop();
    let kept = tempfile::tempdir().expect("a folder");
    fs::rename(folder.path().join("people"), kept.path().join("people")).expect("moved away");
    let refused = Node::builder(folder.path()).start();
    assert!(matches!(refused, Err(NodeError::People(PeopleError::Lost { persons: 2 }))), "{refused:?}");
    fs::remove_dir_all(folder.path().join("people")).expect("what the start made");
    fs::rename(kept.path().join("people"), folder.path().join("people")).expect("back");
    let venue = Venue::open_at(folder.path(), START + 1);
    assert_eq!(venue.email_of(2), Some(email(2)));
    venue.stop();
}

#[test]
fn a_new_master_key_wraps_the_look_up_key_and_every_row_and_leaves_no_byte_of_the_old_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    let rows: Vec<_> = (1..=9).map(|number| venue.person(number)).collect();
    let before: Vec<_> = rows.iter().map(|row| stored(folder.path(), *row).expect("a row")).collect();
    let state = venue.node.app.reading().state().clone();
    venue.stop();
    let old = master_key(&folder.path().join("master.key")).expect("a key").expect("a key");
    let new = MasterKey::new([3; 32]);
    let mut store = SqliteRows::open(folder.path()).expect("a store");
    assert_eq!(open_all(&mut store, &state, &old).expect("all open"), 9);
    assert!(rewrap(&mut store, &new, &new).is_err(), "not with a wrong old key");
    assert_eq!(rewrap(&mut store, &old, &new).expect("wrapped anew"), 9);
    assert!(is_wrapped_under(&mut store, &new).expect("an answer"));
    assert_eq!(open_all(&mut store, &state, &new).expect("the same addresses"), 9);
    assert!(open_all(&mut store, &state, &old).is_err());
    drop(store);
    for row in &before {
        assert_eq!(holders(folder.path(), &row.wrapped_key[1..33]), Vec::<String>::new());
        let id: RowId = row.id;
        let mut store = SqliteRows::open_reading(folder.path()).expect("a store").expect("a store");
        assert_eq!(
            store.get(id).expect("an answer").expect("a row").sealed,
            row.sealed,
            "rows stay as they are"
        );
    }
}

#[test]
fn a_restored_past_names_persons_without_a_row_and_brings_no_erased_row_back() {
    let room = tempfile::tempdir().expect("a folder");
    let (data, saved, past) = (room.path().join("data"), room.path().join("saved"), room.path().join("past"));
    let venue = Venue::open(&data);
    let [first, second] = [1, 2].map(|number| venue.person(number));
    let row = stored(&data, first).expect("a row");
    let sequence = venue.node.app.reading().state().seq();
    venue.erase(1);
    venue.stop();
    backup(&data, &saved, KeyFile::NotIncluded, |_, _| {}).expect("a backup");
    let until = Some(Until::Sequence(sequence));
    let sources = Sources { backup: Some(&saved), archive: None, until };
    let restored = restore_from(&sources, &past, |_, _| {}).expect("a restored past");
    assert_eq!((restored.sequence, restored.people_missing), (sequence, 1));
    assert_eq!((stored(&past, first), stored(&past, second).is_some()), (None, true));
    for bytes in [&row.wrapped_key, &row.sealed] {
        assert_eq!(holders(&past, &bytes[1..33]), Vec::<String>::new());
    }
    let verdict = verify(&past, None, |_, _| {}).expect("a verdict");
    assert_eq!((verdict.problems, verdict.people_missing), (Vec::new(), 1));
}

#[test]
fn a_store_of_the_previous_format_is_read_copied_and_extended() {
    let [folder, copy] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    let row = venue.person(1);
    venue.stop();
    let connection = rusqlite::Connection::open(SqliteRows::file(folder.path())).expect("a database");
    connection
        .execute_batch("DROP TABLE entries; DROP TABLE sent; PRAGMA user_version = 1")
        .expect("the tables of the previous format");
    connection.close().expect("closed");
    let mut old = SqliteRows::open_reading(folder.path()).expect("a store").expect("a store");
    assert!(old.entries_after(0, 10).expect("an answer").is_empty());
    old.copy_into(copy.path()).expect("a copy");
    drop(old);
    assert!(stored(copy.path(), row).is_some());
    let venue = Venue::open(folder.path());
    venue.keep_entries(1);
    assert_eq!(venue.email_of(1), Some(email(1)));
    let people = venue.node.app.access().people();
    assert_eq!(people.entries_blocking(UserId::new(1)).expect("entries").alerts.len(), 1);
    venue.stop();
}

#[test]
fn a_new_master_key_and_a_backup_keep_entries_and_the_push_key() {
    let [folder, saved] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let venue = Venue::open(folder.path());
    venue.person(1);
    venue.keep_entries(1);
    let key = venue.node.app.access().people().push_key().to_vec();
    backup(folder.path(), saved.path(), KeyFile::Included, |_, _| {}).expect("a backup");
    venue.stop();
    let check = |folder: &std::path::Path| {
        let venue = Venue::open(folder);
        let people = venue.node.app.access().people();
        let entries = people.entries_blocking(UserId::new(1)).expect("entries");
        assert_eq!((entries.alerts.len(), entries.subscriptions.len(), entries.read), (1, 1, 5));
        assert_eq!(people.push_key(), key);
        venue.stop();
    };
    check(saved.path());
    let old = master_key(&folder.path().join("master.key")).expect("a key").expect("a key");
    let new = MasterKey::new([8; 32]);
    let mut rows = SqliteRows::open(folder.path()).expect("a store");
    rewrap(&mut rows, &old, &new).expect("wrapped anew");
    rewrap(&mut rows, &new, &old).expect("wrapped back");
    drop(rows);
    check(folder.path());
}
