//! `cargo xtask dist`: everything that a release has, in `target/packages`: a stripped executable, a Debian package, an OCI
//! image layout, a list of components and checksums. `--try` also installs the package into a clean Debian and trades there.
//!
//! Only programs that every Debian build machine has do the work: `readelf`, `strip`, `tar`, `gzip`, `dpkg-deb`,
//! `sha256sum`. Equal executables from one commit give equal files: all times are the commit's.

mod components;
mod debian;
mod executable;
mod image;
mod release;
mod root_folder;
mod trading;
mod try_out;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::demo;
use crate::process::{cargo, run as execute, step};
use release::{Release, failed};

/// Features of a packaged executable: card images, tools for agents, traces, Parquet, and the command that writes
/// completions and manual pages.
const FEATURES: &str = "cards,mcp,otel,package,parquet";
const CHECKSUMS: &str = "SHA256SUMS";

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// An executable to package instead of a new build.
    executable: Option<PathBuf>,
    is_tried: bool,
    /// The Debian release for the trial.
    suite: Option<String>,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let options = read(arguments)?;
    let release = Release::of_this_commit(demo::target()?.join("packages"))?;
    let built = match &options.executable {
        Some(given) => given.clone(),
        None => build()?,
    };
    let files = step("the packages", || package(&release, &built))?;
    for file in &files {
        let bytes = fs::metadata(file).map_err(failed(file))?.len();
        println!("    {:>7.1} MB  {}", bytes as f64 / 1e6, file.display());
    }
    if options.is_tried {
        step("the checksums", || check_checksums(&release))?;
        let suite = options.suite.as_deref().unwrap_or(executable::OLDEST_DEBIAN);
        step("a trial of the packages", || try_out::run(&release, suite))?;
    }
    Ok(())
}

/// Builds the packages and tries them: the part of `cargo xtask test --long`.
pub(crate) fn try_packages() -> Result<(), String> {
    run(&["--try".to_owned()])
}

fn read(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("`{word}` needs a value"));
        match word.as_str() {
            "--try" => options.is_tried = true,
            "--executable" => options.executable = Some(value()?.into()),
            "--suite" => options.suite = Some(value()?),
            _ => return Err(format!("takes --try, --suite NAME and --executable FILE, but got `{word}`")),
        }
    }
    match options {
        Options { is_tried: false, suite: Some(_), .. } => Err("`--suite` needs `--try`".to_owned()),
        options => Ok(options),
    }
}

fn build() -> Result<PathBuf, String> {
    let arguments = [
        "build",
        "--locked",
        "--profile",
        "dist",
        "--features",
        FEATURES,
        "-p",
        "cli",
        "--bin",
        "bellwether",
    ];
    step("the executable", || execute(&mut cargo(arguments)))?;
    Ok(demo::target()?.join("dist/bellwether"))
}

/// Writes all files of the release and returns their paths.
fn package(release: &Release, built: &Path) -> Result<Vec<PathBuf>, String> {
    release.clear()?;
    let executable = release.file(&format!("bellwether-{}-x86_64-linux", release.version));
    let linked = executable::strip(built, &executable)?;
    println!("    needs glibc {} and {}", linked.glibc(), linked.libraries.join(", "));
    let generated = release.work("generated")?;
    generate(&executable, &generated)?;
    let components = release.file(&format!("bellwether-{}.cdx.json", release.version));
    fs::write(&components, components::list(release, FEATURES)?).map_err(failed(&components))?;
    let debian = debian::build(
        release,
        &debian::Contents { executable: &executable, generated, components: &components, linked: &linked },
    )?;
    let image = image::build(release, &executable)?;
    let mut files = vec![executable, debian, image, components];
    files.push(write_checksums(release, &files)?);
    Ok(files)
}

/// Completions and manual pages, by the executable itself.
fn generate(executable: &Path, folder: &Path) -> Result<(), String> {
    let mut command = Command::new(executable);
    execute(command.arg("package-files").arg(folder))
        .map_err(|error| format!("{error}: an executable to package is built with --features {FEATURES}"))
}

fn write_checksums(release: &Release, files: &[PathBuf]) -> Result<PathBuf, String> {
    let mut text = String::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("{}  {name}\n", release::sha256(file)?));
    }
    let path = release.file(CHECKSUMS);
    fs::write(&path, text).map_err(failed(&path))?;
    Ok(path)
}

/// Compares all files with their checksums, as a person who has downloaded them does.
fn check_checksums(release: &Release) -> Result<(), String> {
    let list = release.file(CHECKSUMS);
    let folder = list.parent().unwrap_or(Path::new("."));
    let mut check = Command::new("sha256sum");
    release::done(check.args(["--check", "--strict", CHECKSUMS]).current_dir(folder))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::release::tests::release;
    use super::{Options, check_checksums, read, write_checksums};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_file_that_was_changed_after_its_checksum_is_found() {
        let release = release("checksums");
        let files = ["one", "two"].map(|name| release.file(name));
        files.iter().for_each(|file| fs::write(file, "content").unwrap());
        write_checksums(&release, &files).unwrap();
        check_checksums(&release).unwrap();
        fs::write(&files[1], "contents").unwrap();
        let error = check_checksums(&release).unwrap_err();
        assert!(error.contains("two: FAILED"), "{error}");
        fs::remove_dir_all(release.file("")).unwrap();
    }

    #[test]
    fn options_are_read_and_unknown_ones_refused() {
        let given = read(&words("--try --executable a/b --suite trixie")).unwrap();
        assert!(given.is_tried);
        assert_eq!(given.executable.as_deref(), Some(Path::new("a/b")));
        assert_eq!(read(&[]), Ok(Options::default()));
        assert!(read(&words("--executable")).unwrap_err().contains("--executable"));
        assert!(read(&words("--tyr")).unwrap_err().contains("`--tyr`"));
        assert!(read(&words("--suite trixie")).unwrap_err().contains("--try"));
    }
}
