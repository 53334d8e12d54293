//! Rows of a shared log moved into an archive while a node serves. New nodes rebuild their history from the archive;
//! a node that cannot read it reports where it was written.

use std::fs;

use journal::Error;
use pgtest::Server;
use server::audit::archive::archive_log;
use server::audit::journal_copy::{JournalPlace, journal_copy, journal_copy_with};
use server::audit::verify::verify;
use server::node::NodeError;
use server::shared_log::SharedLogSettings;
use server::startup::StartError;

use crate::{create_users, settings, start, stop, wait_until};

#[test]
fn rows_are_archived_beside_a_node_that_serves_and_a_new_node_reads_them_there() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let room = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| {
        let folder = room.path().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    };
    let (cold, colder) = (room.path().join("cold"), room.path().join("colder"));
    let none = archive_log(&settings.url, &cold, |_, _, _| {}).map(|report| report.frames);
    assert!(none.is_err(), "no node has used it yet");
    let node = start(&folder("old"), &settings).expect("a node");
    create_users(&node, 1..30);
    let seq = stop(node).seq;
    let node = start(&folder("old"), &settings).expect("a node");
    create_users(&node, 30..40);
    let report = archive_log(&settings.url, &cold, |_, _, _| {}).expect("an archive");
    assert_eq!((report.proved, report.first_sequence), (seq, seq + 1), "all that the snapshot has");
    create_users(&node, 40..45);
    assert_eq!(archive_log(&settings.url, &cold, |_, _, _| {}).expect("an archive").frames, 0);
    let served = stop(node);

    let node = start(&folder("new"), &settings).expect("a node that finds the archive where it was written");
    wait_until("history from the first command on", || node.app.reading().history().stored() == served.seq);
    assert_eq!(stop(node).live, served.live);

    fs::rename(&cold, &colder).expect("an archive that is elsewhere");
    let again = start(&folder("old"), &settings).map(stop).expect("a node that lacks nothing");
    assert_eq!(again.live, served.live);
    let refused = start(&folder("newer"), &settings).expect_err("its history needs the first rows");
    let NodeError::Start(StartError::Journal(Error::Archived { from, first, place, .. })) = &refused else {
        panic!("another refusal: {refused}");
    };
    assert_eq!((from.0, first.0, place), (1, seq + 1, &report.place));
    let told = SharedLogSettings { archive: Some(colder.clone()), ..settings.clone() };
    let node = start(&folder("newer"), &told).expect("a node with the archive's path");
    wait_until("history from the first command on", || node.app.reading().history().stored() == served.seq);
    stop(node);

    let (log, home) = (JournalPlace::Database(settings.url.clone()), room.path().join("home"));
    let to = JournalPlace::Folder(home.clone());
    assert!(journal_copy(&log, &JournalPlace::Folder(room.path().join("nowhere")), |_, _, _| {}).is_err());
    let copied = journal_copy_with(&log, Some(&colder), &to, |_, _, _| {}).expect("a copy of everything");
    assert_eq!((copied.sequence, copied.digest), (served.seq, served.live));
    let mut problems = verify(&home, None, |_, _| {}).expect("a verdict").problems;
    // These users were created without rows in the people store.
    problems.retain(|problem| !problem.starts_with("the people store lacks the row"));
    assert_eq!(problems, Vec::<String>::new());
}
