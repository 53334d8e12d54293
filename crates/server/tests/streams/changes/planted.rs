//! The checker finds its faults: a delta that is lost, repeated or wrong, a broken chain, a missing wallet. Each is
//! planted between the service and the reader, on days that are clean without it.

use serde_json::{Value, json};
use stage::node::Stage;
use stage::replica::Fault;

use super::follower::{Follower, Subject};
use super::runs::{Setting, open, trade};
use super::traffic::{World, pass_time};

const SETTING: Setting = Setting { kept_max: 1_024, restarts: false };

/// Spoils the first suitable message, and returns whether there was one.
type Plant = fn(&mut Vec<Value>) -> bool;

fn first(messages: &mut [Value], wanted: impl Fn(&Value) -> bool) -> Option<&mut Value> {
    messages.iter_mut().find(|message| message["type"] == "delta" && wanted(message))
}

fn dropped(messages: &mut Vec<Value>) -> bool {
    let place = messages.iter().position(|message| message["type"] == "delta");
    place.map(|place| messages.remove(place)).is_some()
}

fn told_twice(messages: &mut Vec<Value>) -> bool {
    let place = messages.iter().position(|message| message["type"] == "delta");
    place.map(|place| messages.insert(place, messages[place].clone())).is_some()
}

fn wrong_quantity(messages: &mut [Value]) -> bool {
    let has_level =
        |message: &Value| message["data"]["bids"][0]["quantity"].as_f64().is_some_and(|given| given > 0.0);
    let Some(message) = first(messages, has_level) else { return false };
    let quantity = message["data"]["bids"][0]["quantity"].as_f64().unwrap_or_default();
    message["data"]["bids"][0]["quantity"] = json!(quantity + 0.0001);
    true
}

fn wrong_previous(messages: &mut [Value]) -> bool {
    let Some(message) = first(messages, |_| true) else { return false };
    message["previousSequence"] = json!(message["previousSequence"].as_u64().unwrap_or(1) - 1);
    true
}

fn level_left_out(messages: &mut [Value]) -> bool {
    let Some(message) = first(messages, |message| message["data"]["asks"].is_array()) else { return false };
    message["data"]["asks"].as_array_mut().is_some_and(|asks| asks.pop().is_some())
}

fn terms_left_out(messages: &mut [Value]) -> bool {
    let Some(message) = first(messages, |message| message["data"]["terms"].is_object()) else { return false };
    message["data"].as_object_mut().is_some_and(|data| data.remove("terms").is_some())
}

fn wallet_left_out(messages: &mut [Value]) -> bool {
    let Some(message) = first(messages, |message| message["data"]["wallets"].is_array()) else {
        return false;
    };
    message["data"].as_object_mut().is_some_and(|data| data.remove("wallets").is_some())
}

fn position_left_out(messages: &mut [Value]) -> bool {
    let Some(message) = first(messages, |message| message["data"]["positions"].is_array()) else {
        return false;
    };
    message["data"].as_object_mut().is_some_and(|data| data.remove("positions").is_some())
}

fn order_left_out(messages: &mut [Value]) -> bool {
    let Some(message) = first(messages, |message| message["data"]["orders"].is_array()) else { return false };
    message["data"].as_object_mut().is_some_and(|data| data.remove("orders").is_some())
}

/// A day with one follower: trades, then samples, then a read; in a loop until a fault or the end.
async fn day(stage: &Stage, seed: u64, subject: usize, plant: Option<Plant>) -> (bool, Result<usize, Fault>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut world = World::build(stage, &stage.seq().to_string()).await;
    let mut follower = Follower::new(Subject::all(&world).swap_remove(subject));
    let (told, planted) = std::sync::mpsc::channel();
    if let Some(plant) = plant {
        let mut is_planted = false;
        follower.tamper = Some(Box::new(move |messages| {
            if !is_planted && plant(messages) {
                is_planted = true;
                told.send(()).expect("a listener");
            }
        }));
    }
    let found = async {
        follower.poll(stage, &mut rng).await?;
        follower.look(stage, 4).await;
        for _ in 0..15 {
            // One request at a time, so that a momentary fault is seen too.
            for _ in 0..6 {
                pass_time(stage, &mut rng);
                trade(stage, &mut world, &mut rng, 1).await;
                for kind in 0..5 {
                    follower.look(stage, kind).await;
                }
            }
            while !follower.poll(stage, &mut rng).await? {
                pass_time(stage, &mut rng);
            }
        }
        Ok(follower.replica.judged)
    };
    let found = found.await;
    (planted.try_recv().is_ok(), found)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_planted_bug_is_found_and_none_where_nothing_is_planted() {
    let stage = open(1, SETTING).await;
    let (book, account) = (0, 3);
    let plants: [(&str, usize, Plant); 13] = [
        ("a delta that is lost", book, dropped),
        ("a delta that is lost", account, dropped),
        ("a delta that is told twice", book, told_twice),
        ("a delta that is told twice", account, told_twice),
        ("a wrong quantity", book, |messages| wrong_quantity(messages)),
        ("a broken chain", book, |messages| wrong_previous(messages)),
        ("a broken chain", account, |messages| wrong_previous(messages)),
        ("a level that is left out", book, |messages| level_left_out(messages)),
        ("terms that are left out", book, |messages| terms_left_out(messages)),
        ("a wallet that is left out", account, |messages| wallet_left_out(messages)),
        ("a position that is left out", account, |messages| position_left_out(messages)),
        ("an order that is left out", account, |messages| order_left_out(messages)),
        ("an order and its wallet", account, |messages| {
            order_left_out(messages) && wallet_left_out(messages)
        }),
    ];
    for (what, subject, plant) in plants {
        let mut days = 0;
        for seed in 0..6 {
            let (_, clean) = day(&stage, seed, subject, None).await;
            assert!(clean.as_ref().is_ok_and(|judged| *judged > 50), "{what}, seed {seed}: {clean:?}");
            let (is_planted, found) = day(&stage, seed, subject, Some(plant)).await;
            assert_eq!(is_planted, found.is_err(), "{what}, seed {seed}: {found:?}");
            days += u32::from(is_planted);
            if days == 2 {
                break;
            }
        }
        assert_eq!(days, 2, "{what}: there was nothing to spoil");
    }
    stage.close().await;
}
