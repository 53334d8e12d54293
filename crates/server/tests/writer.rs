//! The writer as a whole: answered requests are durable, applied once, in order, and present after a restart.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use api::signing::MasterKey;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, CreateApiKey, CreateUser, CreditWallet, OpenEvent, OpenSession};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OrderId, OutcomeId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::order::{NewOrder, OrderKind, SelfTrade, Side, Sizing};
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::{Span, Time};
use exchange::{Exchange, Request};
use journal::file::{FileJournal, Options};
use journal::testing::{Fault, FaultyDisk, ManualClock};
use server::applied::{Applied, Observer};
use server::history::{self, Recorder};
use server::node::Node;
use server::pipeline::clock::SystemClock;
use server::pipeline::follower::{Follower, FollowerParts};
use server::pipeline::proofs::Proofs;
use server::pipeline::sequencer::{AppendNotices, Sequencer, SubmitError, Writer};
use server::pipeline::state::Shared;
use server::startup::{self, Opened};

/// An observer that feeds history only.
struct Keeping(Recorder);

impl Observer for Keeping {
    fn applied(&mut self, applied: &Applied<'_>) {
        self.0.note(applied, server::audit_trail::entry);
    }

    fn group_ended(&mut self) {
        self.0.send_batch();
    }
}

/// Unused proofs.
fn proofs() -> Arc<Proofs> {
    Arc::new(Proofs::new(MasterKey::new([1; 32]), false))
}

/// An observer that does nothing.
struct Blind;

impl Observer for Blind {
    fn applied(&mut self, _: &Applied<'_>) {}
}

struct Running {
    shared: Arc<Shared>,
    sequencer: Sequencer,
    writer: Writer,
    follower: Follower,
}

fn start(folder: &Path) -> Running {
    let (history, recorder, _) = history::open(&folder.join("history")).expect("a history").into_parts();
    let mut keeping = Keeping(recorder);
    let Opened { journal, exchange, head, snapshots, report } =
        startup::open_observed(folder, &mut keeping, |_, _| {}).expect("a folder that opens");
    let frames = journal.frames(head.next).expect("a cursor");
    let followed = exchange.clone();
    let follower = Follower::start(FollowerParts {
        exchange: followed,
        saved: report.snapshot,
        head,
        frames,
        snapshots,
        history,
        proofs: proofs(),
        peers: None,
    });
    let shared = Arc::new(Shared::new(exchange));
    let (sequencer, writer) =
        Sequencer::start(journal, None, shared.clone(), Box::new(keeping), Arc::new(SystemClock));
    Running { shared, sequencer, writer, follower }
}

impl Running {
    /// Drains, snapshots, and returns the digest on which the follower and the live state agree.
    fn stop(self) -> [u8; 32] {
        drop(self.sequencer);
        assert!(self.writer.join().is_some(), "the journal is still good");
        let followed = self.follower.finish().expect("a follower that could read everything");
        let live = self.shared.read().digest();
        assert_eq!(followed, live, "replay gives what was served");
        live
    }
}

fn request(command: Command) -> Request {
    Request { actor: Actor::System, idempotency: None, command }
}

fn credit(user: UserId, units: i64, reference: String) -> Request {
    let (currency, amount) = (Currency::Usd, Money::new(units));
    request(Command::CreditWallet(CreditWallet { user, currency, amount, reference: Text::from(reference) }))
}

fn create_user(number: u128) -> Request {
    request(Command::CreateUser(CreateUser {
        id: UserId::new(number),
        address: Hash32::of(&format!("user{number}@example.com")),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(number),
        expires_at: Time::NEVER,
    }))
}

fn balance(exchange: &Exchange, user: u128) -> Money {
    let user = exchange.directory().find(UserId::new(user)).expect("a known user");
    exchange.ledger().wallet(user, Currency::Usd).free
}

#[test]
fn answers_to_many_callers_exist_once_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = start(folder.path());
    running.sequencer.submit_blocking(create_user(1)).expect("an answer").result.expect("a user");
    let mut sequences: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|caller| {
                let sequencer = running.sequencer.clone();
                scope.spawn(move || {
                    let credits = (0..200).map(|n| credit(UserId::new(1), 1, format!("{caller}/{n}")));
                    credits
                        .map(|credit| sequencer.submit_blocking(credit).expect("an answer").seq)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a caller")).collect()
    });
    sequences.sort_unstable();
    assert_eq!(sequences, (2..=1_601).collect::<Vec<u64>>(), "every answer has a place of its own");
    assert!(running.sequencer.writer_status().frames() <= 1_601, "groups are no more than requests");
    let before = running.stop();

    let again = start(folder.path());
    assert_eq!(again.shared.read().digest(), before);
    assert_eq!(balance(&again.shared.read(), 1), Money::new(1_600));
    let repeated =
        again.sequencer.submit_blocking(credit(UserId::new(1), 1, "0/0".to_owned())).expect("an answer");
    assert_eq!((repeated.seq, repeated.result), (1_602, Err(Reject::DuplicateReference)));
    again.stop();
}

#[test]
fn a_restart_without_a_snapshot_replays_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = start(folder.path());
    for user in 1..=50 {
        running.sequencer.submit_blocking(create_user(user)).expect("an answer").result.expect("a user");
    }
    let before = running.stop();
    std::fs::remove_dir_all(folder.path().join("snapshots")).expect("snapshots to lose");
    let opened = startup::open(folder.path(), |_, _| {}).expect("a journal alone is enough");
    assert_eq!((opened.report.snapshot, opened.report.replayed), (0, 50));
    assert_eq!(opened.exchange.digest(), before);
}

#[test]
fn a_timer_fires_without_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = start(folder.path());
    let now = running.sequencer.submit_blocking(create_user(1)).expect("an answer").at;
    let market = NewMarket {
        id: MarketId::new(2),
        details: MarketDetails { title: Text::from("soon over"), ..MarketDetails::default() },
    };
    let new = NewEvent {
        id: EventId::new(1),
        slug: Text::from("soon-over"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details: EventDetails {
            title: Text::from("soon over"),
            category: Text::from("test"),
            closing_date: Some(Time::from_micros(now.micros() + Span::seconds(1).micros())),
            ..EventDetails::default()
        },
        markets: vec![market],
        link: EventLink::None,
    };
    for command in [Command::CreateEvent(new), Command::OpenEvent(OpenEvent { event: EventId::new(1) })] {
        running.sequencer.submit_blocking(request(command)).expect("an answer").result.expect("an event");
    }
    let is_closed = |exchange: &Exchange| {
        let market = exchange.catalogue().find_market(MarketId::new(2)).expect("the market");
        exchange.catalogue().market(market).status == exchange::catalogue::Status::Closed
    };
    let deadline = Instant::now() + Duration::from_secs(120);
    while !is_closed(&running.shared.read()) {
        assert!(Instant::now() < deadline, "the tick never came");
        thread::yield_now();
    }
    running.stop();
}

#[test]
fn a_journal_that_fails_leaves_its_callers_with_an_unknown_outcome_and_takes_no_more() {
    let disk = FaultyDisk::new(7);
    let journal = FileJournal::create(
        Arc::new(disk.clone()),
        Box::new(ManualClock::new(1_000_000)),
        Options { segment_bytes: 1 << 20, prepare_in_background: false, ..Options::default() },
        [7; 16],
    )
    .expect("a journal in memory");
    let shared = Arc::new(Shared::new(Exchange::new()));
    let (sequencer, writer) =
        Sequencer::start(Box::new(journal), None, shared.clone(), Box::new(Blind), Arc::new(SystemClock));
    sequencer.submit_blocking(create_user(1)).expect("an answer").result.expect("a user");
    // The very next call: the frame's write.
    disk.plant(disk.calls() + 1, Fault::InputOutput);
    assert_eq!(sequencer.submit_blocking(create_user(2)).err(), Some(SubmitError::Unknown));
    let began = Instant::now();
    while !sequencer.writer_status().has_failed() {
        assert!(began.elapsed() < Duration::from_secs(120), "the writer still runs");
        thread::yield_now();
    }
    assert_eq!(sequencer.submit_blocking(create_user(3)).err(), Some(SubmitError::Stopping));
    drop(sequencer);
    assert!(writer.join().is_none(), "a failed journal is not handed back");
    assert_eq!(shared.read().seq(), 1, "nothing is in memory that may not be durable");
}

#[tokio::test]
async fn a_history_that_was_lost_is_made_again_out_of_the_whole_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let node = Node::builder(folder.path()).start().expect("a node");
    let order = cancelled_order(&node).await;
    let find = async |node: &Node| {
        node.app.reading().history().closed_orders(UserId::new(1), vec![order]).await.expect("history").pop()
    };
    assert!(find(&node).await.is_some());
    let stopped = node.stop().expect("an end");
    assert_eq!(stopped.live, stopped.replayed);

    std::fs::remove_dir_all(folder.path().join("history")).expect("a history to lose");
    let node = Node::builder(folder.path()).start().expect("a node");
    assert_eq!((node.report.snapshot, node.report.replayed), (0, stopped.seq), "the snapshot is passed over");
    node.app.reading().history().wait_for(stopped.seq).await.expect("history");
    assert_eq!(find(&node).await.expect("the order").status, exchange::order::OrderStatus::Cancelled);
    let again = node.stop().expect("an end");
    assert_eq!(again.live, stopped.live);

    let node = Node::builder(folder.path()).start().expect("a node");
    assert_eq!((node.report.snapshot, node.report.replayed), (stopped.seq, 0), "and now it serves");
    node.stop().expect("an end");
}

fn new_event() -> NewEvent {
    NewEvent {
        id: EventId::new(1),
        slug: Text::from("event"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details: EventDetails {
            title: Text::from("event"),
            category: Text::from("test"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket {
            id: MarketId::new(2),
            details: MarketDetails { title: Text::from("market"), ..MarketDetails::default() },
        }],
        link: EventLink::None,
    }
}

/// A MARKET order on an empty book: cancelled at once, and no longer in memory.
async fn cancelled_order(node: &Node) -> OrderId {
    let (id, session, key) = (OrderId::new(9), SessionId::new(5), KeyId::new(6));
    let by_system = |command| (Actor::System, command);
    let open_session = Command::OpenSession(OpenSession {
        user: UserId::new(1),
        password_version: 0,
        id: session,
        token_hash: Hash32::of("token"),
        device: Text::from("device"),
    });
    let create_key = Command::CreateApiKey(CreateApiKey {
        id: key,
        name: Text::from("key"),
        public_key: Text::from("pk_1"),
    });
    let place = Command::PlaceOrder(NewOrder {
        id,
        outcome: OutcomeId::of(MarketId::new(2), 0),
        side: Side::Buy,
        kind: OrderKind::Market,
        currency: Currency::Usd,
        sizing: Sizing::Amount(Money::whole(5)),
        price: None,
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    });
    let steps = [
        by_system(create_user(1).command),
        by_system(open_session),
        by_system(Command::CreateEvent(new_event())),
        by_system(Command::OpenEvent(OpenEvent { event: EventId::new(1) })),
        (Actor::Session { session }, create_key),
        (Actor::Key { key, generation: 0 }, place),
    ];
    let mut last = 0;
    for (actor, command) in steps {
        let answer = node
            .app
            .writing()
            .sequencer()
            .submit(Request { actor, idempotency: None, command })
            .await
            .expect("an answer");
        answer.result.expect("a step that is allowed");
        last = answer.seq;
    }
    node.app.reading().history().wait_for(last).await.expect("history");
    id
}

/// An observer that panics at the second request, like a rule in an unexpected state.
struct Breaking;

impl Observer for Breaking {
    fn applied(&mut self, applied: &Applied<'_>) {
        assert!(applied.seq < 2, "planted");
    }
}

#[test]
fn a_panic_while_applying_answers_no_caller_stops_the_writer_and_leaves_the_journal_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let Opened { journal, exchange, .. } =
        startup::open(folder.path(), |_, _| {}).expect("a folder that opens");
    let shared = Arc::new(Shared::new(exchange));
    let (sequencer, writer) =
        Sequencer::start(journal, None, shared, Box::new(Breaking), Arc::new(SystemClock));
    sequencer.submit_blocking(create_user(1)).expect("an answer").result.expect("a user");
    assert_eq!(sequencer.submit_blocking(create_user(2)).map(|answer| answer.seq), Err(SubmitError::Unknown));
    let began = Instant::now();
    while !sequencer.writer_status().has_failed() {
        assert!(began.elapsed() < Duration::from_secs(120), "the writer still runs");
        thread::yield_now();
    }
    assert_eq!(
        sequencer.submit_blocking(create_user(3)).map(|answer| answer.seq),
        Err(SubmitError::Stopping)
    );
    drop(sequencer);
    assert!(writer.join().is_none(), "a writer that broke gives nothing back");
    let opened = startup::open(folder.path(), |_, _| {}).expect("a folder that opens");
    assert_eq!(opened.exchange.seq(), 2, "what broke is in the journal, and nothing behind it");
}

#[test]
fn a_writer_of_a_shared_log_keeps_polling_without_notifications() {
    let folder = tempfile::tempdir().expect("a folder");
    let Opened { journal, exchange, .. } =
        startup::open(folder.path(), |_, _| {}).expect("a folder that opens");
    let (notices, notify) = AppendNotices::channel();
    drop(notify);
    let shared = Arc::new(Shared::new(exchange));
    let (sequencer, writer) =
        Sequencer::start(journal, Some(notices), shared, Box::new(Blind), Arc::new(SystemClock));
    sequencer.submit_blocking(create_user(1)).expect("an answer").result.expect("a user");
    let log_lag = sequencer.writer_status().log_lag().expect("a shared log");
    let began = Instant::now();
    // Each read of the log resets the age; without one it only rises.
    let (mut looks, mut age) = (0, log_lag.age());
    while looks < 2 {
        assert!(began.elapsed() < Duration::from_secs(120), "{looks} looks");
        let now = log_lag.age();
        looks += u32::from(now < age);
        age = now;
        thread::yield_now();
    }
    drop(sequencer);
    assert!(writer.join().is_some(), "the journal is still good");
}
