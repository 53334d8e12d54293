//! A new account: what an address and a tag may be, and that each is there once.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, CreateUser};
use exchange::id::{Hash32, UserId};
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::world::World;

fn create(id: u128, email: &str, tag: &str) -> Command {
    Command::CreateUser(CreateUser {
        id: UserId::new(id),
        email: Text::from(email),
        tag: Text::from(tag),
        password_hash: None,
    })
}

#[test]
fn create_user_makes_an_empty_account_that_is_found_by_id_address_and_tag() {
    let mut world = World::new();
    assert_eq!(world.system(create(7, "carol@example.com", "Carol_7")), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::UserCreated { user: UserId::new(7) }]);
    let directory = world.exchange.directory();
    let index = directory.find(UserId::new(7)).expect("by id");
    assert_eq!(directory.find_by_email(Hash32::of("carol@example.com")), Some(index));
    assert_eq!(directory.find_by_tag("cAROL_7"), Some(index));
    let user = directory.user(index);
    assert_eq!((user.password_version, user.disabled, user.created_at), (0, false, world.now));
    for currency in Currency::ALL {
        assert_eq!(world.exchange.ledger().wallet(index, currency).total(), Money::ZERO);
    }
}

#[test]
fn create_user_refuses_an_address_that_is_not_normal() {
    let long = format!("{}@example.com", "a".repeat(243));
    let rows = [
        "",
        "carol",
        "@example.com",
        "carol@",
        "a@b@c",
        "Carol@example.com",
        "a b@c",
        "a\n@c",
        "a@c\u{7f}",
        &long,
    ];
    let mut world = World::new();
    for email in rows {
        let result = world.system(create(7, email, "carol"));
        assert!(matches!(result, Err(Reject::InvalidField { field: "email", .. })), "{email:?}: {result:?}");
        assert!(world.changes().is_empty());
    }
    let longest = &long[1..];
    assert_eq!(longest.len(), 254);
    assert_eq!(world.system(create(7, longest, "carol")), Ok(Reply::Done));
}

#[test]
fn create_user_refuses_a_tag_outside_its_alphabet_and_length() {
    let mut world = World::new();
    let long = "a".repeat(31);
    for tag in ["", "ab", &long, "with space", "dash-ed", "ümlaut", "dot.ted"] {
        let result = world.system(create(7, "carol@example.com", tag));
        assert!(matches!(result, Err(Reject::InvalidField { field: "tag", .. })), "{tag:?}: {result:?}");
    }
    assert_eq!(world.system(create(7, "carol@example.com", "abc")), Ok(Reply::Done));
    assert_eq!(world.system(create(8, "dave@example.com", &long[1..])), Ok(Reply::Done));
}

#[test]
fn create_user_refuses_a_second_use_of_id_address_or_tag() {
    let mut world = World::new();
    world.user("alice");
    let alice = crate::world::id("alice");
    let rows = [
        (create(alice, "new@example.com", "new"), Reject::DuplicateId),
        (create(Exchange::HOUSE.as_u128(), "new@example.com", "new"), Reject::DuplicateId),
        (create(7, "alice@example.com", "new"), Reject::DuplicateEmail),
        (create(7, "new@example.com", "ALICE"), Reject::DuplicateTag),
        (create(7, "new@example.com", "House"), Reject::DuplicateTag),
    ];
    for (command, reject) in rows {
        assert_eq!(world.system(command.clone()), Err(reject), "{command:?}");
    }
    assert_eq!(world.exchange.directory().users().len(), 2);
}

#[test]
fn create_user_refuses_an_empty_or_endless_password_hash() {
    let mut world = World::new();
    for (hash, is_fine) in [("", false), (&*"x".repeat(257), false), (&*"x".repeat(256), true)] {
        let command = Command::CreateUser(CreateUser {
            id: UserId::new(7),
            email: Text::from("a@b"),
            tag: Text::from("carol"),
            password_hash: Some(Text::from(hash)),
        });
        assert_eq!(world.system(command).is_ok(), is_fine, "{} bytes", hash.len());
    }
}
