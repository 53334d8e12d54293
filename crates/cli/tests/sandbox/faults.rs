//! Faults of requests: what each does to the answer, and what it leaves in the venue.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stage::{Market, Sandbox, User, limit, raw_answer};

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
