//! The journal in PostgreSQL, on a server of the tests' own: the suite for every journal, connections cut in the
//! middle of an append, refusals, encryption, servers that become unfit, the marks of writers, the tables beside the
//! log, rows that move into an archive.

mod archive;
mod cuts;
mod encryption;
mod fitness;
mod marks;
mod refusals;
mod shared_tables;

use std::time::Duration;

use journal::Journal;
use journal::postgres::{Database, Options, PostgresJournal};
use journal::testing::ManualClock;
use journal::testing::conformance::{self, Factory};
use pgtest::Server;

/// For a server that restarts, which takes long on a slow machine.
fn patient() -> Options {
    Options { patience: Duration::from_secs(120), ..Options::default() }
}

/// A database without a journal.
fn empty(server: &Server) -> (String, Database) {
    let name = server.create_database();
    let database = Database::open(&server.url(&name), patient()).expect("a fit database");
    (name, database)
}

fn writer(database: &Database) -> PostgresJournal {
    database.journal(Some(Box::new(ManualClock::new(7)))).expect("a journal")
}

struct InDatabase<'a>(&'a Server, Database);

impl InDatabase<'_> {
    fn open(&self, clock: ManualClock) -> Box<dyn Journal> {
        Box::new(self.1.journal(Some(Box::new(clock))).expect("a journal"))
    }
}

impl Factory for InDatabase<'_> {
    fn create(&mut self, clock: ManualClock) -> Box<dyn Journal> {
        self.1 = empty(self.0).1;
        self.open(clock)
    }

    fn reopen(&mut self, clock: ManualClock) -> Box<dyn Journal> {
        self.open(clock)
    }

    fn second_writer(&mut self, clock: ManualClock) -> Option<Box<dyn Journal>> {
        Some(self.open(clock))
    }
}

#[test]
fn a_journal_in_postgres_conforms() {
    let server = Server::start(&[]);
    let database = empty(&server).1;
    conformance::check_all(&mut InDatabase(&server, database));
}
