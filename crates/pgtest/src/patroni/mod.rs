//! Three PostgreSQL servers under Patroni, with the settings of `deploy/patroni.yml`, and one etcd. Each server can be
//! killed, paused, cut off from etcd or from its clients, and its disk can be filled.
//!
//! `member.rs` is one server with its Patroni, `disks.rs` the small disks, `rest.rs` reads Patroni's view. The servers
//! end with the value that started them, and with the thread that did so.

mod disks;
mod etcd;
mod member;
mod rest;

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use tempfile::TempDir;

use crate::server::{execute, give_to_database_user, url};
use disks::Disks;
use etcd::Etcd;
use member::Member;

/// The example for operators.
const SETTINGS: &str = include_str!("../../../../deploy/patroni.yml");

const NAMES: [&str; 3] = ["db1", "db2", "db3"];

/// A running cluster. Members are named by their number. Dropping it ends every process and removes the folder.
#[derive(Debug)]
pub struct Patroni {
    members: Vec<Member>,
    _etcd: Etcd,
    /// None where this user may not mount.
    disks: Option<Disks>,
    databases: AtomicU32,
    /// Dropped last.
    _folder: TempDir,
}

impl Patroni {
    /// Starts the cluster and waits until it has a primary and two standbys, one of them synchronous.
    pub fn start() -> Patroni {
        let folder = tempfile::Builder::new().prefix("patroni-").tempdir().expect("a temporary folder");
        give_to_database_user(folder.path());
        let places: Vec<_> = ["etcd"].iter().chain(&NAMES).map(|name| folder.path().join(name)).collect();
        for place in places.iter().flat_map(|place| [place.clone(), place.join("disk")]) {
            fs::create_dir(&place).expect("a folder");
            give_to_database_user(&place);
        }
        let disks = Disks::mount(places.iter().map(|place| place.join("disk")));
        let namespace = disks.as_ref().map(Disks::process);
        let etcd = Etcd::start(&places[0], namespace);
        let members = NAMES.iter().zip(&places[1..]);
        let members: Vec<Member> =
            members.map(|(name, place)| Member::prepare(name, place, etcd.port(), namespace)).collect();
        members.iter().for_each(Member::start);
        let cluster = Patroni { members, _etcd: etcd, disks, databases: AtomicU32::new(0), _folder: folder };
        cluster.wait_until_whole();
        cluster
    }

    /// The address of a database, with every server of the cluster.
    pub fn url(&self, database: &str) -> String {
        let hosts: Vec<String> =
            self.members.iter().map(|member| format!("127.0.0.1:{}", member.to_clients.port())).collect();
        format!("postgres://tester@{}/{database}", hosts.join(","))
    }

    /// The address of a database at the primary.
    pub fn primary_url(&self, database: &str) -> String {
        url(self.members[self.primary()].port(), database)
    }

    /// Creates a database and returns its name.
    pub fn create_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        execute(&self.primary_url("postgres"), &format!("CREATE DATABASE {name}"));
        name
    }

    /// Waits until every server replicates from one primary, and Patroni has named its synchronous standby.
    pub fn wait_until_whole(&self) {
        let whole = || {
            let view = self.view()?;
            let is_named = view.iter().any(|member| member["role"] == "sync_standby");
            let status = self.members[number_of(&view, "leader")?].status()?;
            let standbys = status["replication"].as_array()?.iter();
            let streaming = standbys.filter(|standby| standby["state"] == "streaming").count();
            let is_whole = is_named && view.len() == NAMES.len() && streaming + 1 == NAMES.len();
            is_whole.then_some(())
        };
        self.wait_for("all servers replicate", whole);
    }

    /// Patroni's leader.
    pub fn primary(&self) -> usize {
        self.wait_for("there is a leader", || number_of(&self.view()?, "leader"))
    }

    /// Waits until another server than `former` has left its recovery.
    pub fn wait_for_successor(&self, former: usize) -> usize {
        let is_primary = |member: &Member| {
            let status = member.status()?;
            let has_role = ["master", "primary"].iter().any(|role| status["role"] == *role);
            (has_role && status["state"] == "running").then_some(())
        };
        self.wait_for("another server takes over", || {
            let mut others = (0..self.members.len()).filter(|number| *number != former);
            others.find(|number| is_primary(&self.members[*number]).is_some())
        })
    }

    /// Whether the leader's key names this server.
    pub fn is_primary(&self, number: usize) -> bool {
        self.view().is_some_and(|view| number_of(&view, "leader") == Some(number))
    }

    /// Kills the server and its Patroni, like a power loss.
    pub fn kill(&self, number: usize) {
        self.members[number].kill();
    }

    /// Starts the server again after a kill.
    pub fn start_again(&self, number: usize) {
        self.members[number].start();
    }

    /// Kills PostgreSQL and leaves its Patroni running.
    pub fn crash(&self, number: usize) {
        self.members[number].crash();
    }

    /// Stops every process of the server where it is.
    pub fn pause(&self, number: usize) {
        self.members[number].pause();
    }

    pub fn resume(&self, number: usize) {
        self.members[number].resume();
    }

    /// Drops every byte between the server's Patroni and etcd.
    pub fn cut_from_etcd(&self, number: usize) {
        self.members[number].to_etcd.isolate();
    }

    pub fn rejoin_etcd(&self, number: usize) {
        self.members[number].to_etcd.restore();
    }

    /// Drops every byte between the server and its clients, or ends the connections. Replication goes on.
    pub fn cut_from_clients(&self, number: usize, is_silent: bool) {
        let proxy = &self.members[number].to_clients;
        if is_silent { proxy.isolate() } else { proxy.close() }
    }

    pub fn rejoin_clients(&self, number: usize) {
        self.members[number].to_clients.restore();
    }

    /// Whether disks can be filled: they are small ones, for which this user must be allowed to mount.
    pub fn has_disks(&self) -> bool {
        self.disks.is_some()
    }

    /// Fills the server's disk.
    pub fn fill_disk(&self, number: usize) {
        self.disks.as_ref().expect("a disk of its own").fill(&self.members[number].disk());
    }

    /// Removes what filled the disk.
    pub fn free_disk(&self, number: usize) {
        self.disks.as_ref().expect("a disk of its own").free(&self.members[number].disk());
    }

    /// Switches over to the synchronous standby, as an operator would.
    pub fn switch_over(&self) {
        let (from, to) = self.wait_for("a synchronous standby", || {
            let view = self.view()?;
            Some((number_of(&view, "leader")?, number_of(&view, "sync_standby")?))
        });
        let arguments = ["switchover", "--force", "--leader", NAMES[from], "--candidate", NAMES[to]];
        let settings = self.members[to].settings();
        let output = Command::new("patronictl").arg("-c").arg(settings).args(arguments).output();
        let output = output.expect("patronictl starts");
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        assert!(output.status.success(), "{said:?}");
    }

    /// The log of a server and its Patroni.
    pub fn log(&self, number: usize) -> String {
        self.members[number].log()
    }

    /// Patroni's list of members, from any member that answers.
    fn view(&self) -> Option<Vec<Value>> {
        let mut views = self.members.iter().filter_map(Member::view);
        views.find_map(|view| view["members"].as_array().cloned())
    }

    fn wait_for<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        patience::answer(|| format!("{what}. {}", self.describe()), look)
    }

    /// Patroni's view and the last lines of every log.
    fn describe(&self) -> String {
        let mut text = format!("{:?}", self.view());
        for member in &self.members {
            let log = member.log();
            let first = log.lines().count().saturating_sub(40);
            let last: Vec<&str> = log.lines().skip(first).collect();
            text.push_str(&format!("\n{} {:?}\n{}", member.name(), member.status(), last.join("\n")));
        }
        text
    }
}

/// The number of the member in a role.
fn number_of(view: &[Value], role: &str) -> Option<usize> {
    let member = view.iter().find(|member| member["role"] == role)?;
    NAMES.iter().position(|name| member["name"] == *name)
}
