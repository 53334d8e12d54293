//! Lines of the access log: a request has the same line in a lane and behind hyper.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::signals::access_lines::{AccessLines, LineFormat};
use stage::node::{Draft, Gate, Stage, User, ask, draft, get, lane, limit};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tracing::level_filters::LevelFilter;

use crate::admin::approver_token;
use crate::socket::{PATIENCE, listen, wire};

/// The lines so far.
fn taken(lines: &AccessLines) -> Vec<Value> {
    let mut log = Vec::new();
    assert_eq!(lines.write_waiting(Duration::ZERO, &mut log).expect("a vector takes all"), 0);
    let text = String::from_utf8(log).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[tokio::test]
async fn a_request_has_the_same_line_in_a_lane_and_behind_hyper() {
    let stage = Stage::open().await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let (alice, book) = (&stage.alice, &stage.book);
    let signed =
        |body: &Value| draft("POST", &book.orders()).json(body).signed(&alice.key, stage.now_seconds());
    let order = limit(book.yes, "BUY", 10.0, 0.40);
    let dear = limit(book.yes, "BUY", 100_000.0, 0.40);
    let drafts: [(Draft, &str, u64, bool); 3] = [
        (signed(&order).header("x-trace-id", "mine"), "INFO", 200, true),
        (signed(&dear), "INFO", 422, true),
        (get(&format!("/v1/pm/events/{}", book.event)), "INFO", 200, false),
    ];
    for (draft, level, status, is_signed) in drafts {
        ask(stage.router(), draft.clone().header("x-request-id", "the-same")).await;
        lane::ask(stage.app(), stage.router(), draft.header("x-request-id", "the-same")).await;
        let [mut behind_hyper, mut in_a_lane] = <[Value; 2]>::try_from(taken(&lines)).expect("two lines");
        assert_eq!((&behind_hyper["level"], &behind_hyper["status"]), (&level.into(), &status.into()));
        assert_eq!((&behind_hyper["id"], &behind_hyper["target"]), (&"the-same".into(), &"access".into()));
        let (user, key) = (alice.id.to_string(), alice.key.id.to_string());
        let expected = if is_signed { (Some(&*user), Some(&*key)) } else { (None, None) };
        assert_eq!((behind_hyper["user"].as_str(), behind_hyper["key"].as_str()), expected);
        assert_eq!(behind_hyper.get("command").is_some(), is_signed, "{behind_hyper}");
        for line in [&mut behind_hyper, &mut in_a_lane] {
            let fields = line.as_object_mut().expect("an object");
            // A read that a lane answers within its turn takes time too.
            let micros = fields.remove("micros").and_then(|micros| micros.as_u64());
            assert!(micros.is_some_and(|micros| micros > 0), "{micros:?}");
            fields.remove("command");
        }
        assert_eq!(behind_hyper, in_a_lane);
    }
    stage.close().await;
}

#[tokio::test]
async fn callers_that_share_a_connection_have_their_own_lines() {
    let stage = Stage::open().await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let (alice, bob, book) = (&stage.alice, &stage.bob, &stage.book);
    let (orders, event) = (book.orders(), format!("/v1/pm/events/{}", book.event));
    let order = limit(book.yes, "BUY", 10.0, 0.40);
    let of = |user: &User| draft("POST", &orders).json(&order).signed(&user.key, stage.now_seconds());
    let callers = [Some(alice), Some(bob), None, Some(bob), Some(bob), Some(alice), None];
    let drafts = callers.map(|caller| caller.map_or_else(|| get(&event), of));
    let answers = lane::ask_each(stage.app(), stage.router(), drafts).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let lines = taken(&lines);
    assert_eq!(lines.len(), callers.len());
    for (line, caller) in lines.iter().zip(callers) {
        let expected = caller.map(|user| (user.id.to_string(), user.key.id.to_string()));
        let found = line["user"].as_str().zip(line["key"].as_str());
        assert_eq!(found.map(|(user, key)| (user.to_owned(), key.to_owned())), expected, "{line}");
        let (method, route) = match caller {
            Some(_) => ("POST", "/v1/pm/events/{eventId}/markets/{marketId}/orders"),
            None => ("GET", "/v1/pm/events/{eventId}"),
        };
        assert_eq!((&line["method"], &line["route"]), (&method.into(), &route.into()), "{line}");
    }
    stage.close().await;
}

#[tokio::test]
async fn cancels_amendments_and_reads_of_an_order_name_it_in_a_lane_and_behind_hyper() {
    let stage = Stage::open().await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let (alice, book) = (&stage.alice, &stage.book);
    for in_a_lane in [true, false] {
        let placed = stage.place(&alice.key, book, &limit(book.yes, "BUY", 10.0, 0.40)).await;
        let order = placed["id"].as_str().expect("an id");
        let path = format!("/v1/pm/orders/{order}");
        let (unknown, batch) = ("/v1/pm/orders/batch/cancel", "/v1/pm/orders/batch/amend");
        let amendment = json!({"orders": [{"orderId": order, "newPrice": 0.41}]});
        let signed = |draft: Draft| draft.signed(&alice.key, stage.now_seconds());
        let drafts = [
            (get(&path).named(&alice.key), "GET", "/v1/pm/orders/{orderId}"),
            (signed(draft("POST", batch).json(&amendment)), "POST", batch),
            (signed(draft("POST", unknown).json(&json!({"orderIds": [order]}))), "POST", unknown),
            (signed(draft("DELETE", &path)), "DELETE", "/v1/pm/orders/{orderId}"),
        ];
        taken(&lines);
        for (draft, method, route) in drafts {
            match in_a_lane {
                true => lane::ask(stage.app(), stage.router(), draft).await,
                false => ask(stage.router(), draft).await,
            };
            let [line] = <[Value; 1]>::try_from(taken(&lines)).expect("a line");
            assert_eq!((&line["method"], &line["route"]), (&method.into(), &route.into()), "{line}");
            assert_eq!(line["command"], order, "{line}");
            assert_eq!(line["user"], alice.id.to_string(), "{line}");
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn an_operators_command_names_the_operator_and_what_it_creates() {
    let stage = Stage::open().await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let token = format!("Bearer {}", approver_token(&stage).await);
    let person = json!({"email": "new@example.org", "tag": "newcomer", "password": "a long secret"});
    let create = draft("POST", "/admin/v1/users").json(&person).header("authorization", &token);
    let created = ask(server::admin::router(stage.app().clone()), create).await.expect(201);
    let list = get("/admin/v1/operators").header("authorization", &token);
    let operators = ask(server::admin::router(stage.app().clone()), list).await.expect(200);
    let [line, read] = <[Value; 2]>::try_from(taken(&lines)).expect("two lines");
    assert_eq!((&line["route"], &line["status"]), (&"/admin/v1/users".into(), &201.into()), "{line}");
    let operators = operators["operators"].as_array().expect("operators");
    let by = operators.iter().find(|operator| operator["name"] == "approver").expect("the approver");
    for line in [&line, &read] {
        assert_eq!(line["operator"], by["operatorId"], "{line}");
        assert!(line.get("user").is_none() && line.get("key").is_none(), "{line}");
    }
    assert_eq!(line["command"], created["userId"], "{line}");
    let secrets = ["new@example.org", "a long secret", &token["Bearer ".len()..]];
    assert!(secrets.iter().all(|secret| !line.to_string().contains(secret)), "{line}");
    stage.close().await;
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        tokio::task::yield_now().await;
    }
}

/// Sends a write whose client leaves while the journal is held up. Returns the line of the request.
async fn leave_before_the_answer(
    stage: &Stage,
    gate: &Gate,
    lines: &AccessLines,
    address: SocketAddr,
    draft: Draft,
) -> Value {
    gate.shut();
    gate.wait_for_someone();
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(&wire(draft)).await.expect("a server that reads");
    let sequencer = stage.app().writing().sequencer().clone();
    until("the write waits", || sequencer.queued() == 1).await;
    assert!(taken(lines).is_empty(), "the request is open");
    drop(stream);
    let began = Instant::now();
    let line = loop {
        assert!(began.elapsed() < PATIENCE, "no line");
        match <[Value; 1]>::try_from(taken(lines)) {
            Ok([line]) => break line,
            Err(none) => assert!(none.is_empty(), "{none:?}"),
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(sequencer.queued(), 1, "the write still waits");
    gate.open();
    line
}

#[tokio::test]
async fn a_request_whose_client_has_gone_has_a_line_and_is_counted_in_a_lane_and_behind_hyper() {
    let gate = Arc::new(Gate::default());
    let stage = Stage::open_behind(&gate).await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let (alice, book) = (&stage.alice, &stage.book);
    let behind_hyper = listen(&stage).await;
    let in_a_lane = lane::Listening::open(stage.app(), stage.router()).await;
    for (address, orders) in [(behind_hyper.address, 1), (in_a_lane.address, 2)] {
        let order = limit(book.yes, "BUY", 10.0, 0.40);
        let draft = draft("POST", &book.orders()).json(&order).signed(&alice.key, stage.now_seconds());
        let line = leave_before_the_answer(&stage, &gate, &lines, address, draft).await;
        assert_eq!((&line["level"], &line["status"]), (&"INFO".into(), &499.into()), "{line}");
        assert_eq!(line["route"], "/v1/pm/events/{eventId}/markets/{marketId}/orders");
        assert_eq!(line["user"].as_str(), Some(&*alice.id.to_string()), "{line}");
        assert_eq!(line["key"].as_str(), Some(&*alice.key.id.to_string()), "{line}");
        until("the write is executed", || stage.app().reading().state().orders().len() == orders).await;
        let path = format!("/v1/pm/orders/{}", line["command"].as_str().expect("an order"));
        assert_eq!(stage.read(&alice.key, &path).await.expect(200)["status"], "open");
        taken(&lines);
    }
    let metrics = stage.metrics().await.text();
    let counted = "bellwether_http_requests_total{method=\"POST\",route=\"/v1/pm/events/{eventId}/markets/{marketId}/orders\",class=\"4xx\"} 2";
    assert!(metrics.lines().any(|line| line == counted), "{metrics}");
    behind_hyper.end().await;
    in_a_lane.end().await;
    stage.close().await;
}
