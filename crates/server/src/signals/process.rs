//! Figures of the process and of its data folder, read from `/proc` and the file system at each scrape. A figure that
//! cannot be read is left out.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessFigures {
    /// Processor time in millionths of a second.
    pub cpu_micros: Option<u64>,
    pub open_descriptors: Option<u64>,
    pub descriptors_max: Option<u64>,
    pub resident_bytes: Option<u64>,
    pub virtual_bytes: Option<u64>,
    /// Heap and stacks: nearly all of it is the allocator's.
    pub anonymous_bytes: Option<u64>,
    pub threads: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderFigures {
    pub journal_bytes: u64,
    pub history_bytes: u64,
    /// Size of the newest snapshot, and when it was written, in Unix seconds.
    pub snapshot: Option<(u64, u64)>,
    pub free_bytes: Option<u64>,
}

impl ProcessFigures {
    pub fn read() -> ProcessFigures {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let kilobytes = |name: &str| line_number(&status, name).map(|kilobytes| kilobytes * 1_024);
        ProcessFigures {
            cpu_micros: cpu_micros(),
            open_descriptors: fs::read_dir("/proc/self/fd").ok().map(|entries| entries.count() as u64),
            descriptors_max: line_number(&limits, "Max open files"),
            resident_bytes: kilobytes("VmRSS:"),
            virtual_bytes: kilobytes("VmSize:"),
            anonymous_bytes: kilobytes("RssAnon:"),
            threads: line_number(&status, "Threads:"),
        }
    }
}

impl FolderFigures {
    pub fn read(folder: &Path) -> FolderFigures {
        FolderFigures {
            journal_bytes: folder_bytes(&folder.join("journal")),
            history_bytes: folder_bytes(&folder.join("history")),
            snapshot: newest_snapshot(&folder.join("snapshots")),
            free_bytes: free_bytes(folder),
        }
    }
}

/// The bytes that an unprivileged process may still write to the disk of `path`.
fn free_bytes(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// The first number after a name at the beginning of a line.
fn line_number(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn cpu_micros() -> Option<u64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    u64::try_from(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000).ok()
}

/// The size of all files in a folder and its folders.
fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let bytes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => folder_bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        // Removed meanwhile.
        Err(_) => 0,
    });
    bytes.sum()
}

fn newest_snapshot(folder: &Path) -> Option<(u64, u64)> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let snapshots = entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "snapshot"));
    let figures = snapshots.filter_map(|entry| {
        let metadata = entry.metadata().ok()?;
        let written = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
        Some((written, metadata.len()))
    });
    figures.max().map(|(written, bytes)| (bytes, written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_all_figures() {
        let figures = ProcessFigures::read();
        assert!(figures.open_descriptors.is_some_and(|open| open > 0), "{figures:?}");
        assert!(figures.descriptors_max > figures.open_descriptors, "{figures:?}");
        assert!(figures.resident_bytes.is_some_and(|bytes| bytes > 100_000), "{figures:?}");
        assert!(figures.virtual_bytes >= figures.resident_bytes, "{figures:?}");
        assert!(figures.anonymous_bytes.is_some() && figures.cpu_micros.is_some(), "{figures:?}");
        assert!(figures.threads.is_some_and(|threads| threads >= 1), "{figures:?}");
    }

    #[test]
    fn a_folder_has_the_bytes_of_its_files_and_the_newest_snapshot() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["journal/archive", "snapshots"] {
            fs::create_dir_all(path(name)).expect("a folder");
        }
        fs::write(path("journal/a"), [0; 10]).expect("a file");
        fs::write(path("journal/archive/b"), [0; 5]).expect("a file");
        fs::write(path("snapshots/1.snapshot"), [0; 7]).expect("a file");
        fs::write(path("snapshots/snapshot.tmp"), [0; 99]).expect("a file");
        let figures = FolderFigures::read(folder.path());
        assert_eq!((figures.journal_bytes, figures.history_bytes), (15, 0));
        assert!(matches!(figures.snapshot, Some((7, written)) if written > 1_500_000_000), "{figures:?}");
        assert!(figures.free_bytes.is_some());
        assert_eq!(FolderFigures::read(&path("absent")), FolderFigures::default());
    }
}
