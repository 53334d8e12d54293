//! Faults of requests: what each does to the answer, and what it leaves in the venue.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stage::{Market, Sandbox, Stream, User, limit, raw_answer, signed};

/// A sandbox with a user who is about to place orders.
struct Scene {
    sandbox: Sandbox,
    ada: User,
    market: Market,
    _folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir().expect("a folder");
        let sandbox = Sandbox::start(folder.path());
        let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
        Scene { sandbox, ada, market, _folder: folder }
    }

    fn plant(&self, rule: Value) -> Value {
        self.sandbox.ask("POST", "/faults", &rule)
    }

    /// Places an order, which may get no answer.
    fn place(&self, extra: &[(&'static str, String)]) -> Option<(u16, Value)> {
        let order = limit(&self.market.yes, 0.4, 10);
        self.sandbox.write(&self.ada, "POST", &self.market.orders(), &order, extra)
    }

    fn open(&self) -> u64 {
        self.sandbox.open_orders(&self.ada)
    }
}

fn fault(text: &str) -> [(&'static str, String); 1] {
    [("X-Sandbox-Fault", text.to_owned())]
}

fn key(text: &str) -> (&'static str, String) {
    ("Idempotency-Key", text.to_owned())
}

#[test]
fn a_lost_answer_leaves_the_order_in_the_book_and_a_key_finds_it_again() {
    let scene = Scene::new();
    scene.plant(json!({"fault": "lost-answer", "method": "POST", "path": "*/orders"}));
    assert!(scene.place(&[key("one")]).is_none(), "no byte of the answer arrives");
    assert_eq!(scene.open(), 1);
    let (status, again) = scene.place(&[key("one")]).expect("an answer");
    assert_eq!((status, scene.open()), (200, 1), "{again}");
    scene.place(&[]).expect("an answer");
    assert_eq!(scene.open(), 2, "without a key a repetition is another order");
    let rules = scene.sandbox.ask("GET", "/faults", &Value::Null);
    assert_eq!((&rules["faults"][0]["seen"], &rules["faults"][0]["fired"]), (&json!(3), &json!(1)));
}

#[test]
fn a_request_that_is_delivered_twice_doubles_the_order_unless_it_has_a_key() {
    let scene = Scene::new();
    let (status, _) = scene.place(&fault("twice")).expect("an answer");
    assert_eq!((status, scene.open()), (200, 2));
    let extra = [fault("twice")[0].clone(), key("one")];
    let (status, answer) = scene.place(&extra).expect("an answer");
    assert_eq!((status, scene.open()), (200, 3), "{answer}");
}

#[test]
fn refusals_write_nothing_and_look_like_those_of_the_exchange() {
    let scene = Scene::new();
    let (status, answer) = scene.place(&fault("429; retryAfter=3")).expect("an answer");
    assert_eq!((status, &answer["error"], &answer["retryAfter"]), (429, &json!("rate_limit"), &json!(3)));
    let (status, answer) = scene.place(&fault("503")).expect("an answer");
    assert_eq!((status, &answer["error"]), (503, &json!("service_unavailable")));
    assert_eq!(answer.get("outcome"), None, "nothing was written");
    assert_eq!(scene.open(), 0);
}

#[test]
fn an_unknown_outcome_may_have_been_carried_out_or_not() {
    let scene = Scene::new();
    let (status, answer) = scene.place(&fault("unknown; committed=false")).expect("an answer");
    assert_eq!((status, &answer["outcome"], scene.open()), (503, &json!("unknown"), 0));
    assert!(answer["commandId"].is_string(), "{answer}");
    let (status, answer) = scene.place(&fault("unknown")).expect("an answer");
    assert_eq!((status, &answer["outcome"], scene.open()), (503, &json!("unknown"), 1));
}

#[test]
fn a_delayed_request_takes_its_time_and_is_carried_out() {
    let scene = Scene::new();
    let began = Instant::now();
    let (status, _) = scene.place(&fault("delay; millis=300")).expect("an answer");
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert_eq!((status, scene.open()), (200, 1));
}

#[test]
fn an_answer_is_cut_at_the_byte() {
    let scene = Scene::new();
    let host = scene.sandbox.host();
    for byte in [0, 1, 17, 200] {
        let request = format!(
            "GET /v1/pm/events HTTP/1.1\r\nHost: {host}\r\nX-Sandbox-Fault: cut; byte={byte}\r\n\r\n"
        );
        let answer = raw_answer(host, &request);
        assert_eq!(answer.len(), byte, "{}", String::from_utf8_lossy(&answer));
        assert!(b"HTTP/1.1 200 OK".starts_with(&answer[..byte.min(15)]));
    }
}

#[test]
fn a_rule_hits_its_user_from_its_nth_request_on_and_can_be_removed() {
    let scene = Scene::new();
    let bola = scene.sandbox.user("bola");
    let rule = json!({"fault": "503", "method": "GET", "path": "/v1/pm/orders", "user": "bola", "nth": 2, "count": 2});
    let id = scene.plant(rule)["id"].as_u64().expect("an id");
    let status = |user: &User| scene.sandbox.read(user, "/v1/pm/orders").0;
    assert_eq!([status(&bola), status(&scene.ada)], [200, 200]);
    assert_eq!([status(&bola), status(&scene.ada), status(&bola), status(&bola)], [503, 200, 503, 200]);
    scene.sandbox.ask("DELETE", &format!("/faults/{id}"), &Value::Null);
    let (gone, _) = scene.sandbox.control("DELETE", &format!("/faults/{id}"), &Value::Null);
    assert_eq!(gone, 404);
    let (wrong, answer) = scene.sandbox.control("POST", "/faults", &json!({"fault": "explode"}));
    assert_eq!(wrong, 400, "{answer}");
    let (wrong, answer) = scene.place(&fault("explode")).expect("an answer");
    assert_eq!(wrong, 400, "{answer}");
}

#[test]
fn a_delayed_request_is_carried_out_although_the_client_has_gone() {
    let scene = Scene::new();
    let (host, path) = (scene.sandbox.host(), scene.market.orders());
    let body = serde_json::to_vec(&limit(&scene.market.yes, 0.4, 10)).expect("JSON");
    let mut request = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    request += &format!("Content-Length: {}\r\nX-Sandbox-Fault: delay; millis=500\r\n", body.len());
    for (name, value) in signed(&scene.ada, "POST", &path, &body) {
        request += &format!("{name}: {value}\r\n");
    }
    let mut socket = TcpStream::connect(host).expect("a connection");
    socket.write_all(format!("{request}\r\n").as_bytes()).expect("a head");
    socket.write_all(&body).expect("a body");
    drop(socket);
    // Patience is the test runner's: the order appears after the delay.
    while scene.open() == 0 {
        thread::yield_now();
    }
    assert_eq!(scene.open(), 1);
}

#[test]
fn a_read_that_waits_for_a_change_does_not_keep_others_from_making_it() {
    let scene = Scene::new();
    let last = scene.sandbox.get(&scene.ada, "/v1/pm/account/changes")["head"].clone();
    let path = format!("/v1/pm/account/changes?after={last}&wait=20");
    let (status, page) = thread::scope(|scope| {
        let reading = scope.spawn(|| scene.sandbox.read(&scene.ada, &path));
        while !reading.is_finished() {
            scene.place(&[]).expect("an answer");
        }
        reading.join().expect("a thread")
    });
    assert_eq!(status, 200, "{page}");
    let changes = page["changes"].as_array().expect("a list");
    assert!(!changes.is_empty(), "an order ends the wait: {page}");
}

#[test]
fn rules_for_requests_hit_the_request_that_opens_a_stream() {
    let scene = Scene::new();
    let open = |fault: &str| {
        let host = scene.sandbox.host();
        let request = format!(
            "GET /ws/v1/markets HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{fault}\r\n"
        );
        String::from_utf8_lossy(&raw_answer(host, &request)).into_owned()
    };
    scene.plant(json!({"fault": "503", "path": "/ws/v1/markets"}));
    assert!(open("").starts_with("HTTP/1.1 503"));
    assert!(open("X-Sandbox-Fault: 429\r\n").starts_with("HTTP/1.1 429"));
    assert_eq!(open("X-Sandbox-Fault: lost-answer\r\n"), "");
    Stream::connect(&scene.sandbox, "/ws/v1/markets", None);
    let (status, answer) = scene.place(&fault("stream-gap")).expect("an answer");
    assert_eq!(status, 400, "a fault of streams on a request: {answer}");
    assert_eq!(scene.open(), 0);
    let rule = json!({"fault": "stream-gap", "user": "ada"});
    let (status, answer) = scene.sandbox.control("POST", "/faults", &rule);
    assert_eq!(status, 400, "{answer}");
}
