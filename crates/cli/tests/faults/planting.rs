//! Means to plant a fault: a small disk in a mount namespace, limits of a process, system calls that are delayed, and a
//! clock that is set.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Resource, Rlimit, geteuid, getrlimit, prlimit};

/// Mounts a disk of the size `$1` at `$2`, copies the folder `$3` to it, runs the line `$4`, then the rest.
const ON_SMALL_DISK: &str = "mount -t tmpfs -o size=\"$1\",mode=700 none \"$2\" \
     && cp -a --sparse=never \"$3/.\" \"$2\" && eval \"$4\" && shift 4 && exec \"$@\"";

/// A disk that only one process and its descendants see.
pub(crate) struct SmallDisk {
    at: PathBuf,
    size: String,
}

impl SmallDisk {
    /// `at` is an empty folder.
    pub(crate) fn new(at: PathBuf, mebibytes: u32) -> SmallDisk {
        fs::create_dir(&at).expect("a folder");
        SmallDisk { at, size: format!("{mebibytes}m") }
    }

    /// Where the process sees it.
    pub(crate) fn path(&self) -> &Path {
        &self.at
    }

    /// The words before a command that runs with the disk, which has a copy of a folder. `then` is a line of shell that
    /// runs before the command, with the disk's folder as `$2`.
    pub(crate) fn wrapper<'a>(&'a self, copied: &'a Path, then: &'a str) -> Vec<&'a str> {
        let mut words = vec!["unshare", "--mount"];
        if !geteuid().is_root() {
            words.extend(["--user", "--map-root-user"]);
        }
        let text = |path: &'a Path| path.to_str().expect("a path of letters");
        words.extend(["sh", "-c", ON_SMALL_DISK, "sh", &self.size, text(&self.at), text(copied), then]);
        words
    }

    /// Writes until no byte is free, and returns the file.
    pub(crate) fn fill(&self, process: Pid) -> PathBuf {
        let seen = self.at.strip_prefix("/").expect("an absolute path");
        let path = Path::new("/proc")
            .join(process.as_raw_nonzero().to_string())
            .join("root")
            .join(seen)
            .join("filler");
        let mut filler = File::create(&path).expect("a file on the small disk");
        for size in [1 << 20, 1 << 12] {
            while filler.write_all(&vec![1; size]).is_ok() {}
        }
        path
    }
}

/// Changes the soft limit of open files of a process, and returns the one before.
pub(crate) fn limit_descriptors(process: Pid, limit: Option<u64>) -> Option<u64> {
    let before = getrlimit(Resource::Nofile);
    let kept = prlimit(Some(process), Resource::Nofile, Rlimit { current: limit, maximum: before.maximum });
    kept.expect("the limit of a process of this user").current
}

/// Lets a process map no further memory.
pub(crate) fn forbid_memory(process: Pid) {
    let none = Rlimit { current: Some(4_096), ..getrlimit(Resource::As) };
    prlimit(Some(process), Resource::As, none).expect("the limit of a process of this user");
}

/// The words before a command whose `fdatasync` takes this long.
pub(crate) fn slow_disk(micros: &str) -> Vec<String> {
    with_syncs(&format!("delay_enter={micros}"))
}

/// The words before a command in which a thread's `fdatasync` fails from this one on, counted from 1.
pub(crate) fn failing_disk(first: u32) -> Vec<String> {
    with_syncs(&format!("error=EIO:when={first}+"))
}

fn with_syncs(fault: &str) -> Vec<String> {
    let words =
        ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fdatasync", "-e"];
    let inject = format!("inject=fdatasync:{fault}");
    words.map(str::to_owned).into_iter().chain([inject]).collect()
}

/// A wall clock that is set while a process runs.
pub(crate) struct SetClock {
    file: PathBuf,
}

impl SetClock {
    const LIBRARY: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

    pub(crate) fn new(file: PathBuf) -> SetClock {
        assert!(Path::new(SetClock::LIBRARY).exists(), "the Debian package libfaketime");
        let clock = SetClock { file };
        clock.set(0);
        clock
    }

    /// Gives the clock to a command. Clocks that cannot be set stay as they are.
    pub(crate) fn give_to(&self, command: &mut std::process::Command) {
        command
            .env("LD_PRELOAD", SetClock::LIBRARY)
            .env("FAKETIME_TIMESTAMP_FILE", &self.file)
            .env("FAKETIME_NO_CACHE", "1")
            .env("DONT_FAKE_MONOTONIC", "1");
    }

    /// Sets it this many seconds ahead of the machine's.
    pub(crate) fn set(&self, ahead: i64) {
        let unfinished = self.file.with_extension("new");
        fs::write(&unfinished, format!("{ahead:+}\n")).expect("a file");
        fs::rename(&unfinished, &self.file).expect("a file");
    }
}
