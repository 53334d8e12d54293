//! Two commands in one frame: the answer to the first shows the state right after it, not what the second made of it.
//!
//! A gate holds the journal's thread until both are queued, so the second is applied before the first is answered.

use std::collections::BTreeSet;
use std::sync::Arc;

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::{
    CancelMarkets, CancelOrdersOf, ChangeRole, Command, CreditWallet, FreezeUser, NewsNote, OpenEvent,
    PauseSeries, PauseTrading, PolicyChange, RecordGameResult, RecordNews, RecordPrice, ResumeTrading,
    SetCancelOnly, SuspendOperator, SuspendUser, Target, Withdraw,
};
use exchange::governance::{CancelOnlyCause, Score};
use exchange::id::{
    Derived, EventId, GameId, MarketId, NewsId, OperatorId, ProposalId, SeriesId, UserId, derive,
};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Cents, Currency, Money};
use exchange::text::Text;
use exchange::time::{Span, Time};
use serde_json::{Value, json};
use server::edge::idempotency::{Canonical, operator_key};
use server::identifiers::repeatable_id;
use server::openapi::ADMIN_OPERATIONS;
use server::view::words::ToApi;
use stage::node::links::DERBY;
use stage::node::{Answered, Gate, draft, limit, text};
use stage::soon;
use uuid::Uuid;

use super::{Office, Operator, with_token};

/// Writes whose response shows nothing of the state: what was requested, an id, or a number of the reply.
const REQUESTED: [&str; 8] = [
    "POST /admin/v1/operators",
    "POST /admin/v1/users",
    "POST /admin/v1/users/{user}/password-reset",
    "POST /admin/v1/fees/move",
    "POST /admin/v1/events/{event}/news",
    "POST /admin/v1/pictures",
    "POST /admin/v1/series/{series}/finalise",
    "POST /admin/v1/sports/import",
];

/// Writes that nothing follows which would show otherwise: rules only rise, a revoked operator, an erased person, and a
/// cancelled or resolved event stay so. A proposal to confirm an operator can be finalised at once.
const FINAL: [&str; 6] = [
    "PUT /admin/v1/rules",
    "POST /admin/v1/operators/{operator}/revoke",
    "POST /admin/v1/operators/{operator}/confirm",
    "POST /admin/v1/users/{user}/erase",
    "POST /admin/v1/events/{event}/cancel",
    "POST /admin/v1/sports/games/{game}/result",
];

struct Race {
    route: &'static str,
    path: String,
    body: Value,
    rival: Command,
    /// Where the answer shows the state, and what.
    at: &'static str,
    shows: Value,
}

/// A race between `METHOD /route` and a command behind it. `{…}` of the route is `name`.
fn race(
    route: &'static str,
    name: &str,
    body: Value,
    rival: Command,
    at: &'static str,
    shows: impl Into<Value>,
) -> Race {
    let (_, path) = route.split_once(' ').expect("a method");
    let path = match (path.find('{'), path.find('}')) {
        (Some(open), Some(close)) => format!("{}{name}{}", &path[..open], &path[close + 1..]),
        _ => path.to_owned(),
    };
    Race { route, path, body, rival, at, shows: shows.into() }
}

/// An office whose journal is behind a gate.
struct Raced {
    office: Office,
    gate: Arc<Gate>,
}

impl Raced {
    async fn open() -> Raced {
        let gate = Arc::new(Gate::default());
        Raced { office: Office::open_behind(&gate).await, gate }
    }

    /// Sends a request with `key`, and behind it in the same frame a command of the node.
    async fn ask(
        &self,
        by: &Operator,
        method: &str,
        path: &str,
        body: &Value,
        key: &str,
        rival: Command,
    ) -> Answered {
        let sequencer = self.office.stage.app().writing().sequencer();
        self.gate.shut();
        self.gate.wait_for_someone();
        let frames = sequencer.writer_status().frames();
        let bare = draft(method, path).header("idempotency-key", key);
        let bare = if body.is_null() { bare } else { bare.json(body) };
        let queued = async |count| {
            soon("a queued request", async || (sequencer.queued() >= count).then_some(())).await;
        };
        let behind = async {
            queued(1).await;
            let rival = Request { actor: Actor::System, idempotency: None, command: rival };
            let opened = async {
                queued(2).await;
                self.gate.open();
            };
            let (rival, ()) = tokio::join!(sequencer.submit(rival), opened);
            rival.expect("an answer")
        };
        let (answered, rival) = tokio::join!(self.office.ask(with_token(bare, by)), behind);
        assert_eq!(rival.result.map(drop), Ok(()), "{method} {path}: the rival");
        assert_eq!(sequencer.writer_status().frames(), frames + 1, "{method} {path}: both are in one frame");
        answered
    }

    async fn run(&self, race: Race, key: &str) {
        let Race { route, path, body, rival, at, shows } = race;
        let method = route.split_once(' ').expect("a method").0;
        let by = &self.office.approver;
        let answered = self.ask(by, method, &path, &body, key, rival).await;
        assert!((200..300).contains(&answered.status), "{route}: {}", answered.text());
        let shown: Value = serde_json::from_slice(&answered.bytes).expect("JSON");
        assert_eq!(shown.pointer(at), Some(&shows), "{route}: {shown}");
        // Long after both, a repetition has the first answer.
        let bare = draft(method, &path).header("idempotency-key", key);
        let bare = if body.is_null() { bare } else { bare.json(&body) };
        let again = self.office.ask(with_token(bare, by)).await;
        assert_eq!(again.text(), answered.text(), "{route}");
        assert_eq!(
            (again.status, again.header("idempotent-replayed")),
            (answered.status, Some("true")),
            "{route}"
        );
    }

    /// The id of what a request of the approver with this key creates.
    async fn created_by(&self, path: &str, body: &Value, key: &str) -> u128 {
        let request = http::Request::post(path).header("idempotency-key", key).body(()).expect("a request");
        let (parts, ()) = request.into_parts();
        let canonical = Canonical::new("POST", path.to_owned());
        let operator = OperatorId::new(self.office.approver.id.as_u128());
        let body = serde_json::to_vec(body).expect("JSON");
        let key = operator_key(&parts.headers, Some(&canonical), operator, &body).expect("a good key");
        repeatable_id(&key.expect("a key")).as_u128()
    }
}

impl Office {
    fn event(&self, slug: &str) -> EventId {
        let exchange = self.stage.app().reading().state();
        let catalogue = exchange.catalogue();
        catalogue.event(catalogue.find_event_by_slug(slug).expect("an event")).id
    }

    fn market(&self, slug: &str, place: usize) -> MarketId {
        let exchange = self.stage.app().reading().state();
        let catalogue = exchange.catalogue();
        let event = catalogue.event(catalogue.find_event_by_slug(slug).expect("an event"));
        catalogue.market(event.markets[place]).id
    }
}

fn delay(seconds: u32) -> Command {
    Command::ChangePolicy(PolicyChange { resolution_delay_seconds: Some(seconds), ..PolicyChange::default() })
}

fn pause(target: Target) -> Command {
    Command::PauseTrading(PauseTrading { target })
}

fn resume(target: Target) -> Command {
    Command::ResumeTrading(ResumeTrading { target })
}

fn cancel(target: Target) -> Command {
    Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF })
}

#[rustfmt::skip]
fn people_races(office: &Office) -> Vec<Race> {
    let vera = OperatorId::new(office.viewer.id.as_u128());
    let alice = UserId::new(office.stage.alice.id.as_u128());
    let suspend_vera = |suspended| Command::SuspendOperator(SuspendOperator { operator: vera, suspended, until: None });
    let suspend = |suspended| Command::SuspendUser(SuspendUser { user: alice, suspended, keep_orders: true });
    let freeze = |frozen| Command::FreezeUser(FreezeUser { user: alice, frozen });
    let credit = |reference: &str| { let (currency, amount) = (Currency::Usd, Money::whole(50)); Command::CreditWallet(CreditWallet { user: alice, currency, amount, reference: Text::from(reference) }) };
    let transfer = |reference: &str| json!({"currency": "USD", "amount": 1, "reference": reference});
    let retire = Command::ChangePolicy(PolicyChange { retire_after_seconds: Some(3_600), ..PolicyChange::default() });
    let open = Command::SetCancelOnly(SetCancelOnly { cause: CancelOnlyCause::Operator, on: false });
    let cancel_orders = Command::CancelOrdersOf(CancelOrdersOf { user: alice, event: None, market: None, currency: None });
    let role = Command::ChangeRole(ChangeRole { operator: vera, role: Role::Viewer });
    vec![
        race("PUT /admin/v1/cancel-only", "", json!({"on": true}), open, "/on", true),
        race("PUT /admin/v1/policy", "", json!({"retireAfterSeconds": 7_200}), retire, "/retireAfterSeconds", 7_200),
        race("PUT /admin/v1/operators/{operator}/role", "vera", json!({"role": "operator"}), role, "/role", "operator"),
        race("POST /admin/v1/operators/{operator}/suspend", "vera", Value::Null, suspend_vera(false), "/suspended", true),
        race("POST /admin/v1/operators/{operator}/reinstate", "vera", Value::Null, suspend_vera(true), "/suspended", false),
        race("POST /admin/v1/users/{user}/cancel-orders", "alice", Value::Null, cancel_orders, "/cancelled", 1),
        race("POST /admin/v1/users/{user}/credit", "alice", transfer("in"), credit("one"), "/availableBalance", 1_001),
        race("POST /admin/v1/users/{user}/debit", "alice", transfer("out"), credit("other"), "/availableBalance", 1_050),
        race("POST /admin/v1/users/{user}/suspend", "alice", json!({"keepOrders": true}), suspend(false), "/suspended", true),
        race("POST /admin/v1/users/{user}/resume", "alice", Value::Null, suspend(true), "/suspended", false),
        race("POST /admin/v1/users/{user}/freeze", "alice", Value::Null, freeze(false), "/frozen", true),
        race("POST /admin/v1/users/{user}/release", "alice", Value::Null, freeze(true), "/frozen", false),
    ]
}

/// Events and markets: a draft, two with three markets, a pool without a seed, and those of the stage.
#[rustfmt::skip]
async fn event_races(office: &Office) -> Vec<Race> {
    office.draft("race-draft", "single", &["One"]).await;
    office.draft("race-open", "grouped", &["One", "Two", "Three"]).await;
    office.draft("race-markets", "grouped", &["One", "Two", "Three"]).await;
    office.post("/admin/v1/events/race-markets/open", Value::Null).await.expect(200);
    office.post("/admin/v1/markets/race-markets:1/close", Value::Null).await.expect(200);
    office.post("/admin/v1/markets/race-markets:3/pause", Value::Null).await.expect(200);
    let unseeded = json!({"slug": "race-pool", "title": "Pool?", "type": "single", "engine": "AMM", "currencies": ["USD"], "category": "tests", "markets": [{"title": "Pool"}]});
    office.post("/admin/v1/events", unseeded).await.expect(201);
    let (book, pool) = (office.stage.book.slug.as_str(), office.stage.pool.slug.as_str());
    let open = |slug| Command::OpenEvent(OpenEvent { event: office.event(slug) });
    let event = |slug| Target::Event(office.event(slug));
    let market = |slug, place| Target::Market(office.market(slug, place));
    let (grow, seed) = (json!({"currency": "USD", "amount": 10}), json!({"currency": "USD", "amount": 10, "price": 0.3}));
    vec![
        race("POST /admin/v1/events/{event}/edit", "race-draft", json!({"title": "Edited?"}), open("race-draft"), "/status", "draft"),
        race("POST /admin/v1/events/{event}/open", "race-open", Value::Null, pause(event("race-open")), "/status", "open"),
        race("POST /admin/v1/events/{event}/resume", "race-open", Value::Null, pause(event("race-open")), "/status", "open"),
        race("POST /admin/v1/events/{event}/pause", book, Value::Null, resume(event(book)), "/status", "paused"),
        race("POST /admin/v1/events/{event}/close", book, Value::Null, cancel(event(book)), "/status", "closed"),
        race("POST /admin/v1/markets/{market}/pause", "race-markets:2", Value::Null, resume(market("race-markets", 1)), "/markets/1/status", "paused"),
        race("POST /admin/v1/markets/{market}/resume", "race-markets:3", Value::Null, pause(market("race-markets", 2)), "/markets/2/status", "open"),
        race("POST /admin/v1/markets/{market}/close", "race-markets:2", Value::Null, cancel(market("race-markets", 1)), "/markets/1/status", "closed"),
        race("POST /admin/v1/markets/{market}/resolve", "race-markets:1", json!({"outcome": "NO"}), cancel(market("race-markets", 2)), "/markets/2/status", "paused"),
        race("POST /admin/v1/markets/{market}/cancel", "race-open:1", Value::Null, cancel(market("race-open", 1)), "/markets/1/status", "paused"),
        race("POST /admin/v1/markets/{market}/seed", "race-pool", seed, open("race-pool"), "/status", "draft"),
        race("POST /admin/v1/markets/{market}/grow", pool, grow, pause(event(pool)), "/status", "open"),
        race("PUT /admin/v1/markets/{market}/terms", pool, json!({"feePercentage": 1}), resume(event(pool)), "/status", "paused"),
    ]
}

/// Series, prices, games, news, and proposals of verdicts on drafts.
#[rustfmt::skip]
async fn other_races(raced: &Raced) -> Vec<Race> {
    let office = &raced.office;
    let slugs = ["race-first", "race-second", "race-third", "race-fourth"];
    let mut proposals = Vec::new();
    for slug in slugs {
        office.draft(slug, "single", &["One"]).await;
        let verdict = json!({"yesPrice": 0.5, "evidence": {"text": "so it is"}});
        let proposed = office.post(&format!("/admin/v1/events/{slug}/propose"), verdict).await.expect(201);
        proposals.push(text(&proposed["proposalId"]).to_owned());
    }
    let withdraw = |id: &str| {
        let proposal = ProposalId::new(id.parse::<Uuid>().expect("an id").as_u128());
        Command::Withdraw(Withdraw { proposal, reason: Text::from("no") })
    };
    let series = json!({"slug": "race-series", "displayName": "ETH", "category": "CRYPTO", "interval": "DAILY", "assetSymbol": "ETH", "engine": "CLOB", "currencies": ["USD"]});
    let id = SeriesId::new(raced.created_by("/admin/v1/series", &series, SERIES_KEY).await);
    let pause = |paused| Command::PauseSeries(PauseSeries { series: id, paused });
    office.stage.import_sports().await;
    let soccer = json!({"engine": "CLOB", "currencies": ["USD"], "spreads": [1.5], "totals": [1.5, 2.5]});
    let winner = Command::OpenEvent(OpenEvent { event: EventId::new(derive(Derived::SoccerEvent, RETURN, 0)) });
    let (source, source_time) = (Text::from("test"), Time::from_seconds(office.stage.now_seconds()));
    let price = Command::RecordPrice(RecordPrice { symbol: Text::from("BTC"), value: AssetPrice(1), source, source_time });
    let note = json!({"title": "News", "link": "https://example.org"});
    let pool = office.stage.pool.slug.clone();
    let first = office.post(&format!("/admin/v1/events/{pool}/news"), note).await.expect(201);
    let removed = format!("{pool}/news/{}", text(&first["id"]));
    let note = NewsNote { at: Time::ZERO + Span::days(20_000), title: Text::from("Late"), link: Text::from("https://example.org") };
    let late = RecordNews { event: office.event(&pool), news: NewsId::new(7), note: Some(note) };
    vec![
        race("POST /admin/v1/series", "", series, pause(true), "/paused", false),
        race("POST /admin/v1/series/{series}/resume", "race-series", Value::Null, pause(true), "/paused", false),
        race("POST /admin/v1/series/{series}/pause", "race-series", Value::Null, pause(false), "/paused", true),
        race("POST /admin/v1/feeds/{symbol}/push", "BTC", json!({"value": 96250.5}), price, "/assets/0/value", 96_250.5),
        race("POST /admin/v1/sports/games/{game}/events", "return", soccer, winner, "/events/0/status", "draft"),
        race("POST /admin/v1/proposals/{proposalId}/finalise", &proposals[0], Value::Null, withdraw(&proposals[1]), "/proposals/0/proposalId", proposals[1].as_str()),
        race("POST /admin/v1/proposals/{proposalId}/withdraw", &proposals[2], json!({"reason": "no"}), withdraw(&proposals[3]), "/proposals/0/proposalId", proposals[3].as_str()),
        Race { path: format!("/admin/v1/events/{removed}"), ..race("DELETE /admin/v1/events/{event}/news/{newsId}", "", Value::Null, Command::RecordNews(late), "/news", json!([])) },
    ]
}

/// The second game of the stage.
const RETURN: u128 = 0xd2;
const SERIES_KEY: &str = "series";
const EVENT_KEY: &str = "event";

#[tokio::test]
async fn an_answer_shows_the_state_right_after_its_own_command_and_so_does_its_repetition() {
    let raced = Raced::open().await;
    let office = &raced.office;
    office
        .stage
        .place(&office.stage.alice.key, &office.stage.book, &limit(office.stage.book.yes, "BUY", 10.0, 0.40))
        .await;
    let mut races = people_races(office);
    races.extend(event_races(office).await);
    races.extend(other_races(&raced).await);
    let created = json!({"slug": "race-new", "title": "New?", "type": "single", "engine": "CLOB", "currencies": ["USD"], "category": "tests", "markets": [{"title": "New"}]});
    let event = EventId::new(raced.created_by("/admin/v1/events", &created, EVENT_KEY).await);
    let open = Command::OpenEvent(OpenEvent { event });
    races.push(race("POST /admin/v1/events", "", created, open, "/status", "draft"));

    let walked: BTreeSet<&str> = races.iter().map(|race| race.route).collect();
    let others = REQUESTED.into_iter().chain(FINAL).chain(PROPOSED);
    let known: BTreeSet<String> = walked.iter().copied().chain(others).map(str::to_owned).collect();
    let described = ADMIN_OPERATIONS.iter().filter(|operation| operation.access.is_operators());
    let writes = described.map(|operation| format!("{} {}", operation.method.as_str(), operation.path));
    let writes = writes.filter(|write| !write.starts_with("GET ") && !write.ends_with("/preview"));
    assert_eq!(known, writes.collect(), "every write has a race, or a reason to have none");

    for (place, race) in races.into_iter().enumerate() {
        let key = match race.route {
            "POST /admin/v1/series" => SERIES_KEY.to_owned(),
            "POST /admin/v1/events" => EVENT_KEY.to_owned(),
            _ => format!("race-{place}"),
        };
        raced.run(race, &key).await;
    }
    raced.office.stage.close().await;
}

/// Proposals of verdicts, which the test below races.
const PROPOSED: [&str; 2] =
    ["POST /admin/v1/events/{event}/propose", "POST /admin/v1/sports/games/{game}/propose"];

#[tokio::test]
async fn a_proposal_that_ended_before_its_answer_has_the_time_it_could_have_been_finalised_from() {
    let raced = Raced::open().await;
    let office = &raced.office;
    office.stage.operate(delay(3_600)).await;
    office.draft("short-lived", "single", &["One"]).await;
    office.stage.import_sports().await;
    let ends = [
        (
            "/admin/v1/events/short-lived/propose",
            json!({"yesPrice": 0.5, "evidence": {"text": "seen"}}),
            cancel(Target::Event(office.event("short-lived"))),
        ),
        (
            "/admin/v1/sports/games/derby/propose",
            json!({"score": {"home": 2, "away": 1}, "evidence": {"text": "seen"}}),
            Command::RecordGameResult(RecordGameResult {
                game: GameId::new(DERBY),
                score: Score { home: 2, away: 1 },
            }),
        ),
    ];
    for (path, body, rival) in ends {
        let answered =
            raced.ask(&office.approver, "POST", path, &body, "short-lived", rival).await.expect(201);
        let from =
            Time::from_micros(office.stage.app().reading().state().now().micros()) + Span::seconds(3_600);
        assert_eq!(answered["finalFrom"], json!(from.to_api()), "{path}");
        assert_eq!(office.get("/admin/v1/proposals").await.expect(200), json!({"proposals": []}), "{path}");
    }
    raced.office.stage.close().await;
}
