//! The release that is packaged: its version, its time, and the folders that its files are written to.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{output, root};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Release {
    pub(super) version: String,
    pub(super) commit: String,
    /// Seconds since 1970 of the commit: the time of every packaged file.
    pub(super) epoch: u64,
    folder: PathBuf,
}

impl Release {
    /// `folder` receives the files.
    pub(super) fn of_this_commit(folder: PathBuf) -> Result<Release, String> {
        let shown = output(Command::new("git").args(["log", "-1", "--format=%H %ct"]).current_dir(root()))
            .ok_or("the commit is unknown: `git log` fails here")?;
        let (commit, epoch) = shown.trim().split_once(' ').ok_or("`git log` shows no commit")?;
        let epoch = epoch.parse().map_err(|error| format!("the commit's time `{epoch}`: {error}"))?;
        // The version of the workspace, which every crate has.
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Release { version, commit: commit.to_owned(), epoch, folder })
    }

    /// Removes the files of an earlier run.
    pub(super) fn clear(&self) -> Result<(), String> {
        remove(&self.folder)?;
        fs::create_dir_all(&self.folder).map_err(failed(&self.folder))
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// An empty folder for intermediate files.
    pub(super) fn work(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join("work").join(name);
        remove(&folder)?;
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        Ok(folder)
    }

    /// The commit's time as RFC 3339.
    pub(super) fn time(&self) -> Result<String, String> {
        let mut date = Command::new("date");
        date.args(["--utc", "+%Y-%m-%dT%H:%M:%SZ", "--date"]).arg(format!("@{}", self.epoch));
        output(&mut date).map(|text| text.trim().to_owned()).ok_or("`date` fails".to_owned())
    }

    pub(super) fn debian_package(&self) -> PathBuf {
        self.file(&format!("bellwether_{}_amd64.deb", self.version))
    }

    pub(super) fn image(&self) -> PathBuf {
        self.file(&format!("bellwether-{}-oci.tar", self.version))
    }

    /// Packs a folder. Equal contents give equal bytes, for every user and at any time.
    pub(super) fn tar(&self, folder: &Path, file: &Path) -> Result<(), String> {
        let mut tar = Command::new("tar");
        tar.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"])
            .arg(format!("--mtime=@{}", self.epoch))
            .arg("--file")
            .arg(file)
            .arg("--directory")
            .arg(folder)
            .arg(".");
        done(&mut tar)
    }
}

/// Adds the path to an error of the file system.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(folder)(error)),
        _ => Ok(()),
    }
}

/// Writes a file with its mode, and the folders above it with mode 0755.
pub(super) fn put(root: &Path, path: &str, mode: u32, bytes: &[u8]) -> Result<(), String> {
    let file = root.join(path);
    put_folder(root, Path::new(path).parent().unwrap_or(Path::new("")), 0o755)?;
    fs::write(&file, bytes).map_err(failed(&file))?;
    set_mode(&file, mode)
}

/// Creates a folder with its mode, regardless of the umask; the folders above it have mode 0755.
pub(super) fn put_folder(root: &Path, path: &Path, mode: u32) -> Result<(), String> {
    let mut folder = root.to_owned();
    set_mode(&folder, 0o755)?;
    for part in path.components() {
        folder.push(part);
        if !folder.is_dir() {
            fs::create_dir(&folder).map_err(failed(&folder))?;
            set_mode(&folder, 0o755)?;
        }
    }
    set_mode(&folder, mode)
}

pub(super) fn copy(from: &Path, root: &Path, path: &str, mode: u32) -> Result<(), String> {
    let bytes = fs::read(from).map_err(failed(from))?;
    put(root, path, mode, &bytes)
}

fn set_mode(path: &Path, mode: u32) -> Result<(), String> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(failed(path))
}

/// Runs a command; a failure includes the output on standard error.
pub(super) fn done(command: &mut Command) -> Result<(), String> {
    said(command).map(drop)
}

/// Runs a command and returns its standard output; a failure includes the output on standard error.
pub(super) fn said(command: &mut Command) -> Result<String, String> {
    let name = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{name} could not be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(format!("{name} ended with {}:\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Without the file's name and time, so that equal contents give equal bytes.
pub(super) fn gzip(file: &Path) -> Result<(), String> {
    done(Command::new("gzip").args(["--best", "--no-name", "--force"]).arg(file))
}

pub(super) fn sha256(file: &Path) -> Result<String, String> {
    let line = said(Command::new("sha256sum").arg(file))?;
    line.split_whitespace()
        .next()
        .map(str::to_owned)
        .ok_or_else(|| format!("{}: no checksum", file.display()))
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;

    use super::{Release, put, put_folder, said, sha256};

    pub(in crate::dist) fn release(name: &str) -> Release {
        let folder = std::env::temp_dir().join(format!("bellwether-dist-{}-{name}", std::process::id()));
        let release = Release {
            version: "1.2.3".to_owned(),
            commit: "c0ffee".to_owned(),
            epoch: 1_767_225_600,
            folder,
        };
        release.clear().unwrap();
        release
    }

    #[test]
    fn packed_folders_depend_on_contents_alone() {
        let release = release("tar");
        let mut sums = Vec::new();
        for name in ["one", "two"] {
            let folder = release.work(name).unwrap();
            put(&folder, "b/c", 0o600, b"text").unwrap();
            put_folder(&folder, Path::new("a"), 0o700).unwrap();
            let packed = release.file(&format!("{name}.tar"));
            release.tar(&folder, &packed).unwrap();
            sums.push(sha256(&packed).unwrap());
        }
        assert_eq!(sums[0], sums[1]);
        let mode = |path: &str| {
            fs::metadata(release.file("work/one").join(path)).unwrap().permissions().mode() & 0o777
        };
        assert_eq!((mode("a"), mode("b"), mode("b/c")), (0o700, 0o755, 0o600));
        assert_eq!(release.time().unwrap(), "2026-01-01T00:00:00Z");
        fs::remove_dir_all(release.file("")).unwrap();
    }

    #[test]
    fn a_failure_says_what_the_program_said() {
        let error = said(Command::new("sh").args(["-c", "echo no room >&2; exit 3"])).unwrap_err();
        assert!(error.contains("no room"), "{error}");
    }
}
