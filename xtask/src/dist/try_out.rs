//! `cargo xtask dist --try`: installs the Debian package into a clean Debian, runs the unit's command there as the package's
//! user, opens the page, trades, verifies, removes the package; then serves a page from the image's layer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::release::{Release, done, failed, said};
use super::root_folder::{RootFolder, Running};
use super::trading;
use crate::demo;
use crate::process::free_address;

const UNIT: &str = "/usr/lib/systemd/system/bellwether.service";
const DATA: &str = "/var/lib/bellwether";
/// Files that a package must have installed.
const INSTALLED: [&str; 5] = [
    "/usr/share/man/man1/bellwether.1.gz",
    "/usr/share/man/man1/bellwether-serve.1.gz",
    "/usr/share/bash-completion/completions/bellwether",
    "/usr/share/zsh/vendor-completions/_bellwether",
    "/usr/share/fish/vendor_completions.d/bellwether.fish",
];
/// From the installed package to an open page.
const PAGE_GOAL: Duration = Duration::from_secs(30);
/// Longer than the goal: a slow machine misses the goal, and the message says by how much.
const PATIENCE: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(20);

/// A serving exchange inside a root folder.
pub(super) struct Venue<'a> {
    pub(super) root: &'a RootFolder,
    pub(super) user: String,
    pub(super) public: String,
    pub(super) operators: String,
}

pub(super) fn run(release: &Release, suite: &str) -> Result<(), String> {
    let kept = demo::target()?.join("trial");
    let root = RootFolder::debian(suite, &kept, &kept.join("root"))?;
    let package = root.path("/tmp/bellwether.deb");
    fs::copy(release.debian_package(), &package).map_err(failed(&package))?;
    root.run("root:root", &[], &["dpkg", "--install", "/tmp/bellwether.deb"])?;
    let installed = Instant::now();
    trade_in(&root, &kept, installed)?;
    root.run("root:root", &[], &["dpkg", "--verify", "bellwether"])?;
    for path in INSTALLED {
        if !root.path(path).is_file() {
            return Err(format!("the package has not installed {path}"));
        }
    }
    root.run("root:root", &[], &["dpkg", "--purge", "bellwether"])?;
    if root.path("/usr/bin/bellwether").exists() || !root.path(DATA).join("journal").is_dir() {
        return Err("a purge must remove the executable and keep the data".to_owned());
    }
    println!("    purged: the executable is gone, {DATA} is still there");
    try_image(release, &kept)
}

/// Runs the unit's command, opens a page, trades, stops, and verifies the data folder.
fn trade_in(root: &RootFolder, kept: &Path, installed: Instant) -> Result<(), String> {
    let unit = root.read(UNIT)?;
    let user = format!("{}:{}", setting(&unit, "User")?, setting(&unit, "Group")?);
    let settings = root.read(setting(&unit, "EnvironmentFile")?)?;
    let mut variables: Vec<String> =
        settings.lines().filter(|line| line.starts_with("BELLWETHER_")).map(str::to_owned).collect();
    // Other programs of this machine may use the usual ports.
    let (public, operators) = (free_address()?, free_address()?);
    variables.push(format!("BELLWETHER_LISTEN={public}"));
    variables.push(format!("BELLWETHER_ADMIN_LISTEN={operators}"));
    let words: Vec<&str> = setting(&unit, "ExecStart")?.split_whitespace().collect();
    let log = kept.join("serve.log");
    let mut serving = Running::start(&mut root.command(&user, &variables, &words), &log)?;
    let venue =
        Venue { root, user, public: format!("http://{public}"), operators: format!("http://{operators}") };
    let explained = |error| format!("{error}\n{}", fs::read_to_string(&log).unwrap_or_default());
    await_page(&venue.public, &mut serving).map_err(explained)?;
    let elapsed = installed.elapsed();
    println!(
        "    from the installed package to an open page: {:.2} s (goal: {} s)",
        elapsed.as_secs_f64(),
        PAGE_GOAL.as_secs()
    );
    if elapsed > PAGE_GOAL {
        return Err("the page was open too late".to_owned());
    }
    trading::trade(&venue).map_err(explained)?;
    serving.stop().map_err(explained)?;
    root.run(&venue.user, &[], &["bellwether", "verify", "--data", DATA])?;
    println!("    stopped; `bellwether verify` finds nothing wrong");
    Ok(())
}

/// Unpacks the image's layer and runs its command as its user.
fn try_image(release: &Release, kept: &Path) -> Result<(), String> {
    let (layout, folder) = (kept.join("layout"), kept.join("image"));
    for place in [&layout, &folder] {
        done(Command::new("rm").args(["-rf", "--one-file-system"]).arg(place))?;
        fs::create_dir_all(place).map_err(failed(place))?;
    }
    unpack(&release.image(), &layout)?;
    let read = |path: PathBuf| fs::read_to_string(&path).map_err(failed(&path));
    let digests = |text: &str| -> Vec<String> {
        text.split("sha256:").skip(1).filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
    };
    let blob = |digest: &str| layout.join("blobs/sha256").join(digest);
    let manifest = digests(&read(layout.join("index.json"))?);
    let blobs = digests(&read(blob(manifest.first().ok_or("the index names no manifest")?))?);
    let [config, layer] = blobs.as_slice() else {
        return Err("a manifest names a config and a layer".to_owned());
    };
    unpack(&blob(layer), &folder)?;
    let config = read(blob(config))?;
    let mut variables: Vec<String> = config
        .split("\"BELLWETHER_")
        .skip(1)
        .filter_map(|rest| Some(format!("BELLWETHER_{}", rest.split('"').next()?)))
        .collect();
    let (public, operators) = (free_address()?, free_address()?);
    variables.push(format!("BELLWETHER_LISTEN={public}"));
    variables.push(format!("BELLWETHER_ADMIN_LISTEN={operators}"));
    let log = kept.join("image.log");
    // The image has no `env` and no `/proc`: variables are set outside.
    let mut command = Command::new("chroot");
    command
        .arg("--userspec=10001:10001")
        .arg(&folder)
        .args(["/usr/local/bin/bellwether", "serve"])
        .env_clear();
    for variable in &variables {
        let (name, value) = variable.split_once('=').ok_or("a variable without a value")?;
        command.env(name, value);
    }
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    let mut serving = Running::start(&mut command, &log)?;
    let explained = |error| format!("{error}\n{}", fs::read_to_string(&log).unwrap_or_default());
    await_page(&format!("http://{public}"), &mut serving).map_err(explained)?;
    serving.stop().map_err(explained)?;
    println!("    the image's layer serves the page as its user, and stops on request");
    Ok(())
}

fn unpack(file: &Path, folder: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--same-permissions", "--numeric-owner", "--file"])
        .arg(file)
        .arg("--directory")
        .arg(folder);
    done(&mut tar)
}

/// The value of a setting of a unit.
fn setting<'a>(unit: &'a str, name: &str) -> Result<&'a str, String> {
    let value = unit.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    value.ok_or_else(|| format!("the unit has no {name}="))
}

fn await_page(address: &str, serving: &mut Running) -> Result<(), String> {
    let began = Instant::now();
    loop {
        let page = said(Command::new("curl").args(["--silent", "--fail", "--max-time", "5", address]));
        match page {
            Ok(page) if page.contains("<html") => return Ok(()),
            Ok(page) => return Err(format!("{address} is no page: {page}")),
            Err(_) if serving.has_ended() => return Err("the exchange has ended".to_owned()),
            Err(error) if began.elapsed() > PATIENCE => return Err(format!("no page came: {error}")),
            Err(_) => thread::sleep(POLL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::setting;

    #[test]
    fn settings_of_a_unit_are_found_by_their_whole_name() {
        let unit = "[Service]\nUserless=1\nUser=bellwether\nExecStart=/usr/bin/bellwether serve\n";
        assert_eq!(setting(unit, "User"), Ok("bellwether"));
        assert_eq!(setting(unit, "ExecStart"), Ok("/usr/bin/bellwether serve"));
        assert!(setting(unit, "Group").unwrap_err().contains("Group"));
    }
}
