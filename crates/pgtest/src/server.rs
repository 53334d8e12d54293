//! The server: its data folder, start, databases, settings, kill, restart, stop.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

/// Users to run as if we are root, as which PostgreSQL refuses to run.
const STAND_INS: [&str; 2] = ["postgres", "nobody"];

/// A running server. Dropping it stops it and removes its folder.
#[derive(Debug)]
pub struct Server {
    folder: TempDir,
    port: u16,
    process: Option<Child>,
    databases: AtomicU32,
}

impl Server {
    /// Starts a new cluster with PostgreSQL's default durability, and these lines added to its settings.
    pub fn start(settings: &[&str]) -> Server {
        let mut server = Server::prepared();
        run(Command::new("cp").arg("-a").arg(made_folder()).arg(server.data()));
        let usual = ["listen_addresses = '127.0.0.1'", "shared_buffers = 32MB", "max_connections = 60"];
        server.set(&usual);
        server.set(settings);
        server.launch();
        server
    }

    /// Starts a standby of this server under a name, from its current state.
    pub fn start_standby(&self, name: &str) -> Server {
        let mut standby = Server::prepared();
        let source = format!("host=127.0.0.1 port={} user=tester application_name={name}", self.port);
        let mut copy = standby.command("pg_basebackup");
        copy.args(["--checkpoint=fast", "--no-sync", "-R", "-d"]).arg(source);
        run(copy.arg("-D").arg(standby.data()));
        standby.launch();
        standby
    }

    /// Has `initdb` make the data folder.
    fn initialize(&self) {
        let usual = ["--no-sync", "--no-locale", "--encoding=UTF8", "--auth=trust", "--username=tester"];
        run(self.command("initdb").args(usual).arg("-D").arg(self.data()));
    }

    fn prepared() -> Server {
        let folder = tempfile::Builder::new().prefix("pgtest-").tempdir().expect("a temporary folder");
        give_to_database_user(folder.path());
        Server { folder, port: free_port(), process: None, databases: AtomicU32::new(0) }
    }

    /// Adds lines to the settings; they take effect at the next start.
    pub fn set(&self, lines: &[&str]) {
        let path = self.data().join("postgresql.conf");
        let mut text = fs::read_to_string(&path).expect("settings to read");
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        fs::write(&path, text).expect("settings to write");
    }

    /// Writes a file into the data folder that only the server may read, as required for keys.
    pub fn put(&self, name: &str, content: &[u8]) {
        let path = self.data().join(name);
        fs::write(&path, content).expect("a file to write");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a private file");
        if let Some((user, group)) = unprivileged_user() {
            chown(&path, Some(user), Some(group)).expect("root may change the owner");
        }
    }

    /// Starts the process and waits until it accepts connections.
    pub fn launch(&mut self) {
        assert!(self.process.is_none(), "the server is already running");
        let log = fs::File::create(self.folder.path().join("log")).expect("a log");
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(self.folder.path());
        command.args(["-p", &self.port.to_string()]).stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn().expect("postgres starts"));
        let log = self.folder.path().join("log");
        let complaint = || format!("postgres did not start: {}", fs::read_to_string(log).unwrap_or_default());
        patience::until(complaint, || {
            let process = self.process.as_mut().expect("the process was started above");
            let ended = process.try_wait().expect("a child");
            assert_eq!(ended, None, "postgres ended: {}", self.log());
            self.is_ready()
        });
    }

    fn is_ready(&self) -> bool {
        let mut look = Command::new(binary("pg_isready"));
        look.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        look.status().is_ok_and(|status| status.success())
    }

    /// The server's log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        url(self.port, database)
    }

    /// Creates a database and returns its name.
    pub fn create_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.execute("postgres", &format!("CREATE DATABASE {name}"));
        name
    }

    /// Runs SQL and returns its rows as text, one per line.
    pub fn execute(&self, database: &str, sql: &str) -> String {
        execute(&self.url(database), sql)
    }

    /// Kills the server like a power loss, except that the disk keeps its writes.
    pub fn kill(&mut self) {
        self.end(Signal::QUIT);
    }

    /// Promotes a standby to primary.
    pub fn promote(&self) {
        run(self.command("pg_ctl").arg("promote").arg("-D").arg(self.data()));
    }

    fn end(&mut self, signal: Signal) {
        if let Some(mut process) = self.process.take() {
            // The process may already have ended.
            let _ = kill_process(Pid::from_child(&process), signal);
            let _ = process.wait();
        }
    }

    /// The server's data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A PostgreSQL program that runs as the database user and ends with this process.
    fn command(&self, program: &str) -> Command {
        as_database_user(program, self.folder.path())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end(Signal::QUIT);
    }
}

/// A data folder as `initdb` makes it, kept beside the executable: a copy takes a fraction of the time.
fn made_folder() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let version = Command::new(binary("postgres")).arg("--version").output().expect("postgres starts");
        let version =
            String::from_utf8_lossy(&version.stdout).replace(|letter: char| !letter.is_alphanumeric(), "-");
        let user = unprivileged_user().map_or(geteuid().as_raw(), |(user, _)| user);
        let executable = env::current_exe().expect("the path of this executable");
        let made = executable.with_file_name(format!("{version}of-{user}"));
        if !made.exists() {
            let first = Server::prepared();
            first.initialize();
            let copy = made.with_extension(process::id().to_string());
            run(Command::new("cp").arg("-a").arg(first.data()).arg(&copy));
            // Another process may have been quicker: its folder is as good.
            if fs::rename(&copy, &made).is_err() {
                assert!(made.exists(), "{} could not be made", made.display());
                fs::remove_dir_all(copy).expect("a folder of ours");
            }
        }
        made
    })
}

/// Runs SQL at a database address and returns the rows as text, one per line.
pub fn execute(url: &str, sql: &str) -> String {
    let mut psql = Command::new(binary("psql"));
    let output = psql.args(["-qAtX", "-v", "ON_ERROR_STOP=1", "-c", sql, url]).output().expect("psql starts");
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

pub(crate) fn url(port: u16, database: &str) -> String {
    format!("postgres://tester@127.0.0.1:{port}/{database}")
}

pub(crate) fn run(command: &mut Command) {
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// A port that is free now. The system assigns ports in a way that recently used ones are not reused soon.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}

/// A PostgreSQL program, or a script that finds them on its path, run as the database user in `folder`. Ends with this
/// process.
pub fn as_database_user(program: &str, folder: &Path) -> Command {
    as_database_user_in(None, program, folder, "QUIT")
}

/// A program of the database user, in the mount namespace of another process if one is given. Gets the signal when the
/// thread that starts it ends.
pub(crate) fn as_database_user_in(
    namespace_of: Option<u32>,
    program: &str,
    folder: &Path,
    last_signal: &str,
) -> Command {
    let mut command = match namespace_of {
        Some(process) => {
            let mut command = Command::new("nsenter");
            command.arg(format!("--mount=/proc/{process}/ns/mnt")).args(["--", "setpriv"]);
            command
        }
        None => Command::new("setpriv"),
    };
    if let Some((user, group)) = unprivileged_user() {
        command.args([format!("--reuid={user}"), format!("--regid={group}"), "--clear-groups".to_owned()]);
    }
    let usual = env::var_os("PATH").unwrap_or_default();
    let programs = programs().into_iter().chain(env::split_paths(&usual));
    let path = env::join_paths(programs).expect("the entries came from a valid path");
    command.args(["--pdeathsig", last_signal, "--", program]).env("PATH", path).current_dir(folder);
    command
}

/// Makes the folder private to the database user.
pub fn give_to_database_user(folder: &Path) {
    if let Some((user, group)) = unprivileged_user() {
        chown(folder, Some(user), Some(group)).expect("root may change the owner");
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).expect("a private folder");
}

/// The user and group to run as, if we are root.
pub(crate) fn unprivileged_user() -> Option<(u32, u32)> {
    if !geteuid().is_root() {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("a list of users");
    let find = |name: &&str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(*name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    Some(STAND_INS.iter().find_map(find).expect("an ordinary user to run postgres as"))
}

fn binary(program: &str) -> PathBuf {
    programs().map_or_else(|| PathBuf::from(program), |folder| folder.join(program))
}

/// Debian has a folder with the programs of each major version; the newest is used.
pub(crate) fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |path: &Path| path.file_name().and_then(OsStr::to_str)?.parse::<u32>().ok();
    let newest = versions.map(|entry| entry.path()).filter_map(|path| Some((version(&path)?, path))).max();
    newest.map(|(_, path)| path.join("bin"))
}
