//! The Debian package: the executable, its unit and settings, completions, manual pages, and documents.
//!
//! `dpkg-deb` packs a folder that is written here, and the scripts are files of `deploy/debian`. cargo-deb would do the same
//! from a table in Cargo.toml, but is some 200 crates to build first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::executable::Linked;
use super::release::{Release, copy, done, failed, gzip, put, put_folder};
use crate::process::root;

/// Files of the repository: where they are, and where they are installed, with the mode.
const FILES: [(&str, &str, u32); 10] = [
    ("deploy/bellwether.service", "usr/lib/systemd/system/bellwether.service", 0o644),
    ("deploy/bellwether-backup.service", "usr/lib/systemd/system/bellwether-backup.service", 0o644),
    ("deploy/nginx.conf", "usr/share/doc/bellwether/examples/nginx.conf", 0o644),
    ("deploy/Caddyfile", "usr/share/doc/bellwether/examples/Caddyfile", 0o644),
    ("deploy/bellwether.env", "etc/bellwether/bellwether.env", 0o600),
    ("LICENSE-MIT", "usr/share/doc/bellwether/LICENSE-MIT", 0o644),
    ("LICENSE-APACHE", "usr/share/doc/bellwether/LICENSE-APACHE", 0o644),
    ("README.md", "usr/share/doc/bellwether/README.md", 0o644),
    ("CHANGELOG.md", "usr/share/doc/bellwether/changelog", 0o644),
    ("docs/operating/one-machine.md", "usr/share/doc/bellwether/one-machine.md", 0o644),
];
/// Settings that an upgrade must not overwrite.
const SETTINGS: &str = "/etc/bellwether/bellwether.env\n";
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];
/// What the command `package-files` writes, and where it is installed.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bellwether.bash", "usr/share/bash-completion/completions/bellwether"),
    ("_bellwether", "usr/share/zsh/vendor-completions/_bellwether"),
    ("bellwether.fish", "usr/share/fish/vendor_completions.d/bellwether.fish"),
];
const COPYRIGHT: &str = "Bellwether is licensed under the MIT licence or the Apache licence 2.0, at your option: LICENSE-MIT and LICENSE-APACHE in
this folder. The executable contains the crates that components.cdx.json lists, each with its licence.
";

pub(super) struct Contents<'a> {
    pub(super) executable: &'a Path,
    /// The folder that `package-files` has written to.
    pub(super) generated: PathBuf,
    pub(super) components: &'a Path,
    pub(super) linked: &'a Linked,
}

pub(super) fn build(release: &Release, contents: &Contents<'_>) -> Result<PathBuf, String> {
    let tree = release.work("debian")?;
    copy(contents.executable, &tree, "usr/bin/bellwether", 0o755)?;
    for (from, to, mode) in FILES {
        copy(&root().join(from), &tree, to, mode)?;
    }
    gzip(&tree.join("usr/share/doc/bellwether/changelog"))?;
    copy(contents.components, &tree, "usr/share/doc/bellwether/components.cdx.json", 0o644)?;
    put(&tree, "usr/share/doc/bellwether/copyright", 0o644, COPYRIGHT.as_bytes())?;
    for (from, to) in COMPLETIONS {
        copy(&contents.generated.join(from), &tree, to, 0o644)?;
    }
    add_manual_pages(&contents.generated, &tree)?;
    for script in SCRIPTS {
        copy(&root().join("deploy/debian").join(script), &tree, &format!("DEBIAN/{script}"), 0o755)?;
    }
    put(&tree, "DEBIAN/conffiles", 0o644, SETTINGS.as_bytes())?;
    let control = control(release, &contents.linked.depends()?, size_kib(&tree)?);
    put(&tree, "DEBIAN/control", 0o644, control.as_bytes())?;
    put_folder(&tree, Path::new("DEBIAN"), 0o755)?;
    let file = release.debian_package();
    let mut pack = Command::new("dpkg-deb");
    // One thread: the number of threads changes the bytes.
    pack.args(["--root-owner-group", "--threads-max=1", "--build"]).arg(&tree).arg(&file);
    done(pack.env("SOURCE_DATE_EPOCH", release.epoch.to_string()))?;
    Ok(file)
}

fn add_manual_pages(generated: &Path, tree: &Path) -> Result<(), String> {
    let mut count = 0;
    for entry in fs::read_dir(generated).map_err(failed(generated))? {
        let path = entry.map_err(failed(generated))?.path();
        if path.extension().is_some_and(|extension| extension == "1") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let to = format!("usr/share/man/man1/{name}");
            copy(&path, tree, &to, 0o644)?;
            gzip(&tree.join(to))?;
            count += 1;
        }
    }
    if count == 0 { Err(format!("{} has no manual page", generated.display())) } else { Ok(()) }
}

fn control(release: &Release, depends: &[String], size_kib: u64) -> String {
    // passwd: the script that creates the user.
    let depends = [depends, &["passwd".to_owned()]].concat().join(", ");
    format!(
        "Package: bellwether
Version: {}
Architecture: amd64
Maintainer: The Bellwether authors <bellwether@example.org>
Installed-Size: {size_kib}
Depends: {depends}
Recommends: ca-certificates
Section: net
Priority: optional
Description: prediction-market exchange in one executable
 Each question is traded as YES and NO shares, on an order book or an automated
 pool. The executable contains the exchange, its API and streams, the traders'
 page and the operators' console.
",
        release.version
    )
}

/// The sizes of all files, each rounded up to a KiB.
fn size_kib(folder: &Path) -> Result<u64, String> {
    let mut sum = 0;
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let entry = entry.map_err(failed(folder))?;
        let metadata = entry.metadata().map_err(failed(folder))?;
        sum += if metadata.is_dir() { size_kib(&entry.path())? } else { metadata.len().div_ceil(1_024) };
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::{COMPLETIONS, Contents, FILES, SCRIPTS, build};
    use crate::dist::executable;
    use crate::dist::release::tests::release;
    use crate::dist::release::{said, sha256};
    use crate::process::root;

    /// A package with a small executable.
    fn package(name: &str) -> std::path::PathBuf {
        let release = release(name);
        let generated = release.work("generated").unwrap();
        for (file, _) in COMPLETIONS {
            fs::write(generated.join(file), "# completions\n").unwrap();
        }
        fs::write(generated.join("bellwether.1"), ".TH bellwether 1\n").unwrap();
        let (executable, components) = (release.file("bellwether"), release.file("components"));
        fs::write(&components, "{}\n").unwrap();
        let linked = executable::strip(Path::new("/usr/bin/true"), &executable).unwrap();
        let contents =
            Contents { executable: &executable, generated, components: &components, linked: &linked };
        build(&release, &contents).unwrap()
    }

    #[test]
    fn the_package_has_its_files_with_owner_and_mode() {
        let file = package("deb");
        let list = said(Command::new("dpkg-deb").arg("--contents").arg(&file)).unwrap();
        let line = |path: &str| {
            list.lines().find(|line| line.ends_with(path)).unwrap_or_else(|| panic!("{path}: {list}"))
        };
        assert!(line(" ./usr/bin/bellwether").starts_with("-rwxr-xr-x root/root"), "{list}");
        assert!(line(" ./etc/bellwether/bellwether.env").starts_with("-rw------- root/root"), "{list}");
        assert!(line(" ./usr/share/man/man1/bellwether.1.gz").contains("2026-01-01"), "{list}");
        let control = said(Command::new("dpkg-deb").arg("--field").arg(&file)).unwrap();
        assert!(control.contains("Version: 1.2.3\n") && control.contains("libc6 (>= 2."), "{control}");
        fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }

    #[test]
    fn equal_contents_give_an_equal_package() {
        let files = [package("deb-one"), package("deb-two")];
        let [one, two] = files.each_ref().map(|file| sha256(file).unwrap());
        assert_eq!(one, two);
        for file in files {
            fs::remove_dir_all(file.parent().unwrap()).unwrap();
        }
    }

    #[test]
    fn the_unit_starts_the_installed_executable_with_the_installed_settings() {
        let unit = fs::read_to_string(root().join("deploy/bellwether.service")).unwrap();
        assert!(unit.contains("ExecStart=/usr/bin/bellwether "), "{unit}");
        let settings = FILES.iter().find(|(from, ..)| *from == "deploy/bellwether.env").unwrap().1;
        assert!(unit.contains(&format!("EnvironmentFile=/{settings}\n")), "{unit}");
        assert_eq!(super::SETTINGS, format!("/{settings}\n"));
    }

    #[test]
    fn the_scripts_are_valid_shell_and_a_purge_keeps_the_data() {
        for script in SCRIPTS {
            let path = root().join("deploy/debian").join(script);
            said(Command::new("sh").arg("-n").arg(&path)).unwrap();
        }
        let purge = fs::read_to_string(root().join("deploy/debian/postrm")).unwrap();
        let removes = |line: &&str| line.contains("rm ") && line.contains("/var/lib");
        assert_eq!(purge.lines().find(removes), None);
    }
}
