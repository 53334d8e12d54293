//! Counters of the kernel for this process: context switches by thread, calls that read or write, bytes written.
//!
//! The kernel counts `read`, `write` and their positioned and vectored forms, on files, pipes and sockets. It does not
//! count `send`, `recv`, `epoll_wait`, `futex` and `fdatasync`; only a tracer could.

use std::collections::BTreeMap;
use std::fs;

use crate::Problem;

/// Totals since the process began.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Voluntary and involuntary context switches, by thread name. Ended threads are missing.
    switches: BTreeMap<String, u64>,
    /// Calls that read or write.
    pub calls: u64,
    /// Bytes that these calls passed to the kernel.
    pub written_bytes: u64,
    /// Bytes of the pages that had to go to the disk, in whole pages.
    pub disk_bytes: u64,
}

impl Counts {
    /// Zeros where the kernel does not report a counter.
    pub fn now() -> Counts {
        let io = fs::read_to_string("/proc/self/io").unwrap_or_default();
        let of = |name| field(&io, name);
        let calls = of("syscr") + of("syscw");
        let switches = switches_by_thread();
        Counts { switches, calls, written_bytes: of("wchar"), disk_bytes: of("write_bytes") }
    }

    pub fn since(&self, before: &Counts) -> Counts {
        let switches = self.switches.iter().map(|(name, count)| {
            let before = before.switches.get(name).copied().unwrap_or(0);
            (name.clone(), count.saturating_sub(before))
        });
        Counts {
            switches: switches.collect(),
            calls: self.calls - before.calls,
            written_bytes: self.written_bytes - before.written_bytes,
            disk_bytes: self.disk_bytes - before.disk_bytes,
        }
    }

    pub fn add(&mut self, other: &Counts) {
        for (name, count) in &other.switches {
            *self.switches.entry(name.clone()).or_default() += count;
        }
        self.calls += other.calls;
        self.written_bytes += other.written_bytes;
        self.disk_bytes += other.disk_bytes;
    }

    pub fn switches(&self) -> u64 {
        self.switches.values().sum()
    }

    /// The threads that were switched, most often first.
    pub fn switches_by_thread(&self) -> Vec<(&str, u64)> {
        let mut threads: Vec<_> = self.switches.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        threads.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        threads
    }
}

fn switches_by_thread() -> BTreeMap<String, u64> {
    let mut switches = BTreeMap::new();
    for task in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let count = field(&status, "voluntary_ctxt_switches") + field(&status, "nonvoluntary_ctxt_switches");
        *switches.entry(name.trim().to_owned()).or_default() += count;
    }
    switches
}

/// The number after `name:` at the beginning of a line; 0 if there is none.
fn field(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// A value of `/proc/self/status` in MiB, for example `VmRSS`.
pub fn memory_mib(name: &str) -> Result<f64, Problem> {
    match field(&fs::read_to_string("/proc/self/status")?, name) {
        0 => Err(format!("the kernel does not report {name}").into()),
        kibibytes => Ok(kibibytes as f64 / 1_024.0),
    }
}

/// The memory of the machine that is available for new processes, in bytes.
pub fn available_bytes() -> u64 {
    field(&fs::read_to_string("/proc/meminfo").unwrap_or_default(), "MemAvailable") << 10
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Counts, field};

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let text = "nonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t41\nVmRSS:\t  12 kB\n";
        let values = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches", "VmRSS", "ctxt"];
        assert_eq!(values.map(|name| field(text, name)), [41, 7, 12, 0]);
    }

    #[test]
    fn a_write_is_counted_with_its_bytes() {
        let mut file = tempfile::tempfile().unwrap();
        let before = Counts::now();
        file.write_all(&[1; 5_000]).unwrap();
        let counted = Counts::now().since(&before);
        assert!(counted.calls >= 1 && counted.written_bytes >= 5_000, "{counted:?}");
    }
}
