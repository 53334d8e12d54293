//! The flows of a third-party client, at a node whose neighbour is killed and restarted all the time.
//!
//! The flows are those of `crates/server/tests/rs_bayse`; only the setup differs, see `open`. The flow's node serves
//! from this process, where its time can be moved; the neighbour is the real executable.

#[path = "../../../server/tests/rs_bayse/catalogue.rs"]
mod catalogue;
#[path = "../../../server/tests/rs_bayse/hall.rs"]
mod hall;
#[path = "../../../server/tests/rs_bayse/history.rs"]
mod history;
#[path = "../../../server/tests/rs_bayse/streams.rs"]
mod streams;
#[path = "../../../server/tests/rs_bayse/trading.rs"]
mod trading;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use pgtest::Server;
use rustix::process::Signal;
use server::app::App;
use server::shared_log::SharedLogSettings;
use stage::node::{Key, Stage};
use tokio::sync::watch;

use crate::crowd::Ask;
use crate::log;
use crate::nodes::Node;
use hall::Hall;

/// Some flows advance the clock by hours. Time in a log must not be ahead of its database's time, so the flows begin
/// before now, just after a full hour.
const BEGINS_BEFORE_HOURS: u64 = 3;
const HOUR_SECONDS: u64 = 3_600;
const PAST_THE_HOUR_SECONDS: u64 = 300;
/// How long the neighbour lives after it has written something.
const LIFE_MILLIS_MAX: u64 = 100;

async fn open() -> Hall {
    let server = Server::start(&[]);
    let database = server.create_database();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970").as_secs();
    let begins = (now / HOUR_SECONDS - BEGINS_BEFORE_HOURS) * HOUR_SECONDS + PAST_THE_HOUR_SECONDS;
    let log = SharedLogSettings::new(server.url(&database));
    let stage = Stage::open_on_log(begins.cast_signed(), &log).await;
    // The neighbour writes as a user who takes part in no flow.
    let writer = stage.join("carol").await.key;
    let neighbour =
        Node::new(url_behind(&server, &database, now - begins), &stage.folder().join("master.key"));
    let company = Company::begin(server, database, &stage, neighbour, writer);
    let router = company.paced(stage.router());
    Hall::open(stage, router, company).await
}

/// A URL of the database for a role that sees its clock so many seconds behind.
fn url_behind(server: &Server, database: &str, seconds: u64) -> String {
    server.execute(
        database,
        &format!(
            "CREATE ROLE neighbour SUPERUSER LOGIN; CREATE SCHEMA behind; \
             CREATE FUNCTION behind.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
             'SELECT pg_catalog.clock_timestamp() - make_interval(secs => {seconds})'; \
             ALTER ROLE neighbour IN DATABASE {database} SET search_path = public, behind, pg_catalog"
        ),
    );
    server.url(database).replace("tester@", "neighbour@")
}

/// How often the neighbour was killed, and how often it was up again after that.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    kills: u32,
    returns: u32,
}

/// The neighbour and its database. Dropped at the end of a flow.
struct Company {
    server: Server,
    database: String,
    app: Arc<App>,
    life: watch::Receiver<Life>,
    is_over: Arc<AtomicBool>,
    living: Option<JoinHandle<Node>>,
}

impl Company {
    fn begin(server: Server, database: String, stage: &Stage, neighbour: Node, writer: Key) -> Company {
        let (tell, life) = watch::channel(Life::default());
        let (is_over, watchlist) = (Arc::new(AtomicBool::new(false)), stage.book.watchlist());
        let told = is_over.clone();
        let living = thread::spawn(move || live(neighbour, &watchlist, &writer, &tell, &told));
        Company { server, database, app: stage.app().clone(), life, is_over, living: Some(living) }
    }

    /// The first request of a flow waits for a kill of the neighbour, the others for its restart.
    fn paced(&self, router: Router) -> Router {
        let (life, requests) = (self.life.clone(), Arc::new(AtomicU32::new(0)));
        router.layer(from_fn(move |request: Request, next: Next| {
            let (mut life, number) = (life.clone(), requests.fetch_add(1, Ordering::AcqRel));
            async move {
                let is_time = |life: &Life| if number == 0 { life.kills > 0 } else { life.returns > 0 };
                life.wait_for(is_time).await.expect("a neighbour that lives on");
                next.run(request).await
            }
        }))
    }

    /// The neighbour was killed and restarted, and both nodes have the whole log.
    fn end(&mut self) {
        self.is_over.store(true, Ordering::Release);
        let neighbour =
            self.living.take().expect("a neighbour").join().expect("a neighbour that always came back");
        let life = *self.life.borrow();
        println!("the neighbour was killed {} times and came back {} times", life.kills, life.returns);
        assert!(life.kills >= 1 && life.returns >= 1, "{life:?}");
        assert_eq!(neighbour.end(Signal::TERM).code(), Some(0), "{}", neighbour.log());
        patience::until("the node is behind the log", || {
            let written = log::replay(&self.server.url(&self.database), |_, _| ());
            let (sequence, digest) = {
                let state = self.app.reading().state();
                (state.seq(), state.digest())
            };
            let is_level = sequence == written.seq();
            assert!(!is_level || digest == written.digest(), "the node equals the replayed log");
            is_level
        });
    }
}

impl Drop for Company {
    fn drop(&mut self) {
        if thread::panicking() {
            self.is_over.store(true, Ordering::Release);
            return;
        }
        // Reading the log blocks on the database, which an async worker thread must not.
        thread::scope(|scope| scope.spawn(|| self.end()).join()).expect("an end as it should be");
    }
}

/// Starts, writes something, is killed, and starts again.
fn live(node: Node, watchlist: &str, writer: &Key, tell: &watch::Sender<Life>, is_over: &AtomicBool) -> Node {
    let mut method = ["PUT", "DELETE"].into_iter().cycle();
    loop {
        assert!(node.start(), "it comes back: {}", node.log());
        tell.send_modify(|life| life.returns = life.kills);
        let write = Ask::new(method.next().expect("one of two"), watchlist);
        let address = node.address().expect("a node that serves");
        write.signed(&writer.public, writer.secret.expose()).send(&address).expect(200);
        if is_over.load(Ordering::Acquire) && tell.borrow().returns > 0 {
            return node;
        }
        patience::let_run(Duration::from_millis(fastrand::u64(..LIFE_MILLIS_MAX)));
        node.kill();
        tell.send_modify(|life| life.kills += 1);
    }
}
