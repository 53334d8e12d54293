//! The pictures of nodes that share a log: one store for all, in the log's database.

use std::collections::BTreeSet;
use std::time::Duration;

use exchange::Request;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::Command;
use exchange::id::{EventId, MarketId};
use exchange::identity::Actor;
use exchange::numbers::Currency;
use exchange::text::Text;
use journal::postgres::{Database, Options};
use pgtest::Server;
use server::audit::archive::archive_log;
use server::audit::journal_copy::{JournalPlace, journal_copy};
use server::audit::verify::verify;
use server::node::Node;
use server::pictures::address::{PictureHash, PictureSize};
use server::pictures::making::MadePicture;
use server::pictures::{FolderPictures, PictureStore, PostgresPictures};

use crate::{create_users, settings, start, stop};

fn made(number: u8) -> MadePicture {
    MadePicture { large: vec![number; 5_000], small: vec![number; 700], width: 2, height: 1 }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(work)
}

fn put(node: &Node, number: u8) -> PictureHash {
    run(node.app.pictures().put(&made(number))).expect("a stored picture")
}

fn read(node: &Node, hash: PictureHash) -> Option<Vec<u8>> {
    let picture = run(node.app.pictures().read(hash)).expect("an answer")?;
    Some(picture.of_size(PictureSize::Large).to_vec())
}

/// An event that names the picture, as the operators' API creates it.
fn create_event(node: &Node, hash: PictureHash) {
    let missing = run(node.app.pictures().name(BTreeSet::from([hash]))).expect("an answer");
    assert!(missing.is_empty(), "it is there");
    let details = EventDetails {
        title: Text::from("Does the ferry sail?"),
        category: Text::from("travel"),
        image_url: Text::from(hash.address(PictureSize::Large)),
        ..EventDetails::default()
    };
    let market = MarketDetails { title: Text::from("The ferry"), ..MarketDetails::default() };
    let command = Command::CreateEvent(NewEvent {
        id: EventId::new(1),
        slug: Text::from("ferry"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details,
        markets: vec![NewMarket { id: MarketId::new(2), details: market }],
        link: EventLink::None,
    });
    let request = Request { actor: Actor::System, idempotency: None, command };
    node.app.writing().sequencer().submit_blocking(request).expect("an answer").result.expect("an event");
}

#[test]
fn a_node_that_lacks_a_picture_reads_it_from_the_database_and_only_unnamed_ones_are_swept() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let [first, second] = folders.each_ref().map(|folder| start(folder.path(), &settings).expect("a node"));
    let (named, unnamed) = (put(&first, 1), put(&first, 2));
    assert!(second.app.pictures().find_cached(named).is_none());
    assert_eq!(read(&second, named), Some(vec![1; 5_000]));
    assert!(second.app.pictures().find_cached(named).is_some(), "from memory from now on");
    assert_eq!(read(&second, PictureHash([7; 32])), None);
    create_event(&second, named);
    let sweep = |node: &Node, age| node.app.pictures().sweep(age).expect("a sweep");
    assert_eq!(sweep(&first, Duration::from_secs(3_600)), 0, "both are new");
    assert_eq!(sweep(&first, Duration::ZERO), 1);
    assert_eq!((read(&first, unnamed), read(&first, named)), (None, Some(vec![1; 5_000])));
    assert_eq!(put(&second, 2), unnamed, "it may be uploaded again");
    let missing = run(first.app.pictures().name(BTreeSet::from([unnamed, PictureHash([7; 32])])));
    assert_eq!(missing.expect("an answer"), BTreeSet::from([PictureHash([7; 32])]));
    assert_eq!(sweep(&second, Duration::ZERO), 0, "named by the other node");
    assert!(!folders.iter().any(|folder| folder.path().join("pictures").exists()), "no node has its own");
    for node in [first, second] {
        stop(node);
    }
}

#[test]
fn a_damaged_row_is_not_served() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folder = tempfile::tempdir().expect("a folder");
    let node = start(folder.path(), &settings).expect("a node");
    let hash = put(&node, 3);
    let database = Database::open(&settings.url, Options::default()).expect("a database");
    let mut store = PostgresPictures::open(&database).expect("a store");
    store.put(hash, b"other bytes").expect("damage");
    let error = run(node.app.pictures().read(hash)).expect_err("a refusal").to_string();
    assert!(error.contains("is damaged"), "{error}");
    assert_eq!(put(&node, 3), hash);
    assert_eq!(read(&node, hash), Some(vec![3; 5_000]), "an upload mends it");
    stop(node);
}

#[test]
fn a_journal_copy_takes_pictures_home_from_a_database_and_back_and_an_archive_has_them() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let room = tempfile::tempdir().expect("a folder");
    let (data, home, cold) = (room.path().join("data"), room.path().join("home"), room.path().join("cold"));
    std::fs::create_dir(&data).expect("a folder");
    let node = start(&data, &settings).expect("a node");
    let (named, unnamed) = (put(&node, 1), put(&node, 2));
    create_event(&node, named);
    create_users(&node, 1..10);
    stop(node);
    let report = archive_log(&settings.url, &cold, |_, _, _| {}).expect("an archive");
    assert!(report.frames > 0);
    assert_eq!(report.pictures, 1, "only the named one");

    let database = JournalPlace::Database(settings.url.clone());
    let at_home = JournalPlace::Folder(home.clone());
    let copied = journal_copy(&database, &at_home, |_, _, _| {}).expect("a copy");
    assert_eq!((copied.pictures, copied.pictures_missing), (2, 0));
    let mut kept = FolderPictures::of(&home).list().expect("pictures");
    kept.sort_by_key(|(_, is_named)| !is_named);
    assert_eq!(kept, [(named, true), (unnamed, false)]);

    let other = JournalPlace::Database(server.url(&server.create_database()));
    let back = journal_copy(&at_home, &other, |_, _, _| {}).expect("a copy back");
    assert_eq!((back.pictures, back.pictures_missing), (2, 0));
    std::fs::remove_dir_all(home.join("pictures")).expect("pictures to lose");
    let verdict = verify(&home, None, |_, _| {}).expect("a verdict");
    let lost = format!("picture {named} is missing: a command names it");
    assert!(verdict.problems.contains(&lost), "{:?}", verdict.problems);
}
