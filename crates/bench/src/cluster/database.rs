//! The PostgreSQL server of the run, its counters, and the floor: bare inserts of one small row.

use std::fs;
use std::time::{Duration, Instant};

use load::Problem;
use pgtest::Server;
use server::shared_log::SharedLogSettings;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls, Statement};

/// In addition to the defaults, all of them durable. Memory settings of a small dedicated server.
const SETTINGS: [&str; 4] = [
    "shared_buffers = 256MB",
    "max_wal_size = 4GB",
    // Counts attempts to append a frame, which shows conflicts between nodes.
    "shared_preload_libraries = 'pg_stat_statements'",
    "max_connections = 100",
];
/// The approximate size of a frame with one order.
const ROW_BYTES: usize = 300;
const MAKE_FLOOR: &str = "CREATE TABLE floor (sequence bigint PRIMARY KEY, content bytea NOT NULL)";
const INSERT: &str = "INSERT INTO floor VALUES ($1, $2)";

pub(crate) struct Database {
    server: Server,
    /// Replicates until it is dropped.
    _standby: Option<Server>,
    replicas: u32,
    main_process: Option<u32>,
}

impl Database {
    pub(crate) fn start(with_standby: bool) -> Database {
        let server = Server::start(&SETTINGS);
        let standby = with_standby.then(|| server.start_standby("second"));
        if standby.is_some() {
            server.execute("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (second)'");
            server.execute("postgres", "SELECT pg_reload_conf()");
        }
        let checkpointer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
        let main_process = parent(&server.execute("postgres", checkpointer));
        Database { server, replicas: u32::from(standby.is_some()), _standby: standby, main_process }
    }

    /// Creates a database for a log and returns its name and the settings of a node.
    pub(crate) fn log(&self) -> (String, SharedLogSettings) {
        let name = self.server.create_database();
        self.server.execute(&name, "CREATE EXTENSION pg_stat_statements");
        let settings = SharedLogSettings::new(self.server.url(&name));
        (name, SharedLogSettings { replicas_min: self.replicas, ..settings })
    }

    /// The version and the relevant settings.
    pub(crate) fn describe(&self) -> String {
        let show = |name: &str| self.server.execute("postgres", &format!("SHOW {name}"));
        let names = show("synchronous_standby_names");
        let waits = if names.is_empty() { "no standby".to_owned() } else { format!("a standby: {names}") };
        format!(
            "PostgreSQL {}: fsync {}, full_page_writes {}, synchronous_commit {}, {waits}",
            show("server_version"),
            show("fsync"),
            show("full_page_writes"),
            show("synchronous_commit")
        )
    }

    /// How many times a frame was offered to a log, successfully or not.
    pub(crate) fn offers(&self, database: &str) -> u64 {
        let calls = "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements AS statements \
            JOIN pg_database ON pg_database.oid = statements.dbid \
            WHERE datname = current_database() AND query LIKE 'WITH stored AS%'";
        self.server.execute(database, calls).parse().unwrap_or(0)
    }

    /// Processor time of all its live processes, excluding the standby.
    pub(crate) fn spent(&self) -> Duration {
        let Some(main_process) = self.main_process else { return Duration::ZERO };
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = processes.filter_map(|entry| entry.file_name().into_string().ok());
        let ours = ids.filter(|id| parent(id) == Some(main_process));
        ours.filter_map(|id| fs::read_to_string(format!("/proc/{id}/schedstat")).ok())
            .filter_map(|times| times.split(' ').next()?.parse().ok())
            .map(Duration::from_nanos)
            .sum()
    }

    pub(crate) fn floor(&self) -> Result<Floor, Problem> {
        let name = self.server.create_database();
        self.server.execute(&name, MAKE_FLOOR);
        Floor::connect(&self.server.url(&name))
    }

    pub(crate) fn execute(&self, database: &str, sql: &str) -> String {
        self.server.execute(database, sql)
    }
}

/// The parent of a process, according to the kernel.
fn parent(id: &str) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{}/stat", id.trim())).ok()?;
    // The name may contain spaces and parentheses; the state and the parent follow its last parenthesis.
    status.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}

/// One connection that inserts one row after the other.
pub(crate) struct Floor {
    runtime: Runtime,
    client: Client,
    insert: Statement,
    rows: i64,
}

impl Floor {
    fn connect(url: &str) -> Result<Floor, Problem> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (client, insert) = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            tokio::spawn(connection);
            let insert = client.prepare(INSERT).await?;
            Ok::<_, Problem>((client, insert))
        })?;
        Ok(Floor { runtime, client, insert, rows: 0 })
    }

    /// Inserts rows for this long; returns the duration of each insert, including its commit.
    pub(crate) fn measure(&mut self, time: Duration) -> Result<Vec<Duration>, Problem> {
        let Floor { runtime, client, insert, rows } = self;
        let content = vec![7_u8; ROW_BYTES];
        runtime.block_on(async {
            let (mut times, start) = (Vec::new(), Instant::now());
            while start.elapsed() < time {
                *rows += 1;
                let asked = Instant::now();
                client.execute(&*insert, &[&*rows, &content]).await?;
                times.push(asked.elapsed());
            }
            Ok(times)
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_parent_of_a_process_is_found() {
        let own = std::process::id().to_string();
        assert_eq!(super::parent(&own), Some(std::os::unix::process::parent_id()));
        assert_eq!(super::parent("nobody"), None);
    }
}
