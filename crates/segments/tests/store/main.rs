//! A store against plain lists: commits, flushes, merges, restarts, crashes, reads of old versions, damage,
//! a full disk.

mod full_disk;
mod model;

use std::path::Path;

use model::{Model, Random, copy_after_crash, options};
use segments::{Error, Key, Mark, Opened, Options, State, Store, Version};
use tempfile::TempDir;

const SEEDS: u64 = 12;
const COMMITS: u64 = 120;

/// A folder in memory, if the system has such a place: the tests sync thousands of times.
fn new_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder")
}

fn open(folder: &Path) -> Opened {
    Store::open(folder, &options()).expect("a store")
}

/// Runs random commits and flushes. `each` is called after each, with the model as of the last flush.
fn play(
    seed: u64,
    commits: u64,
    folder: &Path,
    mut each: impl FnMut(&mut Random, &mut Model, &mut Store, &mut Model),
) {
    let mut random = Random(seed);
    let (mut model, mut flushed) = (Model::default(), Model::default());
    let mut store = open(folder).store;
    for _ in 0..commits {
        model.grow(&mut random, &mut store);
        store.commit(model.mark).expect("a commit");
        if random.below(4) == 0 {
            let bytes = random.draw().to_be_bytes().to_vec();
            let state = match random.below(6) {
                0 => State::Same,
                1 => {
                    model.states.clear();
                    model.states.push(bytes.clone());
                    State::Replace(bytes)
                }
                _ => {
                    model.states.push(bytes.clone());
                    State::Append(bytes)
                }
            };
            store.flush(state).expect("a flush");
            flushed = model.clone();
        }
        each(&mut random, &mut model, &mut store, &mut flushed);
    }
}

#[test]
fn every_version_answers_as_plain_lists_do_also_while_runs_are_merged() {
    for seed in 0..SEEDS {
        let folder = new_folder();
        let mut held: Vec<(Version, Model)> = Vec::new();
        play(seed, COMMITS, folder.path(), |random, model, store, _| {
            if random.below(8) == 0 {
                held.push((store.version(), model.clone()));
            }
            if random.below(10) == 0 {
                model.compare(&store.version(), random).expect("an answer");
            }
        });
        // The store is closed and its runs were merged, but the files of these versions are still readable.
        for (version, model) in &held {
            model.compare(version, &mut Random(seed)).expect("an answer");
        }
        drop(held);
        let reopened = open(folder.path());
        let files = std::fs::read_dir(folder.path()).expect("a folder").count();
        let (runs, _) = reopened.store.version().files();
        assert!(files <= runs.iter().sum::<usize>() + 16, "{files} files, {runs:?} runs");
    }
}

#[test]
fn a_crash_returns_the_store_to_its_last_flush() {
    for seed in 100..100 + SEEDS {
        let folder = new_folder();
        play(seed, COMMITS, folder.path(), |random, model, store, flushed| {
            if random.below(12) != 0 {
                return;
            }
            let copy = new_folder();
            // A merge may replace a file while it is copied; a closed store leaves the files of a killed one.
            *store = open(new_folder().path()).store;
            copy_after_crash(folder.path(), copy.path(), random);
            let Opened { store: crashed, state } = open(copy.path());
            flushed.compare(&crashed.version(), random).expect("an answer");
            assert_eq!(state, flushed.states);
            assert!(!copy.path().join("99999.segment").exists(), "a file that does not count is deleted");
            drop(crashed);
            *store = open(folder.path()).store;
            *model = flushed.clone();
        });
    }
}

/// Reads everything in a store.
fn read_all(folder: &Path, model: &Model) -> Result<(), Error> {
    let Opened { store, state } = Store::open(folder, &options())?;
    assert_eq!(state, model.states);
    let version = store.version();
    for (log, records) in model.logs.iter().enumerate() {
        for record in records {
            let found = version.record(log, record.number)?;
            assert!(found.as_ref() == Some(record) || (log == 1 && found.is_none()));
        }
    }
    for (index, lists) in model.lists.iter().enumerate() {
        for (key, values) in lists {
            assert_eq!(version.list(index, *key)?.values(0..u64::MAX)?, *values);
        }
    }
    Ok(())
}

#[test]
fn a_changed_byte_is_an_error_that_names_the_file_or_changes_no_answer() {
    let folder = new_folder();
    let mut last = Model::default();
    play(7, 60, folder.path(), |_, model, store, _| {
        store.flush(State::Same).expect("a flush");
        last = model.clone();
    });
    read_all(folder.path(), &last).expect("an undamaged store");
    let (mut random, mut noticed, mut unnoticed) = (Random(1), 0, 0);
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let damaged = entry.expect("an entry").path();
        for _ in 0..25 {
            let copy = new_folder();
            for entry in std::fs::read_dir(folder.path()).expect("a folder") {
                let path = entry.expect("an entry").path();
                let mut bytes = std::fs::read(&path).expect("a file");
                if path == damaged {
                    let place = random.below(bytes.len() as u64) as usize;
                    match random.below(4) {
                        0 => bytes.truncate(place),
                        _ => bytes[place] ^= 1 << random.below(8),
                    }
                }
                std::fs::write(copy.path().join(path.file_name().expect("a name")), bytes).expect("a copy");
            }
            match read_all(copy.path(), &last) {
                Err(error) => {
                    assert!(error.is_damage(), "{error}");
                    assert!(
                        error.to_string().contains(&*damaged.file_name().expect("a name").to_string_lossy())
                    );
                    noticed += 1;
                }
                // Only records that are too old to be read.
                Ok(()) => unnoticed += 1,
            }
        }
    }
    assert!(noticed > 150 && unnoticed * 5 < noticed, "{noticed} noticed, {unnoticed} not");
}

#[test]
fn old_segments_are_dropped_and_the_log_continues() {
    let folder = new_folder();
    let mut store = open(folder.path()).store;
    for hour in 0..100 {
        let at = hour * model::KEPT / 10;
        store.append(1, hour.cast_unsigned(), at, &[7; 5_000]);
        store.commit(Mark { sequence: hour.cast_unsigned() + 1, at }).expect("a commit");
        store.flush(State::Same).expect("a flush");
        let version = store.version();
        for number in hour.saturating_sub(10).max(0)..=hour {
            assert!(
                version.record(1, number.cast_unsigned()).expect("an answer").is_some(),
                "{number} at {hour}"
            );
        }
        let dropped = hour.saturating_sub(25);
        if dropped >= 0 {
            assert_eq!(version.record(1, dropped.cast_unsigned()).expect("an answer"), None);
        }
    }
    let bytes = std::fs::read_dir(folder.path()).expect("a folder");
    let bytes: u64 = bytes.map(|entry| entry.expect("a file").metadata().expect("its length").len()).sum();
    assert!(bytes < 30 * 5_000, "{bytes}");
}

#[test]
fn a_store_of_another_version_is_refused_and_can_be_removed() {
    let folder = new_folder();
    let mut store = open(folder.path()).store;
    store.add(0, Key([1, 2, 3]), 4);
    store.commit(Mark { sequence: 1, at: 1 }).expect("a commit");
    store.flush(State::Same).expect("a flush");
    drop(store);
    let newer = Options { version: 4, ..options() };
    assert!(matches!(Store::open(folder.path(), &newer), Err(Error::OtherVersion { found: 3 })));
    segments::remove(folder.path()).expect("removed");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let store = Store::open(folder.path(), &newer).expect("a new store").store;
    assert_eq!(store.version().mark(), Mark::default());
}
