//! The checker over real sockets during trading: connections are cut at any moment, resumed from the reader's current
//! or an earlier sequence, left unread until they are ended, and the service is restarted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use server::streams::StreamSettings;
use stage::replica::{Fault, Replica};

use super::follower::Subject;
use super::runs::trade;
use super::traffic::{World, pass_time};
use crate::hall::{Hall, PATIENCE};
use crate::reader::Reader;

const RUNS: u64 = 16;

fn settings() -> StreamSettings {
    StreamSettings {
        heartbeat_every: Duration::from_millis(5),
        changes_kept_max: 40,
        messages: server::limits::Rate::per_second(10_000),
        ..StreamSettings::default()
    }
}

/// Connects and subscribes, from the replica's sequence.
async fn connect(hall: &Hall, subject: &Subject, from: Option<u64>) -> Reader {
    let (path, mut message) = match subject {
        Subject::Market { market, currency, .. } => {
            let ids = [market.to_string()];
            let message = json!({"type": "subscribe", "channel": "changes", "marketIds": ids, "currency": currency.code()});
            ("/ws/v1/markets", message)
        }
        Subject::Account { key, .. } => {
            ("/ws/v1/user", json!({"type": "subscribe", "channel": "changes", "auth": {"apiKey": key}}))
        }
    };
    if let Some(from) = from {
        message["resumeFrom"] = json!(from);
    }
    let mut reader = hall.subscribed(path, message).await;
    reader.acknowledged(&subject.room()).await;
    reader
}

async fn look(hall: &Hall, subject: &Subject, replica: &mut Replica, rng: &mut Rng) {
    // Moves the clock, so that no limit applies here.
    hall.stage.clock.advance_seconds(1);
    let (sequence, answer) = subject.sample(&hall.stage, rng.u8(..4)).await;
    replica.expect(sequence, answer);
}

/// Follows a room until it has everything from before the end of trading.
async fn follow(hall: &Hall, subject: Subject, seed: u64, is_over: &AtomicBool) -> Result<Replica, Fault> {
    let mut rng = Rng::with_seed(seed);
    let mut replica = Replica::new(&subject.room());
    let mut earlier: Vec<Replica> = Vec::new();
    loop {
        let mut reader = connect(hall, &subject, replica.sequence).await;
        let mut is_first = true;
        for _ in 0..rng.usize(1..60) {
            if rng.u8(..6) == 0 && !is_over.load(Ordering::SeqCst) {
                look(hall, &subject, &mut replica, &mut rng).await;
            }
            let message = reader.next().await;
            if message["type"] == "snapshot" && !is_first {
                return Err(format!("a snapshot in the middle: {message}"));
            }
            is_first = false;
            replica.feed(&message)?;
            if rng.u8(..10) == 0 && earlier.len() < 5 {
                earlier.push(replica.clone());
            }
        }
        if is_over.load(Ordering::SeqCst) && replica.head >= hall.stage.seq() {
            for _ in 0..4 {
                look(hall, &subject, &mut replica, &mut rng).await;
            }
            while replica.waiting() > 0 {
                replica.feed(&reader.next().await)?;
            }
            return Ok(replica);
        }
        if rng.u8(..4) == 0 && !earlier.is_empty() {
            let judged = replica.judged;
            replica = earlier.swap_remove(rng.usize(..earlier.len()));
            replica.judged = judged;
            earlier.retain(|earlier| earlier.sequence <= replica.sequence);
        }
    }
}

async fn run(hall: &Arc<Hall>, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let mut world = World::build(&hall.stage, &format!("s{seed}")).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let followers: Vec<_> = (0..)
        .zip(Subject::all(&world))
        .map(|(number, subject)| {
            let (hall, is_over) = (hall.clone(), is_over.clone());
            tokio::spawn(async move { follow(&hall, subject, seed * 10 + number, &is_over).await })
        })
        .collect();
    for _ in 0..60 {
        pass_time(&hall.stage, &mut rng);
        let count = rng.usize(1..5);
        trade(&hall.stage, &mut world, &mut rng, count).await;
    }
    is_over.store(true, Ordering::SeqCst);
    for follower in followers {
        let followed = tokio::time::timeout(PATIENCE, follower).await.expect("an end").expect("no panic");
        let replica = followed.unwrap_or_else(|fault| panic!("CHANGES_SEED={seed}: {fault}"));
        assert!(replica.judged > 3, "CHANGES_SEED={seed}: only {} answers were judged", replica.judged);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn books_and_accounts_are_rebuilt_over_sockets_that_are_cut_while_others_trade() {
    let hall = Arc::new(Hall::open_with(settings()).await);
    let seeds = match std::env::var("CHANGES_SEED").ok().and_then(|text| text.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..RUNS,
    };
    for seed in seeds {
        run(&hall, seed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_was_ended_for_being_slow_resumes_without_a_gap() {
    let settings = StreamSettings { events_waiting_max: 60, changes_kept_max: 4_000, ..settings() };
    let hall = Hall::open_with(settings).await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let subject = Subject::Account { user: stage.alice.id, key: stage.alice.key.public.clone() };
    let mut replica = Replica::new(&subject.room());
    let stalled = connect(&hall, &subject, None).await;
    let batch = |cents: u32| {
        let order = |_: usize| json!({"side": "BUY", "outcomeId": book.yes, "type": "LIMIT", "price": f64::from(cents) / 100.0, "amount": 1});
        json!({"orders": (0..20).map(order).collect::<Vec<Value>>()})
    };
    let mut rounds = 0;
    while stage.app().streams().dropped() == 0 {
        rounds += 1;
        assert!(rounds < 5_000, "it is never full");
        stage.clock.advance_seconds(3);
        stage
            .write(&stage.alice.key, "POST", "/v1/pm/orders/batch", &batch(10 + rounds % 20))
            .await
            .expect(200);
        stage.clock.advance_seconds(3);
        stage.write(&stage.alice.key, "DELETE", "/v1/pm/orders", &json!({})).await.expect(200);
    }
    let (seen, end) = stalled.rest().await;
    assert_eq!(end, Some((1008, "too slow: read faster or subscribe to less".to_owned())));
    for message in &seen {
        replica.feed(message).expect("what came before the end is whole");
    }
    let mut rng = Rng::with_seed(1);
    for _ in 0..8 {
        look(&hall, &subject, &mut replica, &mut rng).await;
    }
    let mut reader = connect(&hall, &subject, replica.sequence).await;
    while replica.waiting() > 0 {
        replica.feed(&reader.next().await).expect("no gap");
    }
    assert!(replica.judged >= 1 && replica.head >= stage.seq());
}
