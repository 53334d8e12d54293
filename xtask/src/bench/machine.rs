//! The class of this machine, for the table of results: cores, virtual or not, kernel, file system.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{output, root};

pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let system = file_system(&mounts, &std::env::temp_dir()).unwrap_or("unknown");
    format!(
        "{cores} cores of {} ({}), kernel {}, temporary files on {system}",
        model(&info),
        if is_virtual(&info) { "virtual" } else { "not virtual" },
        release.trim()
    )
}

/// The last commit, marked if the tree differs from it.
pub(crate) fn commit() -> String {
    let git = |words: &[&str]| output(Command::new("git").args(words).current_dir(root()));
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let is_changed = git(&["status", "--porcelain"]).is_none_or(|changes| !changes.trim().is_empty());
    format!("{}{}", commit.trim(), if is_changed { " with changes" } else { "" })
}

pub(crate) fn date() -> String {
    output(Command::new("date").args(["-u", "+%Y-%m-%d"])).unwrap_or_default().trim().to_owned()
}

fn model(info: &str) -> &str {
    let line = info.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(':')).map_or("an unknown processor", |(_, name)| name.trim())
}

/// The processor reports a hypervisor.
fn is_virtual(info: &str) -> bool {
    let mut flags = info.lines().filter(|line| line.starts_with("flags"));
    flags.any(|line| line.split_whitespace().any(|flag| flag == "hypervisor"))
}

/// The type of the file system with the longest mount point above a folder.
fn file_system<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let mounted = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    });
    let above = mounted.filter(|(point, _)| folder.starts_with(point));
    above.max_by_key(|(point, _)| point.len()).map(|(_, system)| system)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{file_system, is_virtual, model};

    #[test]
    fn the_file_system_of_a_folder_is_that_of_the_closest_mount() {
        let mounts = "/dev/vda / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\nproc /proc proc rw 0 0\n";
        assert_eq!(file_system(mounts, Path::new("/tmp/a")), Some("tmpfs"));
        assert_eq!(file_system(mounts, Path::new("/home/a")), Some("ext4"));
        assert_eq!(file_system("", Path::new("/")), None);
    }

    #[test]
    fn the_processor_names_itself_and_its_hypervisor() {
        let info = "processor : 0\nmodel name\t: Fast 3000\nflags\t\t: fpu hypervisor sse\n";
        assert_eq!(model(info), "Fast 3000");
        assert!(is_virtual(info) && !is_virtual("flags : fpu\n"));
    }
}
