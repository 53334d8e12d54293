//! Limits on logins and keys are part of the log: three nodes allow as many as one. Per-second limits are per node.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::crowd::{Answer, Ask, Crowd, Session};
use crate::drill::NODES;
use crate::nodes::UNLIMITED;

const KEYS: &str = "/v1/user/me/api-keys";
/// The longest wait in seconds until the next is allowed. Spec, Limits.
const LOGIN_WAIT_MAX: u64 = 120;
const KEY_WAIT_MAX: u64 = 1_800;
/// A multiple of the nodes, and more than the limit allows at each.
const AT_ONCE: usize = 12;

fn login(email: &str, password: &str) -> Ask {
    Ask::new("POST", "/v1/user/login").json(&json!({"email": email, "password": password}))
}

fn create(session: &Session, name: &str) -> Ask {
    Ask::new("POST", KEYS).in_session(session).json(&json!({"name": name}))
}

fn rotate(session: &Session, key: &str) -> Ask {
    Ask::new("POST", format!("{KEYS}/{key}/rotate")).in_session(session)
}

fn revoke(session: &Session, key: &str) -> Ask {
    Ask::new("DELETE", format!("{KEYS}/{key}")).in_session(session)
}

/// The first person's only key.
fn only_key(crowd: &Crowd) -> String {
    let listed = crowd.send(0, &Ask::new("GET", KEYS).in_session(&crowd.sessions[0]));
    assert_eq!(listed.expect(200)["total"], 1);
    listed.body["keys"][0]["id"].as_str().expect("an id").to_owned()
}

/// Counts the answers by status. Every 429 must have a Retry-After within the maximum.
fn counted(answers: &[Answer], wait_max: u64) -> BTreeMap<u16, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        if answer.status == 429 {
            answer.limited(wait_max);
        }
        *counts.entry(answer.status).or_insert(0) += 1;
    }
    counts
}

#[test]
fn one_login_passes_in_two_minutes_however_many_nodes_are_asked() {
    let crowd = Crowd::gather(0, UNLIMITED);
    let (email, password) = (crowd.text(0, "email"), crowd.text(0, "password"));
    let (other, others_password) = (crowd.text(1, "email"), crowd.text(1, "password"));
    // The address is the same in upper and lower case.
    let right = [login(&email, &password), login(&email.to_uppercase(), &password)];
    let wrong = [login(&other, "not it"), login(&other, "nor this")];
    let unknown = [login("nobody@example.org", "x"), login("Nobody@example.org", &password)];
    for (asks, passes_with) in [(right, 200), (wrong, 401), (unknown, 401)] {
        let asks: Vec<Ask> = asks.into_iter().cycle().take(AT_ONCE).collect();
        let answers = crowd.send_all(&asks);
        let counts = counted(&answers, LOGIN_WAIT_MAX);
        assert_eq!(counts, BTreeMap::from([(passes_with, 1), (429, AT_ONCE - 1)]));
        for node in 0..NODES {
            crowd.send(node, &asks[node % 2]).limited(LOGIN_WAIT_MAX);
        }
        // The new session works at every node.
        for answer in answers.iter().filter(|answer| answer.status == 200) {
            let session = Session::of(&answer.body);
            let list = Ask::new("GET", KEYS).in_session(&session).at_or_after(answer.written_at());
            (0..NODES).for_each(|node| assert_eq!(crowd.send(node, &list).expect(200)["total"], 1));
        }
    }
    // A wrong password has used up the attempt of the right one, also at the other nodes.
    for node in 0..NODES {
        crowd.send(node, &login(&other, &others_password)).limited(LOGIN_WAIT_MAX);
    }
}

#[test]
fn a_hundred_creations_at_once_over_three_nodes_leave_two_keys() {
    let crowd = Crowd::gather(20, UNLIMITED);
    let ask = |number: usize| create(&crowd.sessions[number % 20], &format!("key {number}"));
    let answers = crowd.send_all(&(0..100).map(ask).collect::<Vec<_>>());
    // As at a single node: there is one key already, and each of the 20 sessions may try twice.
    assert_eq!(counted(&answers, KEY_WAIT_MAX), BTreeMap::from([(201, 1), (422, 39), (429, 60)]));
    let made = answers.iter().find(|answer| answer.status == 201).expect("a created key");
    for refused in answers.iter().filter(|answer| answer.status == 422) {
        assert_eq!(refused.body["code"], "TOO_MANY_API_KEYS", "{}", refused.body);
    }
    for node in 0..NODES {
        let list = Ask::new("GET", KEYS).in_session(&crowd.sessions[node]).at_or_after(made.written_at());
        let listed = crowd.send(node, &list);
        assert_eq!(listed.expect(200)["total"], 2);
        assert_eq!(listed.body["keys"][1]["id"], made.body["id"]);
        crowd.send(node, &create(&crowd.sessions[node], "one more")).limited(KEY_WAIT_MAX);
    }
}

#[test]
fn creations_and_changes_of_keys_pass_twice_a_session_however_many_nodes_are_asked() {
    let crowd = Crowd::gather(2, UNLIMITED);
    let key = only_key(&crowd);
    let [first, second] = [&crowd.sessions[0], &crowd.sessions[1]];
    let creations: Vec<Ask> = (0..AT_ONCE).map(|number| create(first, &format!("key {number}"))).collect();
    let answers = crowd.send_all(&creations);
    // The second request finds two keys.
    let expected = BTreeMap::from([(201, 1), (422, 1), (429, AT_ONCE - 2)]);
    assert_eq!(counted(&answers, KEY_WAIT_MAX), expected);

    let answers = crowd.send_all(&vec![rotate(first, &key); AT_ONCE]);
    assert_eq!(counted(&answers, KEY_WAIT_MAX), BTreeMap::from([(200, 2), (429, AT_ONCE - 2)]));
    let secrets: Vec<&Value> = answers.iter().map(|answer| &answer.body["secretKey"]).collect();
    let mut shown: Vec<&str> = secrets.into_iter().filter_map(Value::as_str).collect();
    shown.sort_unstable();
    shown.dedup();
    assert_eq!(shown.len(), 2, "each rotation has a secret of its own");
    // Both share one allowance, and it is used up at every node.
    for node in 0..NODES {
        crowd.send(node, &revoke(first, &key)).limited(KEY_WAIT_MAX);
    }

    // The first request decides whether the other still finds the key.
    let asks = [rotate(second, &key), revoke(second, &key)].into_iter().cycle().take(AT_ONCE);
    let counts = counted(&crowd.send_all(&asks.collect::<Vec<_>>()), KEY_WAIT_MAX);
    let passed: usize = [200, 404].iter().filter_map(|status| counts.get(status)).sum();
    assert_eq!((passed, counts.get(&429)), (2, Some(&(AT_ONCE - 2))), "{counts:?}");
    assert!(counts.get(&200).is_some_and(|done| *done >= 1), "{counts:?}");
}

/// A debt lasts longer than any test.
const ONE_PER_SECOND: &[&str] =
    &["--read-per-second=1", "--write-per-second=1", "--public-per-second=100000"];

#[test]
fn the_share_of_a_second_is_had_at_each_node_and_no_more_than_that_at_any() {
    let crowd = Crowd::gather(0, ONE_PER_SECOND);
    let (public, secret) = (crowd.text(0, "publicKey"), crowd.text(0, "secretKey"));
    let ids = json!({"orderIds": vec![uuid::Uuid::now_v7(); 100]});
    let batch = || Ask::new("DELETE", "/v1/pm/orders/batch").json(&ids).signed(&public, &secret);
    let order = format!("/v1/pm/orders/{}", uuid::Uuid::now_v7());
    let cancel = || Ask::new("DELETE", &*order).signed(&public, &secret);
    for node in 0..NODES {
        // Passes only with a full bucket, so requests at other nodes took nothing; then empties it for 100 seconds.
        crowd.send(node, &batch()).expect(200);
        crowd.send(node, &cancel()).limited(100);
    }
    for node in 0..NODES {
        crowd.send(node, &cancel()).limited(100);
        crowd.send(node, &Ask::new("GET", "/v1/pm/portfolio").header("x-public-key", &public)).expect(200);
    }
}
