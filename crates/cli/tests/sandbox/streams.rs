//! Streams: a command's messages come before its answer, and the faults of streams.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stage::{Market, Sandbox, Stream, User};

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

    fn follow(&self, fault: Option<&str>) -> Stream {
        let mut stream = Stream::follow(&self.sandbox, &self.market, fault);
        assert_eq!(stream.next().expect("a snapshot")["type"], "snapshot");
        stream
    }

    fn place(&self, cents: u32) {
        self.sandbox.bid(&self.ada, &self.market, f64::from(cents) / 100.0, 10);
    }
}

/// The best bids of deltas, in cents.
fn bids(messages: &[Value]) -> Vec<i64> {
    let price = |message: &Value| message["data"]["bids"][0]["price"].as_f64();
    messages.iter().filter_map(price).map(|price| (price * 100.0).round() as i64).collect()
}

#[test]
fn the_messages_of_a_command_are_sent_before_its_answer() {
    let scene = Scene::new();
    let mut stream = scene.follow(None);
    for cents in 10..40 {
        scene.place(cents);
        // The answer is here, so the message is: it comes before the answer to a ping.
        assert_eq!(bids(&stream.drain()), [i64::from(cents)]);
    }
}

#[test]
fn a_gap_leaves_one_message_out_and_a_duplicate_repeats_one() {
    let scene = Scene::new();
    let mut stream = scene.follow(None);
    scene.sandbox.ask("POST", "/faults", &json!({"fault": "stream-gap", "path": "/ws/v1/markets", "nth": 2}));
    (10..13).for_each(|cents| scene.place(cents));
    let seen = stream.drain();
    assert_eq!(bids(&seen), [10, 12]);
    let (last, previous) = (&seen[0]["sequence"], &seen[1]["previousSequence"]);
    assert_ne!(last, previous, "a client can see the gap");
    scene.sandbox.ask("DELETE", "/faults", &Value::Null);
    scene.sandbox.ask("POST", "/faults", &json!({"fault": "stream-duplicate", "nth": 2}));
    (13..16).for_each(|cents| scene.place(cents));
    assert_eq!(bids(&stream.drain()), [13, 14, 14, 15]);
}

#[test]
fn a_stream_is_cut_and_a_new_one_continues_after_the_last_sequence() {
    let scene = Scene::new();
    // The snapshot is the first message.
    let mut stream = scene.follow(Some("stream-cut; nth=3"));
    scene.place(10);
    scene.place(11);
    let first = stream.next().expect("the message before the cut");
    assert_eq!(bids(std::slice::from_ref(&first)), [10]);
    assert!(stream.next().is_none(), "the connection is gone");
    let mut stream = Stream::connect(&scene.sandbox, "/ws/v1/markets", None);
    let resume = json!({
        "type": "subscribe", "channel": "changes", "marketIds": [scene.market.id],
        "resumeFrom": first["sequence"],
    });
    stream.say(&resume);
    assert_eq!(stream.next().expect("an answer")["type"], "subscribed");
    assert_eq!(bids(&stream.drain()), [11]);
}

#[test]
fn a_slow_stream_is_late_and_the_answer_does_not_wait_for_it() {
    let scene = Scene::new();
    let mut stream = scene.follow(None);
    scene.sandbox.ask("POST", "/faults", &json!({"fault": "stream-slow", "millis": 1500}));
    let began = Instant::now();
    scene.place(10);
    // The answer is here; the message is late.
    let late = stream.next().expect("a message");
    assert!(began.elapsed() >= Duration::from_millis(1_500));
    assert_eq!(bids(&[late]), [10]);
    // A message that comes in ten minutes holds up no answer.
    scene.sandbox.ask("POST", "/faults", &json!({"fault": "stream-slow", "millis": 600_000}));
    scene.place(11);
    assert_eq!(scene.sandbox.open_orders(&scene.ada), 2, "answered long before the message");
}
