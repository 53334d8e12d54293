//! Ends the real executable again and again during trading, by SIGKILL or SIGTERM. A client of `changes` resumes from
//! its last sequence, and the state that it rebuilds equals the other reads at their sequence.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use fastrand::Rng;
use patience::PATIENCE;
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use stage::demo::Demo;
use stage::replica::{Answer, Replica};

const RESTARTS: usize = 20;
const FLAGS: &[&str] =
    &["--no-bots", "--read-per-second=100000", "--write-per-second=100000", "--public-per-second=100000"];

/// Converts a body into the answer about the place.
type Reading = fn(Value, &Place) -> Answer;

/// A room, its reads, and its replica.
struct Follower {
    path: String,
    samples: Vec<(String, Reading)>,
    replica: Replica,
    resumed: usize,
}

/// The market where both users trade.
struct Place {
    event: String,
    market: String,
    outcomes: [String; 2],
}

impl Place {
    fn find(demo: &Demo) -> Place {
        let (_, event) = demo.get("/v1/pm/events/slug/rain-in-lagos-on-new-years-day");
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        let market = &event["markets"][0];
        let outcomes = [text(&market["outcome1Id"]), text(&market["outcome2Id"])];
        Place { event: text(&event["id"]), market: text(&market["id"]), outcomes }
    }

    fn follow_market(&self) -> Follower {
        let [yes, no] = &self.outcomes;
        Follower {
            path: format!("/v1/pm/markets/{}/changes?currency=USD", self.market),
            samples: vec![
                (format!("/v1/pm/books?outcomeId={yes},{no}&depth=99"), |body, _| Answer::Books(body, 1)),
                (format!("/v1/pm/events/{}", self.event), |body, _| {
                    Answer::Market(body["markets"][0].clone())
                }),
                (format!("/v1/pm/events/{}/resolution", self.event), |body, place| {
                    Answer::Resolution(body, place.market.clone())
                }),
            ],
            replica: Replica::new(&format!("changes:{}:USD", self.market)),
            resumed: 0,
        }
    }

    fn follow_account(&self, demo: &Demo) -> Follower {
        let orders = |status: &str| format!("/v1/pm/orders?status={status}&size=100");
        Follower {
            path: "/v1/pm/account/changes?limit=1000".to_owned(),
            samples: vec![
                (orders("open"), |body, _| Answer::Orders(body, "open")),
                (orders("partial_filled"), |body, _| Answer::Orders(body, "partial_filled")),
                ("/v1/wallet/assets".to_owned(), |body, _| Answer::Wallets(body)),
                ("/v1/pm/portfolio?size=100".to_owned(), |body, _| Answer::Portfolio(body)),
            ],
            replica: Replica::new(&format!("changes:{}", demo.text("/users/0/userId"))),
            resumed: 0,
        }
    }
}

/// A read and its sequence, as the first person.
fn read(demo: &Demo, path: &str) -> (u64, Value) {
    let request = ureq::get(format!("{}{path}", demo.text("/baseUrl")));
    let mut response =
        request.header("X-Public-Key", demo.text("/users/0/publicKey")).call().expect("an answer");
    let sequence = response.headers().get("x-sequence").and_then(|value| value.to_str().ok());
    let sequence = sequence.and_then(|text| text.parse().ok()).expect("a sequence");
    let text = response.body_mut().read_to_string().expect("a whole answer");
    (sequence, serde_json::from_str(&text).expect("JSON"))
}

impl Follower {
    fn look(&mut self, demo: &Demo, place: &Place) {
        for (path, answer) in &self.samples {
            let (sequence, body) = read(demo, path);
            self.replica.expect(sequence, answer(body, place));
        }
    }

    fn poll(&mut self, demo: &Demo) {
        let after = self.replica.sequence.map(|after| format!("&after={after}")).unwrap_or_default();
        let (_, page) = read(demo, &format!("{}{after}", self.path));
        let messages = page["changes"].as_array().expect("changes");
        let has_snapshot = messages.iter().any(|message| message["type"] == "snapshot");
        assert!(!has_snapshot || messages.len() == 1, "never both: {page}");
        self.resumed += usize::from(!has_snapshot && self.replica.sequence.is_some());
        for message in messages {
            self.replica.feed(message).unwrap_or_else(|fault| panic!("{fault}"));
        }
        let head = page["head"].as_u64().expect("a head");
        self.replica.reach(head).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

/// Places orders that meet, cancels and mints, until the process is gone.
fn trade(demo: &Demo, place: &Place, person: usize, seed: u64, answered: &AtomicU64) {
    let mut rng = Rng::with_seed(seed);
    loop {
        let (method, path, body) = match rng.u8(..10) {
            0 => ("DELETE", "/v1/pm/orders".to_owned(), json!({"currency": "USD"})),
            1 => ("POST", format!("/v1/pm/markets/{}/mint", place.market), json!({"quantity": 2})),
            _ => {
                let side = if rng.u8(..3) == 0 { "SELL" } else { "BUY" };
                let price = f64::from(rng.u32(40..61)) / 100.0;
                let outcome = &place.outcomes[rng.usize(..2)];
                let order = json!({
                    "side": side, "outcomeId": outcome, "type": "LIMIT", "price": price, "quantity": rng.u32(2..9),
                });
                ("POST", format!("/v1/pm/events/{}/markets/{}/orders", place.event, place.market), order)
            }
        };
        let body = serde_json::to_vec(&body).expect("JSON");
        match demo.send_signed(person, method, &path, &body) {
            Some((200, _)) => drop(answered.fetch_add(1, Ordering::Relaxed)),
            // Refused by the rules, or the process is stopping.
            Some((400 | 422 | 503, _)) => {}
            Some(other) => panic!("{other:?}"),
            None => return,
        }
    }
}

#[test]
fn books_and_accounts_are_rebuilt_from_changes_through_many_ends_of_the_process() {
    let seed = std::env::var("CHANGES_SEED").ok().and_then(|text| text.parse().ok());
    let seed: u64 = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("CHANGES_SEED={seed}: it decides what is asked, not what the machine makes of it");
    let mut rng = Rng::with_seed(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let mut demo = Demo::start_with(folder.path(), FLAGS);
    let place = Place::find(&demo);
    let mut followers = [place.follow_market(), place.follow_account(&demo)];
    let answered = AtomicU64::new(0);
    for restart in 0..=RESTARTS {
        let graceful = rng.u8(..4) == 0;
        thread::scope(|scope| {
            let (demo, place, answered) = (&demo, &place, &answered);
            let seeds = [rng.u64(..), rng.u64(..)];
            for person in [0, 1] {
                scope.spawn(move || trade(demo, place, person, seeds[person], answered));
            }
            // A life lasts for a number of answered writes, not for a time.
            let end = answered.load(Ordering::Relaxed) + rng.u64(20..60);
            let began = Instant::now();
            while answered.load(Ordering::Relaxed) < end {
                assert!(began.elapsed() < PATIENCE, "no write is answered");
                for follower in &mut followers {
                    follower.look(demo, place);
                    follower.poll(demo);
                }
            }
            let signal = if graceful { Signal::TERM } else { Signal::KILL };
            kill_process(demo.pid(), signal).expect("a process to end");
        });
        let status = demo.wait();
        assert_eq!(status.code() == Some(0), graceful, "{status:?}");
        demo = Demo::start_with(folder.path(), FLAGS);
        // Changes from before the restart arrive exactly once.
        for follower in &mut followers {
            follower.look(&demo, &place);
            follower.poll(&demo);
            assert_eq!(follower.replica.waiting(), 0, "restart {restart}");
        }
    }
    for follower in &followers {
        assert!(follower.replica.judged > 5 * RESTARTS, "only {} were judged", follower.replica.judged);
        assert!(follower.resumed > RESTARTS, "only {} resumed", follower.resumed);
    }
    assert_eq!(demo.terminate().code(), Some(0));
}
