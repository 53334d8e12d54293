//! The executable of a release: stripped, and linked against nothing newer than the oldest supported Debian has.
//!
//! It uses the machine's glibc. A static executable needs the musl target of the Rust toolchain, and would lose glibc's
//! name service, which reads the machine's own `/etc/nsswitch.conf`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::release::{done, failed, said};

pub(super) const OLDEST_DEBIAN: &str = "bookworm";
/// The glibc of the oldest supported Debian.
const GLIBC_MAX: (u32, u32) = (2, 36);

/// The libraries that an executable may need, with the Debian package and its oldest version with all their symbols. The
/// version of glibc is read from the executable.
const LIBRARIES: [(&str, &str, Option<&str>); 4] = [
    ("libc.so.6", "libc6", None),
    ("libm.so.6", "libc6", None),
    ("ld-linux-x86-64.so.2", "libc6", None),
    ("libgcc_s.so.1", "libgcc-s1", Some("4.2")),
];

/// What an executable needs from the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Linked {
    pub(super) libraries: Vec<String>,
    glibc: (u32, u32),
}

impl Linked {
    pub(super) fn glibc(&self) -> String {
        format!("{}.{}", self.glibc.0, self.glibc.1)
    }

    /// The `Depends` of a Debian package.
    pub(super) fn depends(&self) -> Result<Vec<String>, String> {
        let mut depends = BTreeSet::new();
        for library in &self.libraries {
            let known = LIBRARIES.iter().find(|(name, ..)| name == library);
            let (_, package, version) =
                known.ok_or_else(|| format!("no Debian package is known for {library}"))?;
            depends.insert(match version {
                Some(version) => format!("{package} (>= {version})"),
                None => format!("{package} (>= {})", self.glibc()),
            });
        }
        Ok(depends.into_iter().collect())
    }
}

/// Copies an executable without its symbols. Refuses an executable that the oldest supported Debian cannot run.
pub(super) fn strip(from: &Path, to: &Path) -> Result<Linked, String> {
    fs::copy(from, to).map_err(failed(from))?;
    done(Command::new("strip").arg(to))?;
    let linked = Linked {
        libraries: libraries(&said(Command::new("readelf").args(["--wide", "--dynamic"]).arg(to))?),
        glibc: glibc(&said(Command::new("readelf").args(["--wide", "--version-info"]).arg(to))?)?,
    };
    if linked.glibc > GLIBC_MAX {
        let (needed, (major, minor)) = (linked.glibc(), GLIBC_MAX);
        return Err(format!(
            "the executable needs glibc {needed}, and Debian's {OLDEST_DEBIAN} has {major}.{minor}: build it on {OLDEST_DEBIAN}"
        ));
    }
    linked.depends()?;
    Ok(linked)
}

/// From lines such as `0x0000000000000001 (NEEDED) Shared library: [libc.so.6]`.
fn libraries(dynamic: &str) -> Vec<String> {
    let needed = dynamic.lines().filter(|line| line.contains("(NEEDED)"));
    needed.filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned())).collect()
}

/// The newest version of glibc's symbols, from lines such as `0x0010: Name: GLIBC_2.34 Flags: none Version: 4`.
fn glibc(versions: &str) -> Result<(u32, u32), String> {
    let names = versions.split("GLIBC_").skip(1).filter_map(|rest| rest.split_whitespace().next());
    let number = |name: &str| {
        let mut parts = name.split('.').map(|part| part.parse::<u32>().ok());
        Some((parts.next()??, parts.next()??))
    };
    names.filter_map(number).max().ok_or("the executable names no version of glibc".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Linked, glibc, libraries};

    #[test]
    fn needed_libraries_and_versions_are_read() {
        let dynamic = " 0x01 (NEEDED)  Shared library: [libgcc_s.so.1]\n 0x01 (NEEDED)  Shared library: [libc.so.6]\n 0x0c (INIT) 0x1\n";
        assert_eq!(libraries(dynamic), ["libgcc_s.so.1", "libc.so.6"]);
        let versions = "  0x0010:   Name: GLIBC_2.9  Flags: none  Version: 5\n  0x0020:   Name: GLIBC_2.34  Flags: none\n  Name: GLIBC_2.2.5\n  Name: GCC_3.0\n";
        assert_eq!(glibc(versions), Ok((2, 34)), "numbers and not texts are compared");
        assert!(glibc("Name: GCC_3.0").is_err());
    }

    #[test]
    fn every_library_has_a_package() {
        let linked = |names: &[&str]| Linked {
            libraries: names.iter().map(|name| (*name).to_owned()).collect(),
            glibc: (2, 34),
        };
        let usual = linked(&["libgcc_s.so.1", "libm.so.6", "libc.so.6"]);
        assert_eq!(usual.depends().unwrap(), ["libc6 (>= 2.34)", "libgcc-s1 (>= 4.2)"]);
        assert!(linked(&["libssl.so.3"]).depends().unwrap_err().contains("libssl.so.3"));
    }
}
