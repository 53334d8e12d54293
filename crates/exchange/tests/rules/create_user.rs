//! A new account: valid tags, unique id, address and tag, and a row that has not expired.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, CreateUser};
use exchange::id::{RowId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, address};

fn create(id: u128, name: &str, tag: &str) -> Command {
    Command::CreateUser(CreateUser {
        id: UserId::new(id),
        address: address(name),
        tag: Text::from(tag),
        row: RowId::new(id),
        expires_at: Time::NEVER,
    })
}

#[test]
fn create_user_makes_an_empty_account_that_is_found_by_id_address_and_tag() {
    let mut world = World::new();
    assert_eq!(world.system(create(7, "carol", "Carol_7")), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::UserCreated { user: UserId::new(7) }]);
    let directory = world.exchange.directory();
    let index = directory.find(UserId::new(7)).expect("by id");
    assert_eq!(directory.find_by_address(address("carol")), Some(index));
    assert_eq!(directory.find_by_tag("cAROL_7"), Some(index));
    let user = directory.user(index);
    assert_eq!((user.password_version, user.disabled, user.created_at), (0, false, world.now));
    for currency in Currency::ALL {
        assert_eq!(world.exchange.ledger().wallet(index, currency).total(), Money::ZERO);
    }
}

#[test]
fn create_user_refuses_a_tag_outside_its_alphabet_and_length() {
    let mut world = World::new();
    let long = "a".repeat(31);
    for tag in ["", "ab", &long, "with space", "dash-ed", "ümlaut", "dot.ted"] {
        let result = world.system(create(7, "carol", tag));
        assert!(matches!(result, Err(Reject::InvalidField { field: "tag", .. })), "{tag:?}: {result:?}");
    }
    assert_eq!(world.system(create(7, "carol", "abc")), Ok(Reply::Done));
    assert_eq!(world.system(create(8, "dave", &long[1..])), Ok(Reply::Done));
}

#[test]
fn create_user_refuses_a_second_use_of_id_address_or_tag() {
    let mut world = World::new();
    world.user("alice");
    let alice = crate::rules::world::id("alice");
    let rows = [
        (create(alice, "new", "new"), Reject::DuplicateId),
        (create(Exchange::HOUSE.as_u128(), "new", "new"), Reject::DuplicateId),
        (create(7, "alice", "new"), Reject::DuplicateEmail),
        (create(7, "new", "ALICE"), Reject::DuplicateTag),
        (create(7, "new", "House"), Reject::DuplicateTag),
    ];
    for (command, reject) in rows {
        assert_eq!(world.system(command.clone()), Err(reject), "{command:?}");
    }
    assert_eq!(world.exchange.directory().users().len(), 2);
}

#[test]
fn create_user_refuses_a_row_at_its_expiry() {
    let mut world = World::new();
    let with = |expires_at| {
        let Command::CreateUser(new) = create(7, "carol", "carol") else { panic!("a new user") };
        Command::CreateUser(CreateUser { expires_at, ..new })
    };
    for late in [Time::ZERO, START] {
        assert_eq!(world.system(with(late)), Err(Reject::RowExpired));
        assert!(world.changes().is_empty());
    }
    assert_eq!(world.exchange.directory().users().len(), 1);
    assert_eq!(world.system(with(START + Span::MICROSECOND)), Ok(Reply::Done));
    assert!(world.exchange.directory().names_row(UserId::new(7), RowId::new(7)));
    assert!(!world.exchange.directory().names_row(UserId::new(7), RowId::new(8)));
    assert!(!world.exchange.directory().names_row(UserId::new(8), RowId::new(7)));
}
