//! A full disk: a flush fails, leaves no file behind and loses nothing.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use segments::{Opened, State};

use crate::model::{Model, Random};
use crate::{COMMITS, SEEDS, new_folder, open, play};

/// Far more files than the attempts of a test create.
const PLANTED: u64 = 500;

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
}

fn number(path: &Path) -> u64 {
    path.file_stem().and_then(|stem| stem.to_str()?.parse().ok()).unwrap_or(0)
}

/// Every write to the next files fails with ENOSPC, or only that to the manifest. The merging thread may be at work: it
/// finishes its manifest first, and keeps the file that it has begun.
fn plant(folder: &Path, is_manifest_only: bool) {
    patience::until("a manifest is never finished", || is_planted(&folder.join("manifest.new")));
    if !is_manifest_only {
        let next = entries(folder).map(|path| number(&path)).max().unwrap_or(0) + 1;
        for number in next..next + PLANTED {
            is_planted(&folder.join(format!("{number}.segment")));
        }
    }
}

/// Whether the file was free.
fn is_planted(path: &Path) -> bool {
    match symlink("/dev/full", path) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

fn unplant(folder: &Path) {
    entries(folder).filter(|path| path.is_symlink()).for_each(|path| fs::remove_file(path).expect("room"));
}

fn files(folder: &Path) -> usize {
    entries(folder).filter(|path| !path.is_symlink()).count()
}

/// Nothing is left of the attempts. The merging thread removes its file when its attempt has failed too.
fn wait_for_at_most(most: usize, folder: &Path) {
    patience::until("a failed attempt leaves a file", || files(folder) <= most);
}

#[test]
fn a_flush_on_a_full_disk_fails_leaves_no_file_and_succeeds_when_there_is_room() {
    for seed in 200..200 + SEEDS {
        let folder = new_folder();
        let (mut last, mut failures) = (Model::default(), 0);
        play(seed, COMMITS, folder.path(), |random, model, store, flushed| {
            last = flushed.clone();
            if random.below(8) != 0 {
                return;
            }
            let before = files(folder.path());
            plant(folder.path(), random.below(2) == 0);
            for _ in 0..3 {
                let failed = store.flush(State::Replace(b"lost".to_vec())).expect_err("no room");
                assert!(failed.is_transient() && !failed.is_damage(), "{failed}");
                model.grow(random, store);
                store.commit(model.mark).expect("a commit needs no room");
                failures += 1;
            }
            wait_for_at_most(before, folder.path());
            model.compare(&store.version(), random).expect("everything is in memory");
            unplant(folder.path());
            if random.below(2) == 0 {
                // As after a crash: the store is what it was after its last flush.
                *store = open(new_folder().path()).store;
                let Opened { store: again, state } = open(folder.path());
                flushed.compare(&again.version(), random).expect("an answer");
                assert_eq!(state, flushed.states);
                (*store, *model) = (again, flushed.clone());
                return;
            }
            model.states = vec![random.draw().to_be_bytes().to_vec()];
            store.flush(State::Replace(model.states[0].clone())).expect("room");
            *flushed = model.clone();
            last = model.clone();
        });
        assert!(failures > 0);
        let Opened { store, state } = open(folder.path());
        last.compare(&store.version(), &mut Random(seed)).expect("an answer");
        assert_eq!(state, last.states);
    }
}
