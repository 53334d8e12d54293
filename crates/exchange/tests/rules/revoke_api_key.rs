//! Revoking: the key is refused for everything that is sequenced later. The allowance is shared with rotation.

use exchange::change::Change;
use exchange::command::{Command, CreateApiKey, RevokeApiKey, RotateApiKey, SetWatchlist};
use exchange::id::{EventId, KeyId, UserId};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::world::{START, World, id};

fn revoke(key: &str) -> Command {
    Command::RevokeApiKey(RevokeApiKey { key: KeyId::new(id(key)) })
}

#[test]
fn revoke_api_key_voids_it_at_once_and_frees_its_name() {
    let mut world = World::new();
    world.user("alice");
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    assert_eq!(world.by("alice", probe.clone()), Err(Reject::EventNotFound));
    let Ok(Reply::ApiKey(key)) = world.in_session("alice", revoke("alice/key")) else {
        panic!("the revoked key is answered");
    };
    assert_eq!(&*key.name, "first");
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    assert_eq!(world.by("alice", probe), Err(Reject::UnknownKey));
    assert!(world.exchange.directory().find_by_public_key(&Text::from("pk_alice")).is_none());
    let again = Command::CreateApiKey(CreateApiKey {
        id: KeyId::new(2),
        name: Text::from("first"),
        public_key: Text::from("pk_alice"),
    });
    assert!(world.in_session("alice", again).is_ok());
}

#[test]
fn revoke_api_key_finds_only_ones_own() {
    let mut world = World::new();
    world.user("alice");
    world.user("bob");
    assert_eq!(world.in_session("alice", revoke("bob/key")), Err(Reject::KeyNotFound));
    assert_eq!(world.in_session("alice", revoke("nothing")), Err(Reject::KeyNotFound));
    assert!(world.exchange.directory().find_by_key(KeyId::new(id("bob/key"))).is_some());
}

#[test]
fn revoke_and_rotate_api_key_share_two_requests_per_thirty_minutes_per_session() {
    let revoked = || revoke("nothing");
    let rotated = || Command::RotateApiKey(RotateApiKey { key: KeyId::new(id("nothing")) });
    let rows = [
        [revoked(), revoked(), revoked()],
        [revoked(), rotated(), revoked()],
        [rotated(), revoked(), rotated()],
        [rotated(), rotated(), revoked()],
    ];
    for [first, second, third] in rows {
        let mut world = World::new();
        world.user("alice");
        assert_eq!(world.in_session("alice", first), Err(Reject::KeyNotFound));
        world.wait(Span::minutes(29));
        assert_eq!(world.in_session("alice", second), Err(Reject::KeyNotFound));
        let retry_at = START + Span::minutes(30);
        assert_eq!(
            world.in_session("alice", third.clone()),
            Err(Reject::LimitReached { retry_at }),
            "{third:?}"
        );
        world.wait(Span::minutes(1));
        assert_eq!(world.in_session("alice", third), Err(Reject::KeyNotFound));
    }
}
