//! One script, run twice with one seed: every status, body and stream message is equal. With another seed it is not.

use std::path::Path;

use serde_json::{Value, json};

use crate::stage::{Sandbox, Stream, User, limit, send};

/// Everything that a client saw, in order.
#[derive(Default)]
struct Transcript(Vec<String>);

impl Transcript {
    fn note(&mut self, what: &str, (status, body): (u16, Value)) -> Value {
        self.0.push(format!("{what}: {status} {body}"));
        body
    }

    fn hear(&mut self, stream: &mut Stream) {
        self.0.extend(stream.drain().into_iter().map(|message| format!("stream: {message}")));
    }
}

/// Reads everything that shows ids, times, prices, history and proofs.
fn look_around(sandbox: &Sandbox, user: &User, market: &str, transcript: &mut Transcript) {
    for path in [
        "/v1/pm/events".to_owned(),
        "/v1/pm/events/slug/rain-tomorrow".to_owned(),
        format!("/v1/pm/markets/{market}/ticker"),
        format!("/v1/pm/markets/{market}/candles"),
        format!("/v1/pm/trades?marketId={market}&size=100"),
        "/v1/pm/orders?size=100".to_owned(),
        "/v1/pm/portfolio".to_owned(),
        "/v1/wallet/assets".to_owned(),
        "/v1/pm/solvency".to_owned(),
        "/v1/pm/pnl?timePeriod=24H".to_owned(),
    ] {
        transcript.note(&path, sandbox.read(user, &path));
    }
}

fn run(folder: &Path, seed: &str) -> Vec<String> {
    let sandbox = Sandbox::start_with(folder, &["--seed", seed, "--no-limits"]);
    let mut transcript = Transcript::default();
    let made =
        transcript.note("users", sandbox.control("POST", "/users", &json!({"password": "a password"})));
    let ada = sandbox.user("ada");
    transcript.0.push(format!("{} {} {}", ada.id, ada.public_key, ada.secret_key));
    let login = serde_json::to_vec(&json!({"email": made["email"], "password": "a password"})).expect("JSON");
    let url = format!("{}/v1/user/login", sandbox.text("baseUrl"));
    transcript.note("login", send("POST", &url, &[], &login).expect("an answer"));
    let market = sandbox.market("rain-tomorrow");
    for behaviour in ["maker", "noise", "toxic"] {
        let wish = json!({"behaviour": behaviour, "marketId": market.id});
        transcript.note("traders", sandbox.control("POST", "/traders", &wish));
    }
    let mut stream = Stream::follow(&sandbox, &market, None);
    stream.say(&json!({"type": "subscribe", "channel": "activity", "eventId": market.event}));
    stream.say(&json!({"type": "subscribe", "channel": "orderbook", "marketIds": [market.id]}));
    transcript.hear(&mut stream);
    for cents in [30, 35, 62] {
        let order = limit(&market.yes, f64::from(cents) / 100.0, 10);
        let placed = sandbox.write(&ada, "POST", &market.orders(), &order, &[]).expect("an answer");
        transcript.note("order", placed);
        transcript.hear(&mut stream);
        transcript.note("advance", sandbox.control("POST", "/clock/advance", &json!({"seconds": 30})));
        transcript.hear(&mut stream);
    }
    let refused = sandbox.write(&ada, "POST", &market.orders(), &limit(&market.no, 0.5, 1), &[]);
    transcript.note("too small", refused.expect("an answer"));
    let unknown = [("X-Sandbox-Fault", "unknown".to_owned())];
    let order = limit(&market.yes, 0.2, 10);
    transcript
        .note("unknown", sandbox.write(&ada, "POST", &market.orders(), &order, &unknown).expect("an answer"));
    look_around(&sandbox, &ada, &market.id, &mut transcript);
    transcript.note("snapshot", sandbox.control("POST", "/snapshots", &json!({"name": "one"})));
    // A reader that does not read for a whole day of trading would be closed as too slow.
    transcript.note("no traders", sandbox.control("DELETE", "/traders", &Value::Null));
    transcript.hear(&mut stream);
    transcript.note("jump", sandbox.control("POST", "/clock/jump", &json!({"event": "rain-tomorrow"})));
    let verdict = json!({"event": "rain-tomorrow", "winner": market.id});
    transcript.note("resolve", sandbox.control("POST", "/resolve", &verdict));
    transcript.hear(&mut stream);
    look_around(&sandbox, &ada, &market.id, &mut transcript);
    transcript.note("return", sandbox.control("POST", "/snapshots/one/return", &Value::Null));
    let order = limit(&market.yes, 0.2, 10);
    transcript.note("order", sandbox.write(&ada, "POST", &market.orders(), &order, &[]).expect("an answer"));
    look_around(&sandbox, &ada, &market.id, &mut transcript);
    assert!(sandbox.terminate().success(), "the journal gives the state that was served");
    transcript.0
}

#[test]
fn a_script_sees_the_same_with_the_same_seed_and_something_else_with_another() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [one, equal, other] = &folders;
    let first = run(one.path(), "7");
    let second = run(equal.path(), "7");
    assert!(first.len() > 60 && first.iter().any(|line| line.starts_with("stream: ")), "{first:#?}");
    for (line, (one, other)) in first.iter().zip(&second).enumerate() {
        assert_eq!(one, other, "line {line} of {}", first.len());
    }
    assert_eq!(first.len(), second.len());
    let planted = run(other.path(), "8");
    let equal = first.iter().zip(&planted).filter(|(one, other)| one == other).count();
    assert!(equal < first.len() / 2, "another seed is seen: {equal} of {} lines are equal", first.len());
}
