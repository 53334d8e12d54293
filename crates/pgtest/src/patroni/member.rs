//! One PostgreSQL server and the Patroni that starts, promotes and demotes it, as one machine: all processes of a
//! member are killed or paused together.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{SETTINGS, rest};
use crate::Proxy;
use crate::server::{as_database_user_in, free_port, programs};

#[derive(Debug)]
pub(super) struct Member {
    name: &'static str,
    folder: PathBuf,
    port: u16,
    rest_port: u16,
    /// A process in whose mount namespace the member runs.
    namespace: Option<u32>,
    process: Mutex<Option<Child>>,
    pub(super) to_etcd: Proxy,
    pub(super) to_clients: Proxy,
}

impl Member {
    /// Writes the settings.
    pub(super) fn prepare(name: &'static str, folder: &Path, etcd: u16, namespace: Option<u32>) -> Member {
        let (port, rest_port) = (free_port(), free_port());
        let member = Member {
            name,
            folder: folder.to_owned(),
            port,
            rest_port,
            namespace,
            process: Mutex::new(None),
            to_etcd: Proxy::start(etcd),
            to_clients: Proxy::start(port),
        };
        // Patroni merges the files of a folder in alphabetical order.
        fs::create_dir(member.settings()).expect("a folder");
        fs::write(member.settings().join("1-example.yml"), SETTINGS).expect("a file");
        fs::write(member.settings().join("2-here.yml"), member.deviations()).expect("a file");
        member
    }

    /// The settings that differ from the example: names, places and no passwords.
    fn deviations(&self) -> String {
        let Member { name, port, rest_port, .. } = self;
        let (disk, etcd) = (self.disk(), self.to_etcd.port());
        let disk = disk.display();
        let programs = programs().map_or(String::new(), |folder| format!("bin_dir: {}", folder.display()));
        format!(
            "
name: {name}
restapi: {{listen: '127.0.0.1:{rest_port}', connect_address: '127.0.0.1:{rest_port}'}}
etcd: {{hosts: null, proxy: 'http://127.0.0.1:{etcd}'}}
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {disk}/data
  pgpass: {disk}/pgpass
  {programs}
  pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  authentication: {{superuser: {{username: tester, password: null}}, replication: {{password: null}}}}
  parameters:
    ssl: 'off'
    unix_socket_directories: {disk}
    shared_buffers: 32MB
    max_wal_size: 128MB
"
        )
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn settings(&self) -> PathBuf {
        self.folder.join("settings")
    }

    /// The folder with the data, on a disk of its own if there are any.
    pub(super) fn disk(&self) -> PathBuf {
        self.folder.join("disk")
    }

    /// Starts Patroni, which starts PostgreSQL.
    pub(super) fn start(&self) {
        let log = File::options().create(true).append(true).open(self.log_file()).expect("a log");
        let second = log.try_clone().expect("a descriptor");
        // Patroni stops PostgreSQL before it ends by this signal.
        let mut command = as_database_user_in(self.namespace, "patroni", &self.folder, "TERM");
        command.arg(self.settings()).env("HOME", self.disk()).stdin(Stdio::null()).stdout(log).stderr(second);
        let process = command.spawn().expect("patroni starts");
        *self.process.lock().unwrap_or_else(PoisonError::into_inner) = Some(process);
    }

    /// Its own status, as Patroni sees it.
    pub(super) fn status(&self) -> Option<Value> {
        rest::get(self.rest_port, "/")
    }

    /// Its view of the cluster.
    pub(super) fn view(&self) -> Option<Value> {
        rest::get(self.rest_port, "/cluster")
    }

    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    fn log_file(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Stops every process.
    pub(super) fn pause(&self) {
        let mut paused = HashSet::new();
        loop {
            // A process may have started another one before it was stopped.
            let fresh: Vec<Pid> = self.processes().into_iter().filter(|pid| !paused.contains(pid)).collect();
            if fresh.is_empty() {
                return;
            }
            signal(&fresh, Signal::STOP);
            paused.extend(fresh);
        }
    }

    pub(super) fn resume(&self) {
        signal(&self.processes(), Signal::CONT);
    }

    /// Kills every process at one instant.
    pub(super) fn kill(&self) {
        self.pause();
        let processes = self.processes();
        signal(&processes, Signal::KILL);
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut process) = process {
            let _ = process.wait();
        }
        wait_for_the_end(&processes);
    }

    /// Kills PostgreSQL alone.
    pub(super) fn crash(&self) {
        let patroni =
            self.process.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Pid::from_child);
        self.pause();
        let (kept, killed): (Vec<Pid>, Vec<Pid>) =
            self.processes().into_iter().partition(|pid| Some(*pid) == patroni);
        signal(&killed, Signal::KILL);
        wait_for_the_end(&killed);
        signal(&kept, Signal::CONT);
    }

    /// Patroni, PostgreSQL and every process that one of them has started. PostgreSQL is not a child of Patroni; both
    /// have the member's folder on their command lines.
    fn processes(&self) -> Vec<Pid> {
        let folder = format!("{}/", self.folder.display());
        let mut all: Vec<(Pid, Pid, bool)> =
            running().filter_map(|pid| Some((pid, parent(pid)?, is_of(pid, &folder)))).collect();
        // Children of found processes, until there are no more.
        loop {
            let found: HashSet<Pid> =
                all.iter().filter(|(.., is_ours)| *is_ours).map(|(pid, ..)| *pid).collect();
            let mut has_grown = false;
            for (_, parent, is_ours) in &mut all {
                if !*is_ours && found.contains(parent) {
                    (*is_ours, has_grown) = (true, true);
                }
            }
            if !has_grown {
                return found.into_iter().collect();
            }
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.kill();
    }
}

fn signal(processes: &[Pid], signal: Signal) {
    for pid in processes {
        // The process may already have ended.
        let _ = kill_process(*pid, signal);
    }
}

/// Waits until killed processes are gone: until then they hold their memory and ports.
fn wait_for_the_end(processes: &[Pid]) {
    patience::until("a killed process runs on", || !processes.iter().any(|pid| is_running(*pid)));
}

fn running() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").expect("the list of processes").flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// The fields of a process after its name, which may contain anything.
fn state_and_parent(pid: Pid) -> Option<(String, Pid)> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.to_owned();
    Some((state, Pid::from_raw(fields.next()?.parse().ok()?)?))
}

fn parent(pid: Pid) -> Option<Pid> {
    state_and_parent(pid).map(|(_, parent)| parent)
}

/// Neither gone nor waiting for its parent to notice its end.
fn is_running(pid: Pid) -> bool {
    state_and_parent(pid).is_some_and(|(state, _)| state != "Z" && state != "X")
}

/// Whether a process has a folder on its command line.
fn is_of(pid: Pid, folder: &str) -> bool {
    let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_pid())).unwrap_or_default();
    line.split(|byte| *byte == 0).any(|word| String::from_utf8_lossy(word).contains(folder))
}
