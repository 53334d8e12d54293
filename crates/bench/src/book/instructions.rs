//! Instructions per operation, by callgrind.
//!
//! `bench book-once` runs twice, over the set-up records and over all of them. Both runs read the same file, so the
//! cost of reading cancels out in the difference.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::race::Entry;
use super::valgrind::{self, Folder};
use super::workload::{SET_UP_RECORDS, Workload};

/// Fewer than are timed: callgrind is about fifty times slower.
pub(crate) const OPERATIONS_MAX: usize = 200_000;

/// Writes the input of `book-once` and returns the number of measured records.
pub(crate) fn write_workload(workload: &Workload, folder: &Folder) -> io::Result<usize> {
    let measured = workload.measured().len().min(OPERATIONS_MAX);
    workload.write(&workload_file(folder), SET_UP_RECORDS + measured)?;
    Ok(measured)
}

pub(crate) fn per_operation(entry: &Entry, measured: usize, folder: &Folder) -> io::Result<f64> {
    let set_up = collected(entry, SET_UP_RECORDS, folder)?;
    let all = collected(entry, SET_UP_RECORDS + measured, folder)?;
    Ok(all.saturating_sub(set_up) as f64 / measured as f64)
}

fn collected(entry: &Entry, records: usize, folder: &Folder) -> io::Result<u64> {
    let discarded = folder.path().join("callgrind.out");
    let options = ["--tool=callgrind", &format!("--callgrind-out-file={}", discarded.display())];
    let file = workload_file(folder);
    let (file, records) = (file.to_string_lossy(), records.to_string());
    let arguments = ["book-once", entry.name, &file, &records];
    eprintln!("callgrind: {}, {records} records", entry.name);
    valgrind::run(&options, &arguments, "Collected")
}

fn workload_file(folder: &Folder) -> PathBuf {
    folder.path().join("operations")
}

/// The hidden `bench book-once CONTESTANT OPS_FILE [RECORDS]`.
pub(crate) fn run_once(arguments: &[String]) -> ExitCode {
    let (entry, file, records) = match arguments {
        [name, file] => (super::entry_named(name), file, Some(usize::MAX)),
        [name, file, records] => (super::entry_named(name), file, records.parse().ok()),
        _ => return usage(),
    };
    let (Some(entry), Some(records)) = (entry, records) else {
        return usage();
    };
    match Workload::read(Path::new(file)) {
        Ok(workload) => {
            let records = records.min(workload.records.len());
            (entry.once)(&workload.records[..records]);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("bench book-once: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("Usage: bench book-once CONTESTANT OPS_FILE [RECORDS]");
    ExitCode::from(2)
}
