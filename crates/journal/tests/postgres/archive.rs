//! Rows moved into an archive: new writers read them as before, they are removed only after their file is complete,
//! and a reader without the archive gets an error with its path.

use std::sync::Arc;
use std::time::Duration;

use journal::archive::ArchivePlace;
use journal::disk::{Disk, RealDisk};
use journal::postgres::{Database, Options, RowMover};
use journal::testing::conformance::{payload_of, read, store};
use journal::testing::{Fault, FaultyDisk};
use journal::{Appended, Error, Frame, Journal, Sequence};
use pgtest::Server;

use crate::postgres::{empty, writer};

const EVERYTHING: Sequence = Sequence(u64::MAX);
const FILE_BYTES: usize = 2_000;

/// A log of some rows that a node has used.
fn filled(server: &Server) -> (String, Database, Vec<Frame>) {
    let (name, database) = empty(server);
    database.shared_tables().expect("a link").set_once("log", &[5; 16]).expect("the log's id");
    let mut journal = writer(&database);
    let frames = (0..30).map(|salt| store(&mut journal, &payload_of(&[salt * 20, 7], salt as u64))).collect();
    (name, database, frames)
}

fn mover(database: &Database, disk: &FaultyDisk) -> Result<RowMover, Error> {
    Ok(database.mover(Arc::new(disk.clone()), "cold")?.with_file_bytes(FILE_BYTES))
}

fn move_all(database: &Database, disk: &FaultyDisk, until: Sequence) -> Result<u64, Error> {
    let mut mover = mover(database, disk)?;
    let mut moved = 0;
    while let Some(rows) = mover.move_next(until)? {
        moved += rows.frames;
    }
    Ok(moved)
}

fn with_archive(database: &Database, disk: &FaultyDisk) -> Database {
    let mut database = database.clone();
    database.read_archive(ArchivePlace::on(Arc::new(disk.clone()), "cold"));
    database
}

#[test]
fn moved_rows_are_read_from_the_archive_and_the_log_continues() {
    let server = Server::start(&[]);
    let (name, database, mut frames) = filled(&server);
    let disk = FaultyDisk::new(1);
    let until = frames[20].header.first;
    assert!(mover(&database, &disk).expect("a mover").has_next(until).expect("an answer"));
    assert_eq!(move_all(&database, &disk, until).expect("a move"), 20);
    assert_eq!(server.execute(&name, "SELECT count(*) FROM bellwether_frames"), "10");
    assert!(disk.list().expect("names").iter().filter(|name| name.ends_with(".archive")).count() > 1);
    let record = database.archived().expect("an answer").expect("a record");
    assert_eq!((record.end.next, &*record.place, record.journal), (until, "cold", [5; 16]));

    let with_archive = with_archive(&database, &disk);
    let mut journal = writer(&with_archive);
    for from in 1..=frames[29].header.next().0 - 1 {
        let rest: Vec<_> = frames.iter().filter(|frame| frame.header.next().0 > from).cloned().collect();
        assert_eq!(read(&journal, Sequence(from)), rest, "from {from}");
    }
    frames.push(store(&mut journal, &payload_of(&[9], 99)));
    assert_eq!(read(&writer(&with_archive), Sequence::FIRST), frames);
    // The last row stays: the next append names it.
    assert_eq!(move_all(&database, &disk, EVERYTHING).expect("a move"), 10);
    assert_eq!(server.execute(&name, "SELECT count(*) FROM bellwether_frames"), "1");
    let mut journal = writer(&with_archive);
    frames.push(store(&mut journal, &payload_of(&[9], 98)));
    assert_eq!(read(&journal, Sequence::FIRST), frames);
    assert_eq!(move_all(&database, &disk, Sequence(1)).expect("a move"), 0);
}

#[test]
fn a_reader_without_the_archive_gets_an_error_with_its_path_and_so_does_a_writer_far_behind() {
    let server = Server::start(&[]);
    let (_, database, frames) = filled(&server);
    let disk = FaultyDisk::new(1);
    let (mut behind, reading) = (writer(&database), writer(&with_archive(&database, &disk)));
    let mut standing = reading.frames(Sequence::FIRST).expect("a cursor");
    let mut late = writer(&database);
    let more: Vec<_> = (0..200).map(|salt| store(&mut late, &payload_of(&[30], 1_000 + salt))).collect();
    move_all(&database, &disk, EVERYTHING).expect("a move");
    let told = |error: Error| {
        let first = more[199].header.first;
        assert!(matches!(error, Error::Archived { first: found, .. } if found == first), "{error}");
        assert!(error.to_string().contains("cold"), "{error}");
    };
    told(late.frames(Sequence::FIRST).map(drop).expect_err("a refusal"));
    told(behind.read_others().map(drop).expect_err("a refusal"));
    // A cursor with the archive continues in it from any position.
    let mut found = Vec::new();
    while let Some(frame) = standing.next_frame().expect("a frame") {
        found.push(frame);
    }
    assert_eq!(found, [frames, more].concat());
}

#[test]
fn no_row_is_removed_unless_its_file_is_whole_and_an_interrupted_move_is_finished() {
    let server = Server::start(&[]);
    let (name, database, frames) = filled(&server);
    let quiet = FaultyDisk::new(0);
    drop(mover(&database, &quiet).expect("a mover"));
    let mut fault_at = quiet.calls() + 1;
    let disk = FaultyDisk::new(3);
    let mut troubles = 0;
    // Ever later crashes, each after some files were moved.
    loop {
        disk.plant(fault_at, Fault::Crash);
        let outcome = move_all(&database, &disk, EVERYTHING);
        disk.restart();
        assert_eq!(
            read(&writer(&with_archive(&database, &disk)), Sequence::FIRST),
            frames,
            "call {fault_at}"
        );
        fault_at += 3;
        if outcome.is_ok() {
            break;
        }
        troubles += 1;
    }
    assert!(troubles > 3, "{troubles}");
    assert_eq!(server.execute(&name, "SELECT count(*) FROM bellwether_frames"), "1");
}

#[test]
fn one_process_moves_rows_into_one_archive_of_the_log() {
    let server = Server::start(&[]);
    let (_, database, frames) = filled(&server);
    let disk = FaultyDisk::new(1);
    let first = mover(&database, &disk).expect("a mover");
    assert!(matches!(mover(&database, &disk), Err(Error::Locked { .. })), "the same archive");
    assert!(matches!(mover(&database, &FaultyDisk::new(2)), Err(Error::Locked { .. })), "another archive");
    drop(first);
    let gone = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'";
    while server.execute("postgres", gone) != "0" {
        std::thread::yield_now();
    }
    move_all(&database, &disk, frames[10].header.first).expect("a move");
    let refused = mover(&database, &FaultyDisk::new(2)).map(drop).expect_err("a refusal").to_string();
    assert!(refused.contains("move that archive here first"), "{refused}");
    let folder = tempfile::tempdir().expect("a folder");
    let real: Arc<dyn Disk> = Arc::new(RealDisk::new(folder.path()).expect("a folder"));
    assert!(database.mover(real, "elsewhere").is_err(), "an empty folder is not the archive");
}

#[test]
fn a_first_frame_that_is_offered_to_a_log_whose_first_frames_were_moved_stays_out() {
    let server = Server::start(&[]);
    let name = server.create_database();
    let options = Options { patience: Duration::ZERO, ..Options::default() };
    let database = Database::open(&server.url(&name), options).expect("a fit database");
    database.shared_tables().expect("a link").set_once("log", &[5; 16]).expect("the log's id");
    let mut stale = writer(&database);
    let mut journal = writer(&database);
    (0..5).for_each(|salt| drop(store(&mut journal, &payload_of(&[20], salt))));
    move_all(&database, &FaultyDisk::new(1), EVERYTHING).expect("a move");
    let outcome = stale.append(Sequence::FIRST, &payload_of(&[20], 77)).expect("an outcome");
    assert!(matches!(&outcome, Appended::Unknown { cause: Error::Archived { .. } }), "{outcome:?}");
    assert_eq!(server.execute(&name, "SELECT min(sequence) FROM bellwether_frames"), "5");
}
