//! Charges of requests, over real sockets from several loopback addresses: the network pays before the work, the
//! owner after a proof, and a completed write is never charged afterwards.

use serde_json::{Value, json};
use server::edge::meter::COMPARISONS_PER_TOKEN;
use server::http::admission::Admission;
use server::http::serving::Timeouts;
use server::limits::{AnswerKind, Network, UNREAD_BYTES_MAX};
use server::web::WebSettings;
use stage::node::{Answered, Draft, PASSWORD, Stage, User, delete, get, limit, post, put};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::socket::{Listening, listen, listen_on, wire};

const OWNER: &str = "127.0.0.1";
const STRANGER: &str = "127.0.0.2";

/// Sends a request from a loopback address, and returns status and body.
async fn send_from(address: &str, server: std::net::SocketAddr, draft: Draft) -> (u16, Value) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(format!("{address}:0").parse().expect("an address")).expect("a loopback address");
    let mut stream = socket.connect(server).await.expect("a connection");
    stream.write_all(&wire(draft.header("connection", "close"))).await.expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).expect("a JSON body"))
}

struct Venue {
    stage: Stage,
    listening: Listening,
}

impl Venue {
    async fn open() -> Venue {
        let stage = Stage::open().await;
        let listening = listen(&stage).await;
        Venue { stage, listening }
    }

    async fn send(&self, address: &str, draft: Draft) -> (u16, Value) {
        send_from(address, self.listening.address, draft).await
    }

    async fn status(&self, address: &str, draft: Draft) -> u16 {
        self.send(address, draft).await.0
    }

    /// Spends all that a network has for public requests.
    async fn drain_public(&self, address: &str) {
        self.drain_public_but(address, 0).await;
    }

    /// Spends the rest of a network's tokens after this many public requests.
    async fn drain_public_but(&self, address: &str, spent: u32) {
        for _ in spent..100 {
            assert_eq!(self.status(address, get("/version")).await, 200);
        }
        assert_eq!(self.status(address, get("/version")).await, 429);
    }

    fn signed(&self, draft: Draft) -> Draft {
        draft.signed(&self.stage.alice.key, self.stage.now_seconds())
    }
}

#[tokio::test]
async fn a_stranger_with_a_public_key_drains_neither_its_reads_nor_its_writes() {
    let venue = Venue::open().await;
    let (alice, orders) = (&venue.stage.alice, venue.stage.book.orders());
    let read = || get("/v1/pm/orders").named(&alice.key);
    for _ in 0..30 {
        assert_eq!(venue.status(STRANGER, read()).await, 200);
    }
    assert_eq!(venue.status(STRANGER, read()).await, 429, "the stranger's own bucket is empty");
    let forged = || {
        let key = alice.key.with_secret("sk_live_guessed");
        post(&orders).json(&json!({})).signed(&key, venue.stage.now_seconds())
    };
    for _ in 0..60 {
        assert_eq!(venue.status(STRANGER, forged()).await, 401);
    }
    assert_eq!(venue.status(OWNER, read()).await, 200);
    for _ in 0..20 {
        let order = limit(venue.stage.book.yes, "BUY", 1.0, 0.40);
        assert_eq!(venue.status(OWNER, venue.signed(post(&orders).json(&order))).await, 200);
    }
    for _ in 0..20 {
        let cancel = delete("/v1/pm/orders").json(&json!({}));
        assert_eq!(
            venue.status(OWNER, venue.signed(cancel)).await,
            200,
            "cancels have a bucket of their own"
        );
    }
}

#[tokio::test]
async fn a_network_that_does_not_read_gets_nothing_more_to_read_and_can_still_trade() {
    let venue = Venue::open().await;
    let stage = &venue.stage;
    let network = Network::of(OWNER.parse().expect("an address"));
    let unread = stage.app().limits().unread.count(network, UNREAD_BYTES_MAX, AnswerKind::Read);
    let unread = unread.expect("room").expect("a large answer");
    let event = format!("/v1/pm/events/{}", stage.book.event);
    let reads =
        ["/v1/pm/events", "/v1/pm/orders", &event, &format!("/v1/pm/books?outcomeId[]={}", stage.book.yes)];
    for path in reads {
        let (status, body) = venue.send(OWNER, venue.signed(get(path))).await;
        assert_eq!((status, body["error"].as_str()), (429, Some("rate_limit")), "{path}: {body}");
        assert_ne!(venue.status(STRANGER, get(path)).await, 429, "{path}");
    }
    assert_eq!(venue.status(OWNER, get("/health")).await, 200);
    let order = limit(stage.book.yes, "BUY", 1.0, 0.40);
    assert_eq!(venue.status(OWNER, venue.signed(post(&stage.book.orders()).json(&order))).await, 200);
    let cancel = delete("/v1/pm/orders").json(&json!({}));
    assert_eq!(venue.status(OWNER, venue.signed(cancel)).await, 200);
    drop(unread);
    for path in reads {
        assert_eq!(venue.status(OWNER, venue.signed(get(path))).await, 200, "{path}");
    }
}

/// Both found room when they were begun: the first answer takes it.
#[tokio::test]
async fn of_reads_that_were_begun_together_the_one_that_finds_no_room_is_refused() {
    let stage = Stage::open().await;
    for batch in 0..3 {
        let order =
            |place| limit(stage.book.yes, "BUY", 1.0, 0.01 * f64::from(1 + (batch * 20 + place) % 60));
        let orders: Vec<Value> = (0..20).map(order).collect();
        stage.clock.advance_seconds(2);
        stage
            .write(&stage.alice.key, "POST", "/v1/pm/orders/batch", &json!({ "orders": orders }))
            .await
            .expect(200);
    }
    let network = Network::of(OWNER.parse().expect("an address"));
    let unread = &stage.app().limits().unread;
    let others = unread.count(network, UNREAD_BYTES_MAX - 1, AnswerKind::Read).expect("room");
    let begin = || {
        let draft = get("/v1/pm/orders?size=100").signed(&stage.alice.key, stage.now_seconds());
        tower_service::Service::call(&mut stage.router(), draft.into_request())
    };
    let (first, second) = tokio::join!(begin(), begin());
    let responses = [first, second].map(|response| response.expect("a router always answers"));
    let mut statuses = responses.each_ref().map(|response| response.status().as_u16());
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 429]);
    drop((responses, others));
    assert!(!unread.is_full(network));
    assert_eq!(begin().await.expect("a router always answers").status(), 200);
}

/// A new secret is shown once. It must not be made and then replaced by a refusal.
#[tokio::test]
async fn the_answer_to_something_that_was_done_is_never_replaced_by_a_refusal() {
    let venue = Venue::open().await;
    let stage = &venue.stage;
    venue.drain_public(OWNER).await;
    let rotate = format!("/v1/user/me/api-keys/{}/rotate", stage.alice.key.id);
    let before = stage.seq();
    let (status, body) =
        venue.send(OWNER, post(&rotate).in_session(&stage.alice).named(&stage.bob.key)).await;
    assert_eq!((status, stage.seq()), (200, before + 1), "{body}");
    let secret = body["secretKey"].as_str().expect("a secret");
    let rotated = stage.alice.key.with_secret(secret);
    let draft = put(&stage.book.watchlist()).signed(&rotated, stage.now_seconds());
    assert_eq!(venue.status(OWNER, draft).await, 200);

    // On the page the session is the proof, and the spent tokens of its network do not matter.
    let place = post(&stage.book.orders()).json(&limit(stage.book.yes, "BUY", 1.0, 0.40));
    assert_eq!(venue.status(OWNER, place.on_page(&stage.alice)).await, 200);
    // An invalid cookie is no proof: the request is refused before anything is done.
    let stranger = User { token: "0".repeat(64), ..stage.alice.clone() };
    let before = stage.seq();
    let place = || post(&stage.book.orders()).json(&limit(stage.book.yes, "BUY", 1.0, 0.40));
    for _ in 0..100 {
        assert_eq!(venue.status(OWNER, place().on_page(&stranger)).await, 401);
    }
    assert_eq!(venue.status(OWNER, place().on_page(&stranger)).await, 429);
    assert_eq!(stage.seq(), before);
}

/// Sends the head of a request without its body, and returns the first answer.
async fn ask_without_its_body(venue: &Venue, draft: Draft) -> String {
    let length = draft.body.len();
    let mut bytes = wire(draft.header("expect", "100-continue"));
    bytes.truncate(bytes.len() - length);
    let mut stream = TcpStream::connect(venue.listening.address).await.expect("a connection");
    stream.write_all(&bytes).await.expect("a head");
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.expect("an answer without the body");
    String::from_utf8_lossy(&head).into_owned()
}

#[tokio::test]
async fn a_429_comes_before_the_body_is_read() {
    let venue = Venue::open().await;
    let (alice, orders) = (&venue.stage.alice, venue.stage.book.orders());
    // Headers that claim an identity change nothing.
    let login = || post("/v1/user/login").json(&json!({"email": "x", "password": "y"})).named(&alice.key);
    let forged = || {
        let key = alice.key.with_secret("sk_live_guessed");
        post(&orders).json(&json!({"side": "BUY"})).signed(&key, venue.stage.now_seconds())
    };
    for draft in [login(), forged()] {
        assert_eq!(ask_without_its_body(&venue, draft).await, "HTTP/1.1 100", "the body is asked for");
    }
    venue.drain_public_but(OWNER, 1).await;
    for _ in 1..100 {
        assert_eq!(venue.status(OWNER, forged()).await, 401);
    }
    for draft in [login(), forged(), login().on_open_page()] {
        assert_eq!(ask_without_its_body(&venue, draft).await, "HTTP/1.1 429");
    }
}

#[tokio::test]
async fn a_credit_succeeds_when_its_network_has_no_tokens_left() {
    let venue = Venue::open().await;
    let stage = &venue.stage;
    let operators = listen_for_operators(stage).await;
    let token = crate::admin::approver_token(stage).await;
    let ask = |draft: Draft, token: &str| {
        let draft = draft.header("authorization", format!("Bearer {token}"));
        send_from(OWNER, operators.address, draft)
    };
    venue.drain_public(OWNER).await;
    for _ in 0..server::limits::OPERATOR_NETWORK_RATE.capacity {
        assert_eq!(ask(get("/admin/v1/status"), "op_guessed").await.0, 401);
    }
    assert_eq!(ask(get("/admin/v1/status"), "op_guessed").await.0, 429);
    let credit = |reference: &str| {
        let body = json!({"currency": "USD", "amount": 12.5, "reference": reference});
        post("/admin/v1/users/alice/credit").json(&body)
    };
    let before = stage.seq();
    let (status, wallet) = ask(credit("wire 1"), &token).await;
    assert_eq!((status, stage.seq()), (200, before + 1), "{wallet}");
    assert_eq!(wallet["availableBalance"], 1_012.5, "{wallet}");
    assert_eq!(ask(credit("wire 1"), &token).await.1["replayed"], true, "it was made once");
    // With the operator's own budget spent, the credit is refused and not made.
    for _ in 2..server::limits::OPERATOR_RATE.capacity {
        assert_eq!(ask(get("/admin/v1/status"), &token).await.0, 200);
    }
    let before = stage.digest();
    assert_eq!(ask(credit("wire 2"), &token).await.0, 429);
    assert_eq!(stage.digest(), before);
}

#[tokio::test]
async fn a_login_attempt_is_not_used_up_where_its_network_has_nothing_left() {
    let venue = Venue::open().await;
    let credentials = json!({"email": "alice@example.org", "password": PASSWORD});
    let by_api = || post("/v1/user/login").json(&credentials);
    let on_page = || post("/web/session").json(&credentials).on_open_page();
    venue.drain_public(OWNER).await;
    let before = venue.stage.seq();
    for _ in 0..6 {
        // A public key must not allow an attempt before the charge either.
        for draft in [by_api(), by_api().named(&venue.stage.alice.key), on_page()] {
            assert_eq!(venue.status(OWNER, draft).await, 429);
        }
    }
    assert_eq!(venue.stage.seq(), before, "nothing was sequenced");
    assert_eq!(venue.status(STRANGER, by_api()).await, 200);
    venue.stage.clock.advance_seconds(1);
    assert_eq!(venue.status(OWNER, on_page()).await, 200);
}

/// Rule: a request that a limit refuses pays nothing.
#[tokio::test]
async fn a_read_that_its_key_may_not_make_costs_its_network_nothing() {
    let venue = Venue::open().await;
    let read = || get("/v1/pm/portfolio").named(&venue.stage.alice.key);
    for _ in 0..30 {
        assert_eq!(venue.status(OWNER, read()).await, 200);
    }
    for _ in 0..80 {
        let refused = venue.listening.answer(read()).await;
        refused.limited(1);
        assert_eq!(refused.header("ratelimit-policy"), Some(r#""read";q=30;w=1"#));
    }
    let public = venue.listening.answer(get("/version")).await;
    public.expect(200);
    assert_eq!(public.header("ratelimit"), Some(r#""public";r=69;t=1"#), "30 reads and this request");
}

#[tokio::test]
async fn no_header_makes_a_public_request_cheaper_and_its_price_follows_its_rows() {
    let venue = Venue::open().await;
    let stage = &venue.stage;
    let page = || get("/v1/pm/events?size=100");
    let worthless = || page().on_open_page().header("cookie", "bellwether_session=worthless");
    for draft in [worthless(), page().on_page(&stage.alice), page().named(&stage.alice.key), page()] {
        stage.clock.advance_seconds(1);
        for _ in 0..25 {
            assert_eq!(venue.status(STRANGER, draft.clone()).await, 200);
        }
        assert_eq!(venue.status(STRANGER, draft.clone()).await, 429, "100 tokens buy 25 pages of 100 rows");
    }
    for (path, price) in [
        ("/v1/pm/events?size=25".to_owned(), 1),
        ("/v1/pm/events?size=26".to_owned(), 2),
        ("/v1/pm/trades".to_owned(), 2),
        ("/v1/pm/trades?size=100".to_owned(), 4),
        ("/v1/pm/events/series?size=76".to_owned(), 4),
        (format!("/v1/pm/books?outcomeId={}&depth=99", stage.book.yes), 1),
        // Candles are charged by the requested spans; the charge for missing ones is refunded.
        (format!("/v1/pm/markets/{}/candles?interval=1m", stage.book.market), 1),
        (format!("/v1/pm/markets/{}/changes", stage.book.market), 1),
    ] {
        stage.clock.advance_seconds(1);
        let answered = stage.ask(get(&path)).await;
        answered.expect(200);
        let left = format!(r#""public";r={};t=1"#, 100 - price);
        assert_eq!(answered.header("ratelimit"), Some(left.as_str()), "{path}");
    }
}

#[tokio::test]
async fn an_ipv6_caller_is_limited_by_its_64_bit_prefix() {
    let venue = Venue::open().await;
    let proxies = vec![OWNER.parse().expect("an address")];
    assert!(
        venue.stage.app().web().configure(WebSettings { proxies, ..WebSettings::default() }),
        "the settings were read before"
    );
    let from = |address: String| get("/version").header("x-forwarded-for", address);
    for number in 0..100 {
        assert_eq!(venue.status(OWNER, from(format!("2001:db8::{number:x}"))).await, 200);
    }
    assert_eq!(venue.status(OWNER, from("2001:db8::ffff:0:0:1".to_owned())).await, 429);
    assert_eq!(venue.status(OWNER, from("2001:db8:0:1::1".to_owned())).await, 200);
}

#[tokio::test]
async fn probes_are_free_and_operators_have_a_budget_of_their_own() {
    let venue = Venue::open().await;
    let stage = &venue.stage;
    let operators = listen_for_operators(stage).await;
    let token = crate::admin::approver_token(stage).await;
    venue.drain_public(OWNER).await;
    for _ in 0..300 {
        assert_eq!(venue.status(OWNER, get("/health")).await, 200);
        assert_eq!(venue.status(OWNER, get("/v1/health")).await, 200);
        assert_eq!(venue.status(OWNER, get("/ready")).await, 200);
    }
    let ask = |token: &str| {
        put("/admin/v1/cancel-only")
            .json(&json!({"on": true}))
            .header("authorization", format!("Bearer {token}"))
    };
    // Guesses from the operators' own network do not keep them out either.
    for _ in 0..100 {
        assert_eq!(send_from(OWNER, operators.address, ask("op_guessed_guessed_guessed")).await.0, 401);
    }
    assert_eq!(send_from(OWNER, operators.address, ask("op_guessed_guessed_guessed")).await.0, 429);
    let (status, body) = send_from(OWNER, operators.address, ask(&token)).await;
    assert_eq!(status, 200, "{body}");
    for _ in 1..server::limits::OPERATOR_RATE.capacity {
        let status = get("/admin/v1/status").header("authorization", format!("Bearer {token}"));
        assert_eq!(send_from(OWNER, operators.address, status).await.0, 200);
    }
    assert_eq!(send_from(OWNER, operators.address, ask(&token)).await.0, 429, "a budget, but a bounded one");
}

#[tokio::test]
async fn every_answer_forbids_guessing_its_type_and_the_documents_forbid_frames() {
    let venue = Venue::open().await;
    for path in ["/version", "/nowhere", "/v1/pm/events", "/v1/pm/portfolio", "/docs", "/openapi.json"] {
        let answered = venue.stage.ask(get(path)).await;
        assert_eq!(answered.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let docs = venue.stage.ask(get("/docs")).await;
    let policy = docs.header("content-security-policy").expect("a policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
}

#[tokio::test]
async fn every_answer_forbids_guessing_its_type_through_a_socket_of_either_listener() {
    let venue = Venue::open().await;
    let operators = listen_for_operators(&venue.stage).await;
    let is_private = |answered: Answered, path: &str| {
        assert_eq!(answered.header("x-content-type-options"), Some("nosniff"), "{path}");
    };
    for path in ["/version", "/nowhere", "/v1/pm/events", "/v1/pm/portfolio", "/openapi.json", "/health", "/"]
    {
        is_private(venue.listening.answer(get(path)).await, path);
    }
    for path in ["/admin/v1/status", "/admin/v1/nothing", "/admin/openapi.json", "/"] {
        is_private(operators.answer(get(path)).await, path);
    }
    let documents = [(&venue.listening, "/docs"), (&operators, "/admin/docs"), (&venue.listening, "/")];
    for (listening, path) in documents {
        let page = listening.answer(get(path).header("accept", "text/html")).await;
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(page.status == 200 && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        is_private(page, path);
    }
}

async fn listen_for_operators(stage: &Stage) -> Listening {
    let router = server::admin::router(stage.app().clone());
    listen_on(router, Timeouts::default(), Admission::unlimited()).await
}

#[tokio::test]
async fn a_long_keyword_pays_for_the_titles_that_it_is_compared_with() {
    let venue = Venue::open().await;
    venue.stage.create_books("dam", u32::try_from(COMPARISONS_PER_TOKEN).expect("few")).await;
    let list = |keyword: &str| get(&format!("/v1/pm/events?size=1&keyword={keyword}"));
    for _ in 0..99 {
        assert_eq!(venue.status(STRANGER, get("/version")).await, 200);
    }
    assert_eq!(venue.status(STRANGER, list("will%20the")).await, 429, "two tokens, and one is left");
    let (status, found) = venue.send(STRANGER, list("wil")).await;
    assert_eq!(status, 200, "three letters are decided by the index");
    let (status, compared) = venue.send(OWNER, list("will%20the")).await;
    assert_eq!(status, 200);
    assert_eq!(compared["pagination"]["totalCount"], found["pagination"]["totalCount"]);
}
