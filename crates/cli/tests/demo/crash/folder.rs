//! Checks the data folder of a dead process: the journal gives one state, with its snapshots or without, and that
//! state breaks no rule.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

use exchange::Exchange;
use exchange::invariants::check_all;
use server::startup;

const CHUNK_BYTES: usize = 1 << 16;

/// Opens copies, because opening a journal truncates an incomplete frame. Returns how many digests were compared.
pub(super) fn check(folder: &Path) -> u64 {
    let short = opened(folder, &["journal", "snapshots"]);
    let whole = opened(folder, &["journal"]);
    assert_eq!(
        (short.seq(), short.digest()),
        (whole.seq(), whole.digest()),
        "a snapshot spares, it never changes"
    );
    check_all(&whole).unwrap_or_else(|broken| panic!("{broken}"));
    1
}

/// A copy for each check: a child process that another test forks at this moment holds our lock until it executes its
/// program.
fn opened(folder: &Path, parts: &[&str]) -> Exchange {
    let copy = tempfile::tempdir().expect("a folder");
    for part in parts {
        copy_files(&folder.join(part), &copy.path().join(part));
    }
    startup::open(copy.path(), |_, _| {}).expect("a folder that opens").exchange
}

/// Segments are mostly zeros, which need not be written.
fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    let mut chunk = vec![0; CHUNK_BYTES];
    for entry in fs::read_dir(from).expect("a folder to read") {
        let path = entry.expect("a file").path();
        let source = File::open(&path).expect("a file to read");
        let target = File::create(to.join(path.file_name().expect("a name"))).expect("a file to write");
        target.set_len(source.metadata().expect("a length").len()).expect("room");
        let mut offset = 0;
        loop {
            let read = source.read_at(&mut chunk, offset).expect("bytes");
            if read == 0 {
                break;
            }
            if chunk[..read].iter().any(|byte| *byte != 0) {
                target.write_all_at(&chunk[..read], offset).expect("bytes written");
            }
            offset += read as u64;
        }
    }
}
