//! Lines about the machine: its clock, its limit of open files, its disk, and whether another one has every write.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::statfs;
use rustix::process::{Resource, getrlimit};
use server::pipeline::timekeeping::{Machine, Timekeeper};

use super::{Finding, venue};
use crate::descriptors::needed_for;
use crate::settings::Settings;

/// File systems, by their number in `statfs`, that do not outlive the machine or the container.
const FLEETING: [(i64, &str); 3] = [
    (0x0102_1994, "tmpfs, which is memory: a restart of the machine loses everything"),
    (0x8584_58f6, "ramfs, which is memory: a restart of the machine loses everything"),
    (0x794c_7630, "a layer of the container, which is removed with it: mount a volume"),
];
/// No disk makes a write durable within less.
const SYNC_MIN: Duration = Duration::from_micros(5);
/// Each order waits for a sync.
const SYNC_MAX: Duration = Duration::from_millis(50);
const SYNCS: usize = 15;

pub(super) struct Disk {
    file_system: i64,
    /// The median time until a small write is durable.
    sync: Duration,
}

pub(super) fn is_synchronised() -> Option<bool> {
    Machine.is_synchronised()
}

pub(super) fn clock(is_synchronised: Option<bool>) -> Finding {
    match is_synchronised {
        Some(true) => Ok("the kernel's clock is synchronised".to_owned()),
        Some(false) => {
            Err("the kernel's clock is not synchronised: run chrony or systemd-timesyncd".to_owned())
        }
        None => {
            Err("the kernel does not say whether its clock is synchronised: run this outside the sandbox"
                .to_owned())
        }
    }
}

/// How many files may be open. `None`: unlimited.
#[derive(Clone, Copy, Debug)]
pub(super) enum DescriptorLimit {
    /// Of the running exchange.
    OfExchange(Option<u64>),
    /// Of this process, if the exchange does not answer. A service can have another limit.
    OfThisProcess(Option<u64>),
}

pub(super) fn descriptor_limit(settings: &Settings) -> DescriptorLimit {
    match venue::metrics(settings) {
        Some(metrics) => DescriptorLimit::OfExchange(limit_in(&metrics)),
        // The exchange raises its soft limit to the hard one.
        None => DescriptorLimit::OfThisProcess(getrlimit(Resource::Nofile).maximum),
    }
}

/// The limit in a scrape, which has none if the files are not limited.
fn limit_in(metrics: &str) -> Option<u64> {
    metrics.lines().find_map(|line| line.strip_prefix("process_max_fds ")?.parse().ok())
}

pub(super) fn descriptors(limit: DescriptorLimit, streams_max: u64) -> Finding {
    let needed = needed_for(streams_max);
    let (limit, holder, doubt) = match limit {
        DescriptorLimit::OfExchange(limit) => (limit, "the exchange", ""),
        DescriptorLimit::OfThisProcess(limit) => {
            (limit, "this command", "; the exchange does not answer, and its LimitNOFILE may differ")
        }
    };
    match limit {
        Some(limit) if limit < needed => Err(format!(
            "{holder} may open {limit} files, and {streams_max} streams need {needed}: raise the hard limit (LimitNOFILE, `ulimit -Hn`) or set --streams-max{doubt}"
        )),
        Some(limit) => Ok(format!("{holder} may open {limit} files, and {needed} are needed{doubt}")),
        None => Ok(format!("{holder} may open any number of files{doubt}")),
    }
}

/// Writes a small file to the data folder and syncs it several times.
pub(super) fn look_at_disk(data: &Path) -> Result<Disk, String> {
    let file = data.join(format!("check-{}.tmp", std::process::id()));
    let disk = measure(data, &file).map_err(|error| format!("{} cannot be written: {error}", file.display()));
    // Also after a failure. The error of the measurement matters more.
    let _ = fs::remove_file(&file);
    disk
}

fn measure(data: &Path, path: &Path) -> std::io::Result<Disk> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    let mut times = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        file.write_all(&[0; 512])?;
        let began = Instant::now();
        file.sync_data()?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok(Disk { file_system: statfs(data)?.f_type, sync: times[SYNCS / 2] })
}

pub(super) fn disk_sync(disk: &Disk) -> Finding {
    if let Some((_, what)) = FLEETING.iter().find(|(number, _)| *number == disk.file_system) {
        return Err(format!("the data folder is on {what}"));
    }
    let micros = disk.sync.as_micros();
    if disk.sync < SYNC_MIN {
        return Err(format!(
            "a write is reported as durable after {micros} µs, which no disk can do: something ignores syncs"
        ));
    }
    if disk.sync > SYNC_MAX {
        return Err(format!(
            "a write is durable after {micros} µs, and each order waits for that: use a faster disk"
        ));
    }
    Ok(format!("a write is durable after {micros} µs (median of {SYNCS})"))
}

/// `replicas_min`: of a shared log; none for a journal in a folder.
pub(super) fn standby(replicas_min: Option<u32>) -> Finding {
    match replicas_min {
        Some(0) => Err("a lost database loses answered writes: set --require-replicas 1".to_owned()),
        Some(replicas) => Ok(format!("{replicas} standbys have every write before it is answered")),
        None => Err(
            "a lost disk loses every write since the last backup: use a log in PostgreSQL with a standby (docs/operating/cluster.md), or accept this"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_not_synchronised_is_red() {
        assert!(clock(Some(true)).is_ok());
        assert!(clock(Some(false)).is_err());
        assert!(clock(None).is_err());
    }

    #[test]
    fn too_few_descriptors_for_the_streams_are_red() {
        for of in [DescriptorLimit::OfExchange, DescriptorLimit::OfThisProcess] {
            assert!(descriptors(of(None), 10_000).is_ok());
            assert!(descriptors(of(Some(65_536)), 10_000).is_ok());
            let wrong = descriptors(of(Some(4_096)), 10_000).expect_err("too few");
            assert!(wrong.contains("4096") && wrong.contains("--streams-max"), "{wrong}");
            assert!(descriptors(of(Some(4_096)), 1_000).is_ok());
        }
    }

    #[test]
    fn without_a_running_exchange_the_limit_is_of_this_process() {
        let mut settings = crate::settings::Given::default().settle().expect("settings");
        // Nothing can listen there.
        settings.admin_listen.set_port(0);
        let limit = descriptor_limit(&settings);
        assert!(matches!(limit, DescriptorLimit::OfThisProcess(_)), "{limit:?}");
        let found = descriptors(limit, 1).expect("enough for a test");
        assert!(found.contains("does not answer"), "{found}");
    }

    #[test]
    fn memory_a_container_layer_and_odd_sync_times_are_red() {
        let disk = |file_system, micros| Disk { file_system, sync: Duration::from_micros(micros) };
        let ext4 = 0xef53;
        assert!(disk_sync(&disk(ext4, 400)).is_ok());
        assert!(disk_sync(&disk(0x0102_1994, 400)).expect_err("memory").contains("tmpfs"));
        assert!(disk_sync(&disk(0x794c_7630, 400)).expect_err("a layer").contains("volume"));
        assert!(disk_sync(&disk(ext4, 1)).expect_err("too fast").contains("ignores"));
        assert!(disk_sync(&disk(ext4, 80_000)).expect_err("too slow").contains("faster"));
    }

    #[test]
    fn the_disk_is_measured_without_a_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = look_at_disk(folder.path()).expect("a measurement");
        assert!(disk.sync > Duration::ZERO);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert!(look_at_disk(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_journal_on_one_disk_is_red() {
        assert!(standby(Some(1)).is_ok());
        assert!(standby(Some(0)).expect_err("no standby").contains("--require-replicas"));
        assert!(standby(None).expect_err("one disk").contains("backup"));
    }
}
