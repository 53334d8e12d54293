//! Killed at random moments under load, again and again: what was answered is there, exactly once.

use std::thread;
use std::time::Duration;

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use crate::market;
use crate::stage::Demo;

const KILLS: u64 = 25;
const CALLERS: usize = 4;

/// What a caller knows of one order when the process was killed.
struct Known {
    client_order_id: String,
    /// None: no answer came, so it may be there or not.
    status: Option<&'static str>,
    /// The cancel got no answer: open or cancelled, both are true to what was answered.
    cancel_unknown: bool,
}

#[test]
fn what_was_answered_is_there_exactly_once_after_each_of_25_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut known, mut answered): (Vec<(usize, Vec<Known>)>, u64) = (Vec::new(), 0);
    for kill in 0..=KILLS {
        let demo = Demo::start(folder.path());
        for (user, orders) in known.drain(..) {
            answered += check(&demo, user, &orders);
        }
        if kill == KILLS {
            assert_eq!(demo.terminate().code(), Some(0), "the journal gives the state that was served");
            break;
        }
        let (path, yes) = market(&demo, "rain-in-lagos-on-new-years-day");
        known = thread::scope(|scope| {
            let callers: Vec<_> = (0..CALLERS)
                .map(|user| {
                    let (demo, path, yes) = (&demo, path.as_str(), &yes);
                    scope.spawn(move || (user, trade(demo, user, kill, path, yes)))
                })
                .collect();
            thread::sleep(Duration::from_millis(40 + fastrand::u64(0..250)));
            kill_process(demo.pid(), Signal::KILL).expect("a kill -9");
            callers.into_iter().map(|caller| caller.join().expect("a caller")).collect()
        });
    }
    println!("{KILLS} kills, {answered} answered writes, all there once");
    assert!(answered >= KILLS, "the load was real: {answered} answers");
}

/// Places orders, cancels every other one, until nobody answers any more.
fn trade(demo: &Demo, user: usize, kill: u64, path: &str, yes: &Value) -> Vec<Known> {
    let mut orders = Vec::new();
    for number in 0.. {
        let client_order_id = format!("k{kill}-{user}-{number}");
        let order = json!({
            "side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.01, "amount": 1, "clientOrderId": client_order_id
        });
        let placed = demo.send_signed(user, "POST", path, order.to_string().as_bytes());
        let Some((status, placed)) = placed else {
            orders.push(Known { client_order_id, status: None, cancel_unknown: false });
            return orders;
        };
        if status == 429 {
            thread::sleep(Duration::from_millis(20));
            continue;
        }
        assert_eq!(status, 200, "{placed}");
        let mut order = Known { client_order_id, status: Some("open"), cancel_unknown: false };
        if number % 2 == 0 {
            let id = placed["order"]["id"].as_str().expect("an id");
            match demo.send_signed(user, "DELETE", &format!("/v1/pm/orders/{id}"), b"") {
                Some((200, _)) => order.status = Some("cancelled"),
                Some((429, _)) => {}
                Some((status, refused)) => panic!("{status} {refused}"),
                None => order.cancel_unknown = true,
            }
        }
        let is_over = order.cancel_unknown;
        orders.push(order);
        if is_over {
            return orders;
        }
    }
    orders
}

/// Says how many answered orders were found.
fn check(demo: &Demo, user: usize, orders: &[Known]) -> u64 {
    let mut answered = 0;
    for order in orders {
        let path = format!("/v1/pm/orders?clientOrderId={}", order.client_order_id);
        let found = loop {
            match demo.get_as(user, &path).expect("an answer") {
                (429, _) => thread::sleep(Duration::from_millis(40)),
                (status, body) => {
                    assert_eq!(status, 200, "{body}");
                    break body;
                }
            }
        };
        let found = found["orders"].as_array().expect("orders");
        let statuses: Vec<&str> = found.iter().filter_map(|order| order["status"].as_str()).collect();
        match order.status {
            None => assert!(statuses.len() <= 1, "{}: {statuses:?}", order.client_order_id),
            Some(_) if order.cancel_unknown => {
                assert!(
                    matches!(statuses[..], ["open" | "cancelled"]),
                    "{}: {statuses:?}",
                    order.client_order_id
                );
            }
            Some(status) => assert_eq!(statuses, [status], "{}", order.client_order_id),
        }
        answered += u64::from(order.status.is_some());
    }
    answered
}
