//! Small disks in memory that can be filled, in a mount namespace of their own: they vanish with the process that holds
//! it, however the test ends. Only root may mount.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::server::unprivileged_user;

/// Enough for a long drill; memory is taken only as it is used.
const SIZE: &str = "1g";
const BALLAST: &str = "ballast";

#[derive(Debug)]
pub(super) struct Disks {
    /// Waits for the end of its input, which this process holds.
    holder: Child,
}

impl Disks {
    /// Mounts a disk at each folder. None if this process may not.
    pub(super) fn mount(folders: impl Iterator<Item = PathBuf>) -> Option<Disks> {
        let (user, group) = unprivileged_user()?;
        let options = format!("size={SIZE},mode=0700,uid={user},gid={group}");
        let script =
            "for folder; do mount -t tmpfs -o \"$OPTIONS\" tmpfs \"$folder\" || exit 1; done; echo; exec cat";
        let mut holder = Command::new("unshare")
            .args(["--mount", "--propagation=private", "sh", "-c", script, "sh"])
            .args(folders)
            .env("OPTIONS", options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let output = holder.stdout.as_mut().expect("a pipe");
        let is_ready = BufReader::new(output).read_line(&mut line).is_ok_and(|count| count > 0);
        // Dropped, and so ended, if the mounts failed.
        let disks = Disks { holder };
        is_ready.then_some(disks)
    }

    /// The process whose mount namespace has the disks.
    pub(super) fn process(&self) -> u32 {
        self.holder.id()
    }

    /// Writes until no byte is free.
    pub(super) fn fill(&self, disk: &Path) {
        let mut ballast = File::create(self.outside(disk).join(BALLAST)).expect("a file on the disk");
        let mut block = vec![0; 1 << 20];
        while !block.is_empty() {
            match ballast.write_all(&block) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => block.truncate(block.len() / 2),
                Err(error) => panic!("{error}"),
            }
        }
    }

    pub(super) fn free(&self, disk: &Path) {
        fs::remove_file(self.outside(disk).join(BALLAST)).expect("the file that fills the disk");
    }

    /// A path in the namespace, as this process can open it.
    fn outside(&self, path: &Path) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        root.join(path.strip_prefix("/").expect("an absolute path"))
    }
}

impl Drop for Disks {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
