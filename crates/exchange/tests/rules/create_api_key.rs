//! New keys: two a user, two requests in half an hour, names and public keys once.

use exchange::change::Change;
use exchange::command::{Command, CreateApiKey, OpenSession, RevokeApiKey, SetWatchlist};
use exchange::id::{EventId, Hash32, KeyId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::world::{START, World, id};

fn create(number: u128, name: &str, public_key: &str) -> Command {
    Command::CreateApiKey(CreateApiKey {
        id: KeyId::new(number),
        name: Text::from(name),
        public_key: Text::from(public_key),
    })
}

/// Alice with one key, long enough ago for the allowance to be whole.
fn world() -> World {
    let mut world = World::new();
    world.user("alice");
    world.wait(Span::hours(1));
    world
}

#[test]
fn create_api_key_answers_with_the_key_and_it_acts_at_once() {
    let mut world = world();
    let Ok(Reply::ApiKey(key)) = world.in_session("alice", create(2, "second", "pk_2")) else {
        panic!("a key is answered");
    };
    assert_eq!((key.id, &*key.name, &*key.public_key), (KeyId::new(2), "second", "pk_2"));
    assert_eq!((key.generation, key.created_at), (0, world.now));
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    let found = world.exchange.directory().find_by_public_key(&Text::from("pk_2")).expect("by public key");
    assert_eq!(found, (world.user_index("alice"), &key));
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    let actor = Actor::Key { key: key.id, generation: 0 };
    assert_eq!(world.apply(actor, probe), Err(Reject::EventNotFound));
}

#[test]
fn create_api_key_limit_is_two_requests_per_thirty_minutes_per_session() {
    let mut world = World::new();
    world.user("alice");
    let retry_at = START + Span::minutes(30);
    world.wait(Span::minutes(10));
    // The first was alice's first key; a refused one counts like any other.
    assert_eq!(world.in_session("alice", create(2, "first", "pk_2")), Err(Reject::DuplicateName));
    world.wait(Span::minutes(10));
    assert_eq!(
        world.in_session("alice", create(2, "second", "pk_2")),
        Err(Reject::LimitReached { retry_at })
    );
    world.now = retry_at;
    assert!(world.in_session("alice", create(2, "second", "pk_2")).is_ok());
    let retry_at = START + Span::minutes(40);
    assert_eq!(world.in_session("alice", create(3, "third", "pk_3")), Err(Reject::LimitReached { retry_at }));

    let open_session = Command::OpenSession(OpenSession {
        user: UserId::new(id("alice")),
        password_version: 0,
        id: SessionId::new(1),
        token_hash: Hash32::of("other"),
        device: Text::from("phone"),
    });
    world.system(open_session).expect("another session");
    let other = Actor::Session { session: SessionId::new(1) };
    assert_eq!(
        world.apply(other, create(3, "third", "pk_3")),
        Err(Reject::TooManyApiKeys),
        "its own allowance"
    );
}

#[test]
fn active_api_keys_are_at_most_two_per_user() {
    let mut world = world();
    world.user("bob");
    assert!(world.in_session("alice", create(2, "second", "pk_2")).is_ok());
    assert_eq!(world.in_session("alice", create(3, "third", "pk_3")), Err(Reject::TooManyApiKeys));
    assert!(world.in_session("bob", create(3, "third", "pk_3")).is_ok());
    world.in_session("alice", Command::RevokeApiKey(RevokeApiKey { key: KeyId::new(2) })).expect("one less");
    world.wait(Span::minutes(30));
    assert!(world.in_session("alice", create(4, "third", "pk_4")).is_ok());
}

#[test]
fn create_api_key_refuses_what_is_taken_or_no_name() {
    let long = "n".repeat(65);
    let (name_rule, key_rule) = ("1 to 64 printable characters", "1 to 64 visible ASCII characters");
    let name_reject = || Reject::InvalidField { field: "name", rule: name_rule };
    let key_reject = || Reject::InvalidField { field: "public_key", rule: key_rule };
    let rows = [
        (create(2, "", "pk_2"), name_reject()),
        (create(2, "  ", "pk_2"), name_reject()),
        (create(2, "line\nbreak", "pk_2"), name_reject()),
        (create(2, &long, "pk_2"), name_reject()),
        (create(2, "second", ""), key_reject()),
        (create(2, "second", "pk 2"), key_reject()),
        (create(2, "second", &long), key_reject()),
        (create(2, "first", "pk_2"), Reject::DuplicateName),
        (create(2, "second", "pk_bob"), Reject::DuplicateId),
        (create(id("bob/key"), "second", "pk_2"), Reject::DuplicateId),
    ];
    for (command, reject) in rows {
        let mut world = world();
        world.user("bob");
        assert_eq!(world.in_session("alice", command.clone()), Err(reject), "{command:?}");
        assert!(world.changes().is_empty());
        assert_eq!(world.exchange.directory().user(world.user_index("alice")).keys.len(), 1);
    }
    assert!(
        world().in_session("alice", create(2, &"ü".repeat(64), &long[1..])).is_ok(),
        "the longest of both"
    );
}
