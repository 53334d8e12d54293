//! The files of a data folder must belong together. A start that finds a mismatch fails with advice instead of
//! guessing: a journal that was exchanged or lost, a lost key, a folder in use, a damaged history, a wrong clock.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use api::signing::MasterKey;
use exchange::catalogue::{
    Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket, Status,
};
use exchange::command::{Command, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, UpgradeRules};
use exchange::id::{EventId, Hash32, MarketId, OperationId, OrderId, OutcomeId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, SelfTrade, Side, Sizing};
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::Time;
use exchange::{Exchange, Request};
use journal::disk::RealDisk;
use journal::snapshots::SnapshotStore;
use server::applied::{Applied, Observer};
use server::audit::KeyFile;
use server::audit::backup::backup;
use server::audit::journal_copy::{JournalPlace, journal_copy};
use server::audit::restore::restore;
use server::folder::lock;

use server::node::{Node, NodeError, Stopped};
use server::people::{SqliteRows, begin};
use server::pipeline::clock::{Clock, ManualClock, SystemClock};
use server::pipeline::sequencer::{Sequencer, SubmitError};
use server::pipeline::state::Shared;
use server::pipeline::timekeeping::{Timekeeper, WatchedClock};
use server::secrets::make_master_key;
use server::startup::{self, StartError};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn start(folder: &Path) -> Result<Node, NodeError> {
    Node::builder(folder).start()
}

#[track_caller]
fn refused(folder: &Path) -> StartError {
    match start(folder) {
        Err(NodeError::Start(error)) => error,
        other => panic!("not refused as it should be: {other:?}"),
    }
}

/// Starts, creates users with these numbers, and stops. A new journal begins with an `UpgradeRules` to the newest
/// rules.
fn serve(folder: &Path, users: Range<u128>) -> Stopped {
    let node = start(folder).expect("a node");
    create_users(&node, users);
    node.stop().expect("a clean stop")
}

fn create_users(node: &Node, numbers: Range<u128>) {
    for number in numbers {
        let command = Command::CreateUser(CreateUser {
            id: UserId::new(number),
            address: Hash32::of(&format!("user{number}@example.com")),
            tag: Text::from(format!("user{number}")),
            row: RowId::new(number),
            expires_at: Time::NEVER,
        });
        let request = Request { actor: Actor::System, idempotency: None, command };
        node.app.writing().sequencer().submit_blocking(request).expect("an answer").result.expect("a user");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder to read") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("a file");
        match path.is_dir() {
            true => copy(&path, &to.join(name)),
            false => drop(fs::copy(&path, to.join(name)).expect("a copy")),
        }
    }
}

fn remove(folder: &Path, parts: &[&str]) {
    parts.iter().for_each(|part| fs::remove_dir_all(folder.join(part)).expect("a folder to remove"));
}

fn replace_journal(folder: &Path, from: &Path) {
    remove(folder, &["journal"]);
    copy(&from.join("journal"), &folder.join("journal"));
}

#[test]
fn a_snapshot_of_another_journal_is_refused_and_its_journal_alone_gives_the_right_state() {
    let (one, other) = (folder(), folder());
    serve(one.path(), 1..5);
    copy(one.path(), other.path());
    serve(one.path(), 5..8);
    let right = serve(other.path(), 15..25);
    replace_journal(one.path(), other.path());
    let error = refused(one.path());
    assert!(matches!(error, StartError::OtherJournal(_)), "{error}");
    assert!(error.to_string().contains("the snapshot at 9 followed another frame"), "{error}");
    assert!(error.to_string().contains("remove the folders snapshots and history"), "{error}");
    remove(one.path(), &["snapshots", "history"]);
    assert_eq!(serve(one.path(), 0..0), right);
}

#[test]
fn a_snapshot_in_a_form_that_this_build_does_not_know_is_passed_over_for_the_one_before() {
    let one = folder();
    let older = serve(one.path(), 1..5);
    let newer = serve(one.path(), 5..8);
    let store = SnapshotStore::new(Arc::new(RealDisk::new(one.path().join("snapshots")).expect("a disk")));
    let newest = store.latest().expect("snapshots").snapshot.expect("a snapshot");
    let mut content = newest.content;
    // The version follows the magic number.
    content[8] = 200;
    store.save(&newest.head, &content).expect("a snapshot");
    let node = start(one.path()).expect("a node");
    assert_eq!((node.report.snapshot, node.report.replayed), (older.seq, newer.seq - older.seq));
    let [bad] = &node.report.bad_snapshots[..] else { panic!("{:?}", node.report.bad_snapshots) };
    assert!(bad.contains("unknown codec version 200"), "{bad}");
    assert_eq!(node.stop().expect("a clean stop"), newer);
}

#[test]
fn a_journal_that_ends_before_what_was_made_out_of_it_is_refused() {
    let (one, old) = (folder(), folder());
    serve(one.path(), 1..5);
    copy(one.path(), old.path());
    serve(one.path(), 5..8);
    replace_journal(one.path(), old.path());
    let expected = "they go to sequence 9, it ends at 6";
    let error = refused(one.path()).to_string();
    assert!(error.contains(expected), "{error}");
    remove(one.path(), &["snapshots"]);
    let error = refused(one.path()).to_string();
    assert!(error.contains(expected), "history alone reveals it as well: {error}");
    remove(one.path(), &["history"]);
    assert_eq!(serve(one.path(), 0..0).seq, 6);
}

#[test]
fn a_journal_that_is_gone_is_not_begun_anew_beside_what_was_made_out_of_it() {
    let one = folder();
    let served = serve(one.path(), 1..5);
    let kept = folder();
    copy(one.path(), kept.path());
    for parts in [&["journal"][..], &["history"]] {
        remove(one.path(), parts);
        let error = refused(one.path()).to_string();
        assert!(error.contains("they go to sequence 6, and there is none"), "{error}");
    }
    assert!(!one.path().join("journal/00000000000000000001.segment").exists(), "nothing was begun");
    replace_journal(one.path(), kept.path());
    assert_eq!(serve(one.path(), 0..0), served);
}

#[test]
fn a_master_key_that_is_gone_is_not_replaced_where_there_is_a_journal() {
    let one = folder();
    let path = one.path().join("master.key");
    serve(one.path(), 1..2);
    let key = fs::read(&path).expect("a key");
    fs::rename(&path, one.path().join("elsewhere")).expect("a lost key");
    assert!(matches!(refused(one.path()), StartError::NoMasterKey { .. }));
    assert!(!path.exists(), "none is made");
    fs::rename(one.path().join("elsewhere"), &path).expect("a key found again");
    serve(one.path(), 2..3);
    assert_eq!(fs::read(&path).expect("a key"), key);
}

#[test]
fn a_folder_in_use_is_refused_and_its_history_is_left_alone() {
    let one = folder();
    let node = start(one.path()).expect("a node");
    // Removed, so that opening it would have to create it.
    remove(one.path(), &["history"]);
    assert!(matches!(refused(one.path()), StartError::InUse { .. }));
    assert!(!one.path().join("history").exists(), "a refused start touches nothing");
    node.stop().expect("a clean stop");
    serve(one.path(), 1..2);
}

#[test]
fn nothing_is_touched_in_a_folder_that_another_process_holds() {
    let (used, source, away) = (folder(), folder(), folder());
    serve(source.path(), 1..5);
    let saved = away.path().join("backup");
    backup(source.path(), &saved, KeyFile::Included, |_, _| {}).expect("a backup");
    let names = || {
        let entries = fs::read_dir(used.path()).expect("a folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let _folder_lock = lock(used.path()).expect("a free folder");
    let before = names();
    assert!(matches!(refused(used.path()), StartError::InUse { .. }));
    assert!(restore(&saved, used.path(), |_, _| {}).is_err());
    assert_eq!(names(), before, "neither a start nor a restore leaves anything");

    // As a node of a shared log holds it while it rebuilds its history.
    fs::write(used.path().join("log.id"), [7; 16]).expect("a node's folder");
    fs::create_dir_all(used.path().join("history.new")).expect("a history that is being made");
    fs::write(used.path().join("history.new/history.sqlite"), "half").expect("half of it");
    let before = names();
    let place = |folder: &TempDir| JournalPlace::Folder(folder.path().to_owned());
    assert!(journal_copy(&place(&source), &place(&used), |_, _, _| {}).is_err());
    assert_eq!(names(), before, "a copy of a journal leaves nothing and takes nothing");
    fs::create_dir(used.path().join("journal")).expect("a journal");
    let rebuilt = server::node::rebuild_history(used.path(), |_, _| {});
    assert!(matches!(rebuilt, Err(NodeError::Start(StartError::InUse { .. }))), "{rebuilt:?}");
    let half = fs::read_to_string(used.path().join("history.new/history.sqlite"));
    assert_eq!(half.expect("what was being made"), "half");
}

/// Applies requests by the rules that a journal begins with, as every build did before there were others.
fn write_by_first_rules(folder: &Path, requests: Vec<Request>) -> MasterKey {
    struct Blind;
    impl Observer for Blind {
        fn applied(&mut self, _: &Applied<'_>) {}
    }
    let master = make_master_key(&folder.join("master.key")).expect("a key");
    let opened = startup::open(folder, |_, _| {}).expect("a new journal");
    let shared = Arc::new(Shared::new(opened.exchange));
    let (sequencer, writer) =
        Sequencer::start(opened.journal, None, shared.clone(), Box::new(Blind), Arc::new(SystemClock));
    for request in requests {
        sequencer.submit_blocking(request).expect("an answer").result.expect("the first rules allow it");
    }
    assert_eq!(shared.read().rules_version(), 1);
    drop(sequencer);
    writer.join();
    master
}

const SELLER: Actor = Actor::Session { session: SessionId::new(1) };

fn dust(number: u128) -> Request {
    let command = Command::PlaceOrder(NewOrder {
        id: OrderId::new(number),
        outcome: OutcomeId::of(MarketId::new(1), 0),
        side: Side::Sell,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(Shares::new(1)),
        price: Price::new(60),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    });
    Request { actor: SELLER, idempotency: None, command }
}

#[test]
fn a_journal_of_the_first_rules_stays_with_them_until_it_is_upgraded() {
    let one = folder();
    let (user, event, market) = (UserId::new(1), EventId::new(1), MarketId::new(1));
    let (currency, amount) = (Currency::Usd, Money::whole(10));
    let details =
        EventDetails { title: "Will it?".into(), category: "test".into(), ..EventDetails::default() };
    let of_market = MarketDetails { title: Text::from("It does"), ..MarketDetails::default() };
    let commands = [
        Command::CreateUser(CreateUser {
            id: user,
            address: Hash32::of("a@example.com"),
            tag: "ada".into(),
            row: RowId::new(1),
            expires_at: Time::NEVER,
        }),
        Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: SessionId::new(1),
            token_hash: Hash32::of("token"),
            device: "device".into(),
        }),
        Command::CreditWallet(CreditWallet { user, currency, amount, reference: "first".into() }),
        Command::CreateEvent(NewEvent {
            id: event,
            slug: "will-it".into(),
            kind: EventKind::Single,
            engine: Engine::Clob,
            currencies: vec![currency],
            details,
            markets: vec![NewMarket { id: market, details: of_market }],
            link: EventLink::None,
        }),
        Command::OpenEvent(OpenEvent { event }),
    ];
    let by_system = |command| Request { actor: Actor::System, idempotency: None, command };
    let mint = Command::MintSets(MintSets { id: OperationId::new(1), market, currency, amount });
    let mint = Request { actor: SELLER, idempotency: None, command: mint };
    let requests = commands.map(by_system).into_iter().chain([mint, dust(1)]).collect();
    let master = write_by_first_rules(one.path(), requests);
    begin(&mut SqliteRows::open(one.path()).expect("a store"), &master).expect("a people store");

    let node = start(one.path()).expect("a node");
    {
        let exchange = node.app.reading().state();
        assert_eq!(exchange.rules_version(), 1, "the build before can still take over");
        assert!(exchange.order(OrderId::new(1)).is_some(), "it rests as it did");
    }
    let upgrade = Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION });
    node.app
        .writing()
        .sequencer()
        .submit_blocking(by_system(upgrade))
        .expect("an answer")
        .result
        .expect("an upgrade");
    let (side, minimum) = (Side::Sell, Money::whole(1));
    let refused = node.app.writing().sequencer().submit_blocking(dust(2)).expect("an answer").result;
    assert_eq!(refused, Err(Reject::BelowMinimum { side, currency, minimum }));
    let stopped = node.stop().expect("a clean stop");
    assert_eq!(
        (stopped.seq, stopped.live),
        (10, stopped.replayed),
        "seven, the master key, the upgrade, a refusal"
    );
    assert_eq!(serve(one.path(), 0..0), stopped, "nothing is added by a start");
}

#[test]
fn a_folder_that_shares_a_log_is_not_served_alone_until_a_journal_is_copied_into_it() {
    let (one, home) = (folder(), folder());
    let served = serve(one.path(), 1..5);
    fs::write(one.path().join("log.id"), [7; 16]).expect("as a node on a shared log leaves it");
    let error = refused(one.path());
    assert!(matches!(error, StartError::SharesLog { .. }), "{error}");
    fs::copy(one.path().join("log.id"), home.path().join("log.id")).expect("a node's folder");
    fs::copy(one.path().join("master.key"), home.path().join("master.key")).expect("the same key");
    let place = |folder: &TempDir| JournalPlace::Folder(folder.path().to_owned());
    journal_copy(&place(&one), &place(&home), |_, _, _| {}).expect("a copy");
    assert_eq!(serve(home.path(), 0..0), served);
}

#[test]
fn a_history_that_is_damaged_is_made_again_by_a_start() {
    let one = folder();
    serve(one.path(), 1..5);
    let history = one.path().join("history/history.sqlite");
    let good = fs::read(&history).expect("a history");
    let nonsense = vec![0x5A; good.len()];
    for damaged in [&nonsense[..], &good[..4_096]] {
        // Removes the write-ahead log as well: SQLite would repair the file from it.
        remove(one.path(), &["history"]);
        fs::create_dir(one.path().join("history")).expect("a folder");
        fs::write(&history, damaged).expect("damage");
        let node = start(one.path()).expect("a node");
        assert_eq!((node.report.snapshot, node.report.replayed), (0, 6), "history needs all of it again");
        node.stop().expect("a clean stop");
        let node = start(one.path()).expect("a node");
        assert_eq!((node.app.reading().history().stored(), node.report.replayed), (6, 0));
        node.stop().expect("a clean stop");
    }
}

#[test]
fn a_damaged_segment_or_manifest_is_noticed_by_a_start_and_history_is_made_again() {
    let one = folder();
    serve(one.path(), 1..5);
    let names = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder.join("history/segments")).expect("a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        names.sort();
        names
    };
    assert!(names(one.path()).len() > 1, "there are records and a manifest");
    for number in 0..names(one.path()).len() {
        let file = names(one.path())[number].clone();
        let bytes = fs::read(&file).expect("a file");
        fs::write(&file, vec![0x5A; bytes.len()]).expect("damage");
        let node = start(one.path()).expect("a node");
        assert_eq!((node.report.snapshot, node.report.replayed), (0, 6), "history needs all of it again");
        node.stop().expect("a clean stop");
        let node = start(one.path()).expect("a node");
        assert_eq!((node.app.reading().history().stored(), node.report.replayed), (6, 0));
        node.stop().expect("a clean stop");
    }
}

#[test]
fn a_stop_leaves_a_snapshot_of_what_was_replayed_though_nothing_came_meanwhile() {
    let one = folder();
    serve(one.path(), 1..5);
    remove(one.path(), &["snapshots"]);
    serve(one.path(), 0..0);
    let node = start(one.path()).expect("a node");
    assert_eq!((node.report.snapshot, node.report.replayed), (6, 0));
    node.stop().expect("a clean stop");
}

#[test]
fn a_start_reports_how_far_the_clock_is_behind_the_journal() {
    let one = folder();
    let hour = 3_600_000_000;
    let ahead: Arc<dyn Clock> = Arc::new(ManualClock::new(SystemClock.now() + hour));
    let start_at = |clock: &Arc<dyn Clock>| {
        let builder = Node::builder(one.path()).clock(clock.clone()).journal_clock(clock.clone());
        builder.start().expect("a node")
    };
    let node = start_at(&ahead);
    assert_eq!(node.report.behind, Duration::ZERO, "there is nothing to be behind of");
    create_users(&node, 1..2);
    node.stop().expect("a clean stop");
    let node = start_at(&ahead);
    assert_eq!(node.report.behind, Duration::ZERO);
    node.stop().expect("a clean stop");
    let node = start(one.path()).expect("a node");
    let seconds = node.report.behind.as_secs();
    assert!((3_500..=3_600).contains(&seconds), "{seconds}");
    node.stop().expect("a clean stop");
}

const YEAR_MICROS: i64 = 365 * 24 * 3_600_000_000;
const BOOTED: i64 = 1_800_000_000_000_000;

/// A machine with simulated clocks and a simulated kernel status.
#[derive(Debug)]
struct Played {
    wall: AtomicI64,
    boot: AtomicI64,
    is_synchronised: AtomicBool,
}

impl Played {
    fn new(wall: i64, is_synchronised: bool) -> Arc<Played> {
        let (wall, boot) = (AtomicI64::new(wall), AtomicI64::new(5_000_000));
        Arc::new(Played { wall, boot, is_synchronised: AtomicBool::new(is_synchronised) })
    }

    fn set(&self, seconds: i64) {
        self.wall.fetch_add(seconds * 1_000_000, Ordering::AcqRel);
    }

    fn go_by(&self, seconds: i64) {
        self.set(seconds);
        self.boot.fetch_add(seconds * 1_000_000, Ordering::AcqRel);
    }
}

impl Timekeeper for Played {
    fn wall_micros(&self) -> i64 {
        self.wall.load(Ordering::Acquire)
    }

    fn boot_micros(&self) -> i64 {
        self.boot.load(Ordering::Acquire)
    }

    fn is_synchronised(&self) -> Option<bool> {
        Some(self.is_synchronised.load(Ordering::Acquire))
    }
}

fn start_by(folder: &Path, keeper: &Arc<Played>, is_accepted: bool) -> Result<Node, NodeError> {
    let clock = Arc::new(WatchedClock::new(keeper.clone(), is_accepted));
    Node::builder(folder).journal_clock(clock).start()
}

const DATED: EventId = EventId::new(1);

/// An open event that closes this many seconds after the machine was booted.
fn open_dated_event(node: &Node, seconds: i64) {
    let closing_date = Some(Time::from_micros(BOOTED + seconds * 1_000_000));
    let details = EventDetails { title: "Will it?".into(), closing_date, ..EventDetails::default() };
    let of_market = MarketDetails { title: Text::from("It does"), ..MarketDetails::default() };
    let event = NewEvent {
        id: DATED,
        slug: "will-it".into(),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details: EventDetails { category: "test".into(), ..details },
        markets: vec![NewMarket { id: MarketId::new(1), details: of_market }],
        link: EventLink::None,
    };
    for command in [Command::CreateEvent(event), Command::OpenEvent(OpenEvent { event: DATED })] {
        let request = Request { actor: Actor::System, idempotency: None, command };
        node.app.writing().sequencer().submit_blocking(request).expect("an answer").result.expect("an event");
    }
}

fn is_open(node: &Node) -> bool {
    let exchange = node.app.reading().state();
    let index = exchange.catalogue().find_event(DATED).expect("an event");
    exchange.catalogue().event(index).status == Status::Open
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what}");
        thread::yield_now();
    }
}

#[test]
fn a_boot_clock_that_nothing_has_synchronised_closes_no_dated_event() {
    let (one, accepted) = (folder(), folder());
    let node = start_by(one.path(), &Played::new(BOOTED, true), false).expect("a node");
    open_dated_event(&node, 30 * 86_400);
    let before = node.stop().expect("a clean stop");
    copy(one.path(), accepted.path());

    let wrong = || Played::new(BOOTED + YEAR_MICROS, false);
    let refused = start_by(one.path(), &wrong(), false).expect_err("a refusal");
    assert!(matches!(refused, NodeError::Start(StartError::UnsureClock { hours: 8_760 })), "{refused}");
    assert!(refused.to_string().contains("--accept-clock"), "{refused}");
    // With the right clock it is as before.
    let node = start_by(one.path(), &Played::new(BOOTED + 60_000_000, false), false).expect("a node");
    assert!(is_open(&node), "an hour or a night without a source is no reason");
    assert_eq!(node.stop().expect("a clean stop").seq, before.seq, "and nothing was written");

    // If such a clock is used, it closes the event for good.
    let node = start_by(accepted.path(), &wrong(), true).expect("a node");
    assert!(node.report.unsure_clock.is_some_and(|past| past > Duration::from_secs(300 * 86_400)));
    wait_until("the event closes", || !is_open(&node));
    node.stop().expect("a clean stop");
    let node = start_by(accepted.path(), &Played::new(BOOTED + 120_000_000, true), false).expect("a node");
    assert!(!is_open(&node), "also when the clock is right again");
    node.stop().expect("a clean stop");
    // With a synchronised clock a year later is a year later.
    let node = start_by(one.path(), &Played::new(BOOTED + YEAR_MICROS, true), false).expect("a node");
    wait_until("the event closes", || !is_open(&node));
    node.stop().expect("a clean stop");
}

#[test]
fn a_clock_that_is_set_ahead_stamps_nothing_until_it_is_right_again() {
    let one = folder();
    let keeper = Played::new(BOOTED, true);
    let node = start_by(one.path(), &keeper, false).expect("a node");
    open_dated_event(&node, 600);
    let credit = |number: u64| {
        let (currency, amount) = (Currency::Usd, Money::whole(1));
        let reference = format!("wire {number}").into();
        let command =
            Command::CreditWallet(CreditWallet { user: Exchange::HOUSE, currency, amount, reference });
        let request = Request { actor: Actor::System, idempotency: None, command };
        node.app.writing().sequencer().submit_blocking(request).map(|answer| answer.at)
    };
    let writer_status = node.app.writing().sequencer().writer_status();
    keeper.set(299);
    assert_eq!(credit(1), Ok(Time::from_micros(BOOTED + 299_000_000)), "five minutes are allowed");
    // Past the closing date: not even the tick that would close the event is written.
    keeper.set(3_600);
    assert_eq!(credit(2), Err(SubmitError::WrongClock));
    assert!(!writer_status.is_clock_right() && !writer_status.has_failed());
    assert_eq!(writer_status.clock_ahead(), Some(3_899_000_000));
    wait_until("callers get an error at once", || {
        credit(3) == Err(SubmitError::WrongClock) && !writer_status.is_accepting()
    });
    assert!(is_open(&node));
    keeper.set(-3_899);
    wait_until("writes are taken again", || writer_status.is_accepting());
    assert_eq!(credit(4), Ok(Time::from_micros(BOOTED + 299_000_000)), "the journal's time never goes back");
    // Timers still fire when the time really passes.
    keeper.go_by(601);
    wait_until("the event closes", || !is_open(&node));
    let stopped = node.stop().expect("a clean stop");
    assert_eq!(stopped.live, stopped.replayed);
}
