//! The people store of nodes that share a log: one store for all, in the log's database.

use std::fs;

use api::signing::MasterKey;
use exchange::Request;
use exchange::command::{Command, CreateUser, EraseUser};
use exchange::id::{MarketId, RowId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Ppm};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Time;
use journal::postgres::{Database, Options};
use pgtest::Server;
use server::audit::journal_copy::{JournalPlace, journal_copy};
use server::node::Node;
use server::people::entries::{AlertWish, FiredAlert, PriceAlert};
use server::people::moving::{compare, is_wrapped_under, open_all, rewrap};
use server::people::{Address, NewRow, Person, PostgresRows, Rows, SqliteRows, StoredRow};

use crate::{settings, start, stop, wait_until};

fn create(node: &Node, number: u128) -> NewRow {
    let (id, people) = (UserId::new(number), node.app.access().people());
    let address = Address::normalised(&format!("person-{number}@mail.example"));
    let row = people.write_blocking(id, &Person::new(&address, None)).expect("a row");
    let command = Command::CreateUser(CreateUser {
        id,
        address: people.address_hash(&address),
        tag: Text::from(format!("tag_of_{number}")),
        row: row.id,
        expires_at: row.expires_at,
    });
    give(node, command);
    row
}

fn give(node: &Node, command: Command) {
    let request = Request { actor: Actor::System, idempotency: None, command };
    node.app.writing().sequencer().submit_blocking(request).expect("an answer").result.expect("done");
}

/// The email that a node returns for a person.
fn email(node: &Node, number: u128) -> Option<String> {
    let person = UserId::new(number);
    let row = {
        let exchange = node.app.reading().state();
        exchange.directory().user(exchange.directory().find(person)?).row?
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let known = runtime.block_on(node.app.access().people().look_up(person, row)).expect("a row that opens");
    known.map(|known| known.email.to_string())
}

fn sweep(node: &Node) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(node.app.access().sweeps().sweep(None)).expect("a sweep");
}

/// A price alert of a person, added at a node.
fn keep_alert(node: &Node, number: u128) -> PriceAlert {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let wish = AlertWish {
        market: MarketId::new(1),
        outcome: Outcome::Yes,
        currency: Currency::Usd,
        price: Ppm::new(600_000),
        rises: true,
        created_at: Time::ZERO,
    };
    let added = runtime.block_on(node.app.access().people().add_alert(UserId::new(number), wish));
    added.expect("an answer").expect("an alert")
}

/// An alert fires, and a message is sent, at the node that comes first.
fn fires_and_sends_at_one_node(first: &Node, second: &Node, alert: &PriceAlert) {
    let nodes = [second, first].map(|node| node.app.access().people());
    let fired = FiredAlert { seq: 9, at: Time::ZERO, price: Ppm::new(610_000) };
    assert_eq!(nodes.map(|people| people.fire_blocking(alert, fired).expect("an answer")), [true, false]);
    let known = nodes[1].entries_blocking(alert.person).expect("entries");
    assert_eq!(known.alerts[0].fired, Some(fired), "the other node sees it");
    let send = |kind, sequence| {
        nodes.map(|people| {
            people.first_to_send_blocking(alert.person, kind, sequence, Time::ZERO).expect("an answer")
        })
    };
    assert_eq!((send(1, 7), send(2, 7), send(1, 8)), ([true, false], [true, false], [true, false]));
    assert_eq!(send(1, 7), [false, false]);
}

#[test]
fn a_store_in_postgres_keeps_finds_pages_removes_and_wraps_rows() {
    let server = Server::start(&[]);
    let database = Database::open(&server.url(&server.create_database()), Options::default()).expect("fit");
    let mut rows = PostgresRows::open(&database).expect("a store");
    let row = |number: u128| StoredRow {
        id: RowId::new(number),
        person: UserId::new(number / 2),
        expires_at: Time::from_micros(number as i64),
        wrapped_key: vec![number as u8; 73],
        sealed: vec![number as u8; 300],
    };
    for number in 0..6 {
        rows.insert(&row(number)).expect("a row");
    }
    assert!(rows.insert(&row(3)).is_err(), "a row is written once");
    assert_eq!(rows.get(RowId::new(3)).expect("an answer"), Some(row(3)));
    assert_eq!(rows.get(RowId::new(9)).expect("an answer"), None);
    let expired = rows.expired(Time::from_micros(2), Time::from_micros(4)).expect("heads");
    assert_eq!(expired.iter().map(|head| head.id).collect::<Vec<_>>(), [RowId::new(2), RowId::new(3)]);
    assert_eq!(rows.of_person(UserId::new(2)).expect("heads").len(), 2);
    let page = rows.page(Some(RowId::new(1)), 2).expect("rows");
    assert_eq!(page, [row(2), row(3)]);
    rows.set_once("name", b"first").expect("set");
    rows.set_once("name", b"second").expect("left");
    assert_eq!(rows.setting("name").expect("an answer").as_deref(), Some(&b"first"[..]));
    rows.remove(&[RowId::new(0)]).expect("removed");
    rows.erase(&[RowId::new(1), RowId::new(2)]).expect("erased");
    rows.rewrap(&[(RowId::new(3), vec![9; 73])], &[], &[("name", b"third".to_vec())]).expect("wrapped anew");
    assert_eq!(rows.get(RowId::new(3)).expect("an answer").map(|row| row.wrapped_key), Some(vec![9; 73]));
    assert_eq!(rows.setting("name").expect("an answer").as_deref(), Some(&b"third"[..]));
    assert_eq!(rows.page(None, 10).expect("rows").len(), 3);
}

#[test]
fn nodes_share_one_people_store_and_an_erasure_at_one_leaves_no_byte_in_the_tables() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let [first, second] = folders.each_ref().map(|folder| start(folder.path(), &settings).expect("a node"));
    let rows: Vec<NewRow> = (1..=5).map(|number| create(&first, number)).collect();
    let reached = first.app.reading().state().seq();
    wait_until("the other node has them", || second.app.reading().state().seq() >= reached);
    assert_eq!(email(&second, 5).as_deref(), Some("person-5@mail.example"), "written by the other node");
    let alerts = [2, 5].map(|number| keep_alert(&first, number));
    let database = Database::open(&settings.url, Options::default()).expect("a database");
    let mut store = PostgresRows::open(&database).expect("a store");
    let stored = store.get(rows[1].id).expect("an answer").expect("a row");
    let entries = store.entries_of(UserId::new(2)).expect("entries");
    assert_eq!(
        (entries.len(), second.app.access().people().push_key()),
        (1, first.app.access().people().push_key())
    );
    fires_and_sends_at_one_node(&first, &second, &alerts[1]);
    server.execute("postgres", "CHECKPOINT");
    assert!(is_in_tables(&server, &stored.sealed), "what is there can be found");
    assert!(is_in_tables(&server, &entries[0].sealed), "what is there can be found");
    give(&second, Command::EraseUser(EraseUser { user: UserId::new(2) }));
    sweep(&second);
    assert_eq!(store.get(rows[1].id).expect("an answer"), None);
    server.execute("postgres", "CHECKPOINT");
    for bytes in [&stored.sealed, &stored.wrapped_key, &entries[0].sealed, &entries[0].wrapped_key] {
        assert!(!is_in_tables(&server, bytes), "the tables were written anew");
    }
    assert!(store.entries_of(UserId::new(2)).expect("entries").is_empty());
    assert!(!folders.iter().any(|folder| folder.path().join("people").exists()), "no node has its own");
    let state = second.app.reading().state().clone();
    for node in [first, second] {
        stop(node);
    }
    let compared = compare(&mut store, &state).expect("compared");
    assert_eq!((compared.rows, compared.missing.len(), compared.not_erased.len()), (4, 0, 0));
    let (old, new) = (MasterKey::new([9; 32]), MasterKey::new([8; 32]));
    assert_eq!(open_all(&mut store, &state, &old).expect("all open"), 4);
    assert_eq!(rewrap(&mut store, &old, &new).expect("wrapped anew"), 4);
    assert!(is_wrapped_under(&mut store, &new).expect("an answer"));
    assert_eq!(open_all(&mut store, &state, &new).expect("all open"), 4);
}

#[test]
fn a_journal_copy_takes_the_people_home_from_a_database_and_back() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let (folder, home) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let node = start(folder.path(), &settings).expect("a node");
    let row = create(&node, 7);
    stop(node);
    let database = JournalPlace::Database(settings.url.clone());
    let at_home = JournalPlace::Folder(home.path().to_owned());
    let copied = journal_copy(&database, &at_home, |_, _, _| {}).expect("a copy");
    assert_eq!((copied.people, copied.people_missing), (1, 0));
    let mut rows = SqliteRows::open_reading(home.path()).expect("a store").expect("a store");
    assert!(rows.get(row.id).expect("an answer").is_some());
    drop(rows);
    let another = JournalPlace::Database(server.url(&server.create_database()));
    let copied = journal_copy(&at_home, &another, |_, _, _| {}).expect("a copy");
    assert_eq!((copied.people, copied.people_missing), (1, 0));
}

/// Whether the files of the server's tables, not its log, hold these bytes.
fn is_in_tables(server: &Server, bytes: &[u8]) -> bool {
    let wanted = &bytes[1..33];
    let mut folders = vec![server.data().join("base")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // A file may disappear during the scan.
            let Ok(content) = fs::read(&path) else { continue };
            if content.windows(wanted.len()).any(|window| window == wanted) {
                return true;
            }
        }
    }
    false
}
