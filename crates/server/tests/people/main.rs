//! The people store beside a file journal: no plain text in any file, erasures, sweeps, and both stores in backups,
//! copies and restores.

mod erasing;
mod moving;
mod sweeping;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use exchange::Request;
use exchange::command::ApprovePasswordReset;
use exchange::command::{Command, CreateUser, EraseUser, RequestPasswordReset, ResetPassword};
use exchange::id::{Hash32, MarketId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Ppm};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Time;
use server::node::Node;
use server::people::Rows;
use server::people::entries::{AlertWish, PushTarget};
use server::people::{Address, NewRow, Person, SqliteRows, StoredRow};
use server::pipeline::clock::ManualClock;
use tokio::runtime::Runtime;

/// 2030-01-01, by every clock of a venue.
const START: i64 = 1_893_456_000_000_000;
const MINUTE: i64 = 60_000_000;

/// A node with a manual clock.
struct Venue {
    node: Node,
    clock: Arc<ManualClock>,
    runtime: Runtime,
}

impl Venue {
    fn open(folder: &Path) -> Venue {
        Venue::open_at(folder, START)
    }

    fn open_at(folder: &Path, now: i64) -> Venue {
        let clock = Arc::new(ManualClock::new(now));
        let builder = Node::builder(folder).clock(clock.clone()).journal_clock(clock.clone());
        let node = builder.start().expect("a node");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Venue { node, clock, runtime }
    }

    fn give(&self, command: Command) -> Result<Reply, Reject> {
        let request = Request { actor: Actor::System, idempotency: None, command };
        self.node.app.writing().sequencer().submit_blocking(request).expect("an answer").result
    }

    /// Writes a row for a person, as the edge does before a command.
    fn write(&self, person: UserId, email: &str, password_hash: &str) -> NewRow {
        let known = Person::new(&Address::normalised(email), Some(password_hash.to_owned()));
        self.node.app.access().people().write_blocking(person, &known).expect("a row")
    }

    fn create(&self, number: u128, row: NewRow) -> Result<Reply, Reject> {
        self.give(Command::CreateUser(CreateUser {
            id: UserId::new(number),
            address: self.node.app.access().people().address_hash(&Address::normalised(&email(number))),
            tag: Text::from(format!("tag_of_{number}")),
            row: row.id,
            expires_at: row.expires_at,
        }))
    }

    /// A person with a row, and the row.
    fn person(&self, number: u128) -> NewRow {
        let row = self.write(UserId::new(number), &email(number), &password_hash(number));
        self.create(number, row).expect("a user");
        row
    }

    fn reset_password(&self, number: u128, row: NewRow) -> Result<Reply, Reject> {
        let (user, token_hash) = (UserId::new(number), Hash32::of(&format!("token of {number}")));
        let (code, network) = (Text::from("AB12CD"), Hash32::of("home"));
        self.give(Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash,
            code,
            network,
            address: None,
        }))
        .expect("a request");
        self.give(Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash }))
            .expect("approved");
        let NewRow { id: row, expires_at } = row;
        self.give(Command::ResetPassword(ResetPassword { token_hash, row, expires_at, keep_keys: true }))
    }

    fn erase(&self, number: u128) {
        self.give(Command::EraseUser(EraseUser { user: UserId::new(number) })).expect("erased");
        self.sweep(None);
    }

    /// An alert, a push subscription and a read mark of a person.
    fn keep_entries(&self, number: u128) {
        let (person, people) = (UserId::new(number), self.node.app.access().people());
        let wish = AlertWish {
            market: MarketId::new(1),
            outcome: Outcome::Yes,
            currency: Currency::Usd,
            price: Ppm::new(600_000),
            rises: true,
            created_at: Time::from_micros(START),
        };
        let target = PushTarget {
            endpoint: format!("https://push.example/{number}"),
            public_key: vec![4; 65],
            secret: vec![1; 16],
        };
        self.runtime.block_on(async {
            people.add_alert(person, wish).await.expect("an answer");
            people.add_subscription(person, target, Time::from_micros(START)).await.expect("an answer");
            people.mark_read(person, 5).await.expect("an answer");
        });
    }

    fn sweep(&self, person: Option<u128>) {
        let person = person.map(UserId::new);
        self.runtime.block_on(self.node.app.access().sweeps().sweep(person)).expect("a sweep");
    }

    /// The stored email of a person, by the row that the rules name.
    fn email_of(&self, number: u128) -> Option<String> {
        let row = {
            let exchange = self.node.app.reading().state();
            let index = exchange.directory().find(UserId::new(number)).expect("a user");
            exchange.directory().user(index).row?
        };
        let known = self.runtime.block_on(self.node.app.access().people().look_up(UserId::new(number), row));
        known.expect("a row that opens").map(|known| known.email.to_string())
    }

    fn stop(self) {
        let stopped = self.node.stop().expect("a clean stop");
        assert_eq!(stopped.live, stopped.replayed);
    }
}

fn email(number: u128) -> String {
    format!("person-{number}@mail.example")
}

fn password_hash(number: u128) -> String {
    format!("$argon2id$v=19$hash-of-{number}")
}

fn stored(folder: &Path, row: NewRow) -> Option<StoredRow> {
    let rows = SqliteRows::open_reading(folder).expect("a store");
    rows.expect("a store").get(row.id).expect("an answer")
}

/// Files of a folder, at any depth, that contain these bytes.
fn holders(folder: &Path, wanted: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holders(&path, wanted));
        } else if holds(&fs::read(&path).expect("a file"), wanted) {
            found.push(path.display().to_string());
        }
    }
    found
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    // Segments are mostly zeros.
    let first = wanted[0];
    let mut rest = bytes;
    while let Some(place) = rest.iter().position(|byte| *byte == first) {
        if rest[place..].starts_with(wanted) {
            return true;
        }
        rest = &rest[place + 1..];
    }
    false
}

#[test]
fn no_file_of_the_folder_contains_an_address_or_a_password_hash() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    for number in 1..=20 {
        venue.person(number);
    }
    let renewed = venue.write(UserId::new(3), &email(3), "$argon2id$v=19$another");
    venue.reset_password(3, renewed).expect("a new password");
    assert_eq!(venue.email_of(3).as_deref(), Some("person-3@mail.example"));
    let shown = format!("{:?}", venue.node.app);
    assert!(!shown.contains("mail.example") && !shown.contains("hash-of"), "nothing is shown when debugged");
    venue.stop();
    for plain in ["mail.example", "person-", "argon2", "hash-of"] {
        assert_eq!(holders(folder.path(), plain.as_bytes()), Vec::<String>::new(), "{plain}");
    }
    assert!(!holders(folder.path(), b"tag_of_3").is_empty(), "what is public can be found");
}

#[test]
fn the_look_up_key_is_made_once_and_stays_over_restarts() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    venue.person(1);
    let hash = venue.node.app.access().people().address_hash(&Address::normalised(&email(1)));
    venue.stop();
    let venue = Venue::open(folder.path());
    assert_eq!(
        venue.node.app.access().people().address_hash(&Address::normalised("PERSON-1@Mail.Example")),
        hash
    );
    let second = venue.write(UserId::new(1_001), &email(1), "hash");
    let twice = venue.give(Command::CreateUser(CreateUser {
        id: UserId::new(1_001),
        address: hash,
        tag: Text::from("another"),
        row: second.id,
        expires_at: second.expires_at,
    }));
    assert_eq!(twice, Err(Reject::DuplicateEmail), "an address has one account");
    venue.stop();
}
