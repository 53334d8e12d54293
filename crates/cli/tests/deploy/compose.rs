//! `deploy/compose.yaml` as data, and how its services run here: one temporary folder for all, a port for each.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;

use crate::containerfile::Image;
use crate::exchange::Environment;
use crate::{deployed, mapped, root};

#[derive(Debug, Deserialize)]
pub(crate) struct Compose {
    pub(crate) services: BTreeMap<String, Service>,
    secrets: BTreeMap<String, Secret>,
    volumes: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Service {
    pub(crate) image: String,
    #[serde(default)]
    entrypoint: Vec<String>,
    command: Vec<String>,
    environment: Environment,
    secrets: Vec<Mounted>,
    volumes: Vec<String>,
    #[serde(default)]
    pub(crate) ports: Vec<String>,
    #[serde(default)]
    pub(crate) depends_on: BTreeMap<String, Dependency>,
    pub(crate) healthcheck: Option<Health>,
    pub(crate) restart: String,
}

#[derive(Debug, Deserialize)]
struct Secret {
    file: String,
}

#[derive(Debug, Deserialize)]
struct Mounted {
    source: String,
    target: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) condition: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Health {
    test: Vec<String>,
}

impl Compose {
    pub(crate) fn read() -> Compose {
        let text = deployed("compose.yaml");
        assert!(!text.contains('$'), "variables are not looked up here");
        serde_saphyr::from_str(&text).expect("a compose file")
    }
}

/// The machine that everything runs on.
pub(crate) struct Machine {
    pub(crate) compose: Compose,
    image: Image,
    folder: TempDir,
    pub(crate) ports: BTreeMap<&'static str, u16>,
}

/// A service's words and variables, mapped.
pub(crate) struct Prepared {
    pub(crate) folder: PathBuf,
    pub(crate) words: Vec<String>,
    pub(crate) environment: Environment,
    pub(crate) health: Vec<String>,
}

impl Machine {
    /// With secrets from the script.
    pub(crate) fn new() -> Machine {
        let folder = tempfile::tempdir().expect("a folder");
        // Databases run as another user, and each has its own folder below.
        set_mode(folder.path(), 0o711);
        let owner = rustix::process::getuid().as_raw().to_string();
        let script = root().join("deploy/secrets.sh");
        let output = Command::new(script).arg(folder.path().join("secrets")).arg(owner).output();
        let output = output.expect("the script runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ports = ["primary", "standby"].map(|name| (name, pgtest::free_port()));
        Machine { compose: Compose::read(), image: Image::read(), folder, ports: ports.into() }
    }

    /// Everything that differs here from a container.
    fn table(&self, service: &str) -> Vec<(&'static str, String)> {
        let below = |path: &str| format!("{}{path}", self.root_of(service).display());
        let (primary, standby) = (self.ports["primary"], self.ports["standby"]);
        vec![
            ("/var/lib/", below("/var/lib/")),
            ("/run/secrets/", below("/run/secrets/")),
            ("/start/", below("/start/")),
            ("listen_addresses=*", "listen_addresses=127.0.0.1".to_owned()),
            ("host=primary", format!("host=127.0.0.1 port={primary}")),
            ("@primary,standby/", format!("@127.0.0.1:{primary},127.0.0.1:{standby}/")),
            ("0.0.0.0:8080", "127.0.0.1:0".to_owned()),
            ("127.0.0.1:8081", "127.0.0.1:0".to_owned()),
        ]
    }

    pub(crate) fn mapped(&self, service: &str, text: &str) -> String {
        mapped(text, &self.table(service))
    }

    /// The folder that stands in for a service's `/`.
    fn root_of(&self, service: &str) -> PathBuf {
        self.folder.path().join(service)
    }

    /// A service with its volumes and secrets in place. `give` changes the owner of a folder to the service's user.
    pub(crate) fn prepare(&self, name: &str, give: impl Fn(&Path)) -> Prepared {
        let service = &self.compose.services[name];
        let root = self.root_of(name);
        let place = |target: &str| root.join(target.trim_start_matches('/'));
        for volume in &service.volumes {
            let (source, target) = volume.split_once(':').expect("source:target");
            if let Some(file) = source.strip_prefix("./") {
                let target = target.strip_suffix(":ro").expect("a script is not to be changed");
                self.put(&root_file(file), &place(target), 0o755);
            } else {
                assert!(self.compose.volumes.contains_key(source), "{source} is a volume");
                fs::create_dir_all(place(target)).expect("a folder");
                give(&place(target));
            }
        }
        for Mounted { source, target } in &service.secrets {
            let file = self.compose.secrets[source].file.strip_prefix("./").expect("a file of deploy");
            let usual = format!("/run/secrets/{source}");
            let file = self.folder.path().join(file);
            let mode = fs::metadata(&file).expect("a secret").permissions().mode();
            self.put(&file, &place(target.as_deref().unwrap_or(&usual)), mode & 0o777);
        }
        self.prepared(name, service, root)
    }

    fn prepared(&self, name: &str, service: &Service, root: PathBuf) -> Prepared {
        let table = self.table(name);
        let map = |words: &[String]| words.iter().map(|word| mapped(word, &table)).collect::<Vec<_>>();
        let is_ours = service.entrypoint.is_empty();
        let entrypoint = if is_ours { &self.image.entrypoint } else { &service.entrypoint };
        let mut environment = if is_ours { self.image.environment.clone() } else { Environment::new() };
        environment.extend(service.environment.clone());
        environment.values_mut().for_each(|value| *value = mapped(value, &table));
        let health = match &service.healthcheck {
            Some(health) if health.test[0] == "CMD-SHELL" => {
                ["sh", "-c", &health.test[1]].map(str::to_owned).to_vec()
            }
            Some(health) => health.test[1..].to_vec(),
            None => self.image.health.clone(),
        };
        let words = [map(entrypoint), map(&service.command)].concat();
        Prepared { folder: root, words, environment, health }
    }

    /// A file as a container sees it.
    fn put(&self, from: &Path, to: &Path, mode: u32) {
        let folder = to.parent().expect("a folder");
        fs::create_dir_all(folder).expect("a folder");
        // Removes a file of an earlier start, which even its owner may not write to.
        let _ = fs::remove_file(to);
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        set_mode(to, mode);
    }
}

fn root_file(name: &str) -> PathBuf {
    root().join("deploy").join(name)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}
