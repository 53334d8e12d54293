//! Figures of the process and of its data folder, read from `/proc` and the file system. A figure that cannot be read
//! is left out. Figures are kept for some seconds: a scrape needs no token, and a walk through a large folder takes
//! long.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use tokio::sync::Mutex;

/// How long figures are kept.
const KEPT: Duration = Duration::from_secs(5);

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

/// All figures at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub process: ProcessFigures,
    /// `None` where the node has no folder.
    pub folder: Option<FolderFigures>,
}

/// The last figures, and when they were read.
#[derive(Debug, Default)]
pub struct KeptFigures(Mutex<Option<(Instant, Figures)>>);

impl KeptFigures {
    /// Figures that are not older than a few seconds. Of several scrapes at once one reads, and the others wait for
    /// it. `None` if the runtime ends meanwhile.
    pub async fn read(&self, folder: Option<PathBuf>, now: Instant) -> Option<Figures> {
        let mut kept = self.0.lock().await;
        if let Some((read_at, figures)) = *kept
            && now.saturating_duration_since(read_at) < KEPT
        {
            return Some(figures);
        }
        // Walks folders, so it must not block the runtime.
        let read = move || Figures {
            process: ProcessFigures::read(),
            folder: folder.map(|folder| FolderFigures::read(&folder)),
        };
        let figures = tokio::task::spawn_blocking(read).await.ok()?;
        *kept = Some((now, figures));
        Some(figures)
    }
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

    #[tokio::test]
    async fn figures_are_read_again_after_some_seconds() {
        let (folder, kept, begin) =
            (tempfile::tempdir().expect("a folder"), KeptFigures::default(), Instant::now());
        let journal = folder.path().join("journal");
        fs::create_dir(&journal).expect("a folder");
        let read = async |seconds: u64| {
            let at = begin + Duration::from_secs(seconds);
            let figures = kept.read(Some(folder.path().to_owned()), at).await.expect("figures");
            figures.folder.expect("a folder").journal_bytes
        };
        assert_eq!(read(0).await, 0);
        fs::write(journal.join("segment"), [0; 70]).expect("a file");
        assert_eq!((read(1).await, read(4).await), (0, 0), "kept");
        assert_eq!((read(5).await, read(6).await), (70, 70));
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
