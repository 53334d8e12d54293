//! A key that is rotated or revoked at one node while it is used at all of them: no request with the old secret is
//! applied after the change, and every node refuses it from then on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use exchange::id::KeyId;
use exchange::identity::Actor;
use patience::PATIENCE;
use uuid::Uuid;

use crate::crowd::{Ask, Crowd};
use crate::drill::NODES;
use crate::log::{self, Passing};
use crate::nodes::UNLIMITED;

const KEYS: &str = "/v1/user/me/api-keys";
/// Writes that each node has accepted before the key is changed.
const WRITES_BEFORE: u64 = 5;

/// Writes at every node until each refuses, and changes the key meanwhile. Returns the sequence of the last
/// successful write, and the result of `change`.
fn write_during<T>(crowd: &Crowd, public: &str, secret: &str, change: impl FnOnce() -> T) -> (u64, T) {
    let taken = [(); NODES].map(|()| AtomicU64::new(0));
    let last = AtomicU64::new(0);
    let write = |node: usize| {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "node {node} still takes it");
            let answer = crowd.send(node, &Ask::new("PUT", &*crowd.watchlist).signed(public, secret));
            match answer.status {
                200 => {
                    last.fetch_max(answer.written_at(), Ordering::AcqRel);
                    taken[node].fetch_add(1, Ordering::AcqRel);
                }
                401 => return,
                other => panic!("{other}: {}", answer.body),
            }
        }
    };
    let changed = thread::scope(|scope| {
        let write = &write;
        (0..NODES).for_each(|node| drop(scope.spawn(move || write(node))));
        patience::until("a node takes nothing", || {
            taken.iter().all(|taken| taken.load(Ordering::Acquire) >= WRITES_BEFORE)
        });
        change()
    });
    (last.into_inner(), changed)
}

#[test]
fn nothing_that_an_old_secret_signed_is_carried_out_behind_its_rotation_or_revocation() {
    let crowd = Crowd::gather(1, UNLIMITED);
    let (public, old) = (crowd.text(0, "publicKey"), crowd.text(0, "secretKey"));
    let session = &crowd.sessions[0];
    let listed = crowd.send(0, &Ask::new("GET", KEYS).in_session(session));
    let key = listed.expect(200)["keys"][0]["id"].as_str().expect("an id").to_owned();

    let rotate = Ask::new("POST", format!("{KEYS}/{key}/rotate")).in_session(session);
    let (last, rotated) = write_during(&crowd, &public, &old, || crowd.send(0, &rotate));
    let new = rotated.expect(200)["secretKey"].as_str().expect("a secret");
    let rotated_at = rotated.written_at();
    assert!(last < rotated_at, "a write at {last} was answered, the rotation is at {rotated_at}");
    for node in 0..NODES {
        let watch = |secret: &str| {
            let ask = Ask::new("PUT", &*crowd.watchlist).signed(&public, secret).at_or_after(rotated_at);
            crowd.send(node, &ask)
        };
        assert_eq!(watch(&old).expect(401)["error"], "invalid_signature");
        watch(new).expect(200);
    }

    let revoke = Ask::new("DELETE", format!("{KEYS}/{key}")).in_session(session);
    let (last, revoked) = write_during(&crowd, &public, new, || crowd.send(1, &revoke));
    revoked.expect(200);
    let revoked_at = revoked.written_at();
    assert!(last < revoked_at, "a write at {last} was answered, the revocation is at {revoked_at}");
    for node in 0..NODES {
        let write = Ask::new("PUT", &*crowd.watchlist).signed(&public, new);
        assert_eq!(crowd.send(node, &write.at_or_after(revoked_at)).expect(401)["reason"], "unknown_key");
        let read = Ask::new("GET", "/v1/pm/portfolio").header("x-public-key", &public);
        assert_eq!(crowd.send(node, &read.at_or_after(revoked_at)).expect(401)["reason"], "unknown_key");
    }
    let key = KeyId::new(key.parse::<Uuid>().expect("an id").as_u128());
    check_log(&crowd, key, rotated_at, revoked_at);
}

/// The log agrees: requests after the change were refused when they were applied, at every node.
fn check_log(crowd: &Crowd, key: KeyId, rotated_at: u64, revoked_at: u64) {
    let (mut done, mut refused) = (0, 0);
    log::replay(&crowd.server.url(&crowd.database), |exchange, passing| {
        let Passing::Request(request, result) = passing else { return };
        let Actor::Key { key: used, generation } = request.actor else { return };
        if used != key {
            return;
        }
        let sequence = exchange.seq();
        let is_good = sequence < if generation == 0 { rotated_at } else { revoked_at };
        assert_eq!(result.is_ok(), is_good, "generation {generation} at {sequence}: {result:?}");
        *if is_good { &mut done } else { &mut refused } += 1;
    });
    println!("{done} writes of the key carried out, {refused} that came too late refused in the log");
    assert!(done >= 2 * NODES as u64 * WRITES_BEFORE, "{done} writes");
}
