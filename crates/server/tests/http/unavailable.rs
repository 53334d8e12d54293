//! A journal that fails: the write on its way is told as unknown, later ones as not written, and reads go on.

use std::sync::Arc;

use api::signing::MasterKey;
use exchange::Exchange;
use journal::file::{FileJournal, Options};
use journal::testing::{Fault, FaultyDisk};
use serde_json::json;
use server::app::{App, Rates};
use server::clock::ManualClock;
use server::history;
use server::routes::router;
use server::sequencer::{Applied, Observer, Sequencer, Writer};
use server::state::Shared;
use tempfile::TempDir;

use crate::stage::{Answered, Draft, Market, User, ask, furnish, get, post, text};

const NOW_SECONDS: i64 = 1_893_456_000;

/// Nothing here reads what is closed.
struct Blind;

impl Observer for Blind {
    fn applied(&mut self, _: &Applied<'_>) {}
}

/// An exchange on a disk that fails when it is told to.
struct Hall {
    disk: FaultyDisk,
    app: Arc<App>,
    book: Market,
    alice: User,
    _writer: Writer,
    _folder: TempDir,
}

impl Hall {
    async fn open() -> Hall {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = FaultyDisk::new(7);
        let clock = journal::testing::ManualClock::new(NOW_SECONDS * 1_000_000);
        let options = Options { segment_bytes: 1 << 20, prepare_in_background: false, ..Options::default() };
        let journal = FileJournal::create(Arc::new(disk.clone()), Box::new(clock), options, [7; 16]);
        let shared = Arc::new(Shared::new(Exchange::new()));
        let (sequencer, writer) = Sequencer::start(
            Box::new(journal.expect("a journal in memory")),
            shared.clone(),
            Box::new(Blind),
        );
        let (history, _, _) = history::open(folder.path()).expect("a history").into_parts();
        let clock = Arc::new(ManualClock::new(NOW_SECONDS * 1_000_000));
        let master = MasterKey::new([7; 32]);
        let app = Arc::new(App::new(shared, sequencer, history, master, clock, Rates::default()));
        let (book, alice) = furnish(&app).await;
        Hall { disk, app, book, alice, _writer: writer, _folder: folder }
    }

    async fn ask(&self, draft: Draft) -> Answered {
        ask(router(self.app.clone()), draft).await
    }

    async fn mint(&self) -> Answered {
        let draft = post(&self.book.mint()).json(&json!({"quantity": 10}));
        self.ask(draft.signed(&self.alice.key, NOW_SECONDS)).await
    }
}

#[tokio::test]
async fn a_write_that_the_journal_may_have_kept_has_an_unknown_outcome() {
    let hall = Hall::open().await;
    hall.mint().await.expect(200);
    // The next call of all: the frame's write.
    hall.disk.plant(hall.disk.calls() + 1, Fault::InputOutput);
    let answered = hall.mint().await;
    let body = answered.refused(503, "service_unavailable");
    assert_eq!(body["outcome"], "unknown", "{body}");
    assert!(text(&body["message"]).contains("may have been carried out"), "{body}");
    assert_eq!((body.get("retryAfter"), answered.header("retry-after")), (None, None), "{body}");
}

#[tokio::test]
async fn an_exchange_that_cannot_write_says_so_and_goes_on_reading() {
    let hall = Hall::open().await;
    assert_eq!(hall.ask(get("/health")).await.expect(200), json!({"status": "ok"}));
    hall.disk.plant(hall.disk.calls() + 1, Fault::InputOutput);
    hall.mint().await.refused(503, "service_unavailable");

    assert_eq!(hall.ask(get("/health")).await.expect(503), json!({"status": "unavailable"}));
    assert_eq!(hall.ask(get("/ready")).await.expect(503)["ready"], false);
    let later = hall.mint().await;
    let body = later.refused(503, "service_unavailable");
    assert_eq!((body.get("outcome"), later.header("retry-after")), (None, Some("5")), "{body}");
    assert_eq!(body["retryAfter"], 5);
    let wallet = hall.ask(get("/v1/wallet/assets").named(&hall.alice.key)).await.expect(200);
    assert_eq!(wallet["assets"][0]["availableBalance"], 1_000, "nothing is shown that may not be durable");
}
