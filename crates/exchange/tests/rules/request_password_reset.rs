//! A forgotten password: the person's own token, a code, an operator's approval.

use exchange::Exchange;
use exchange::command::{ApprovePasswordReset, Command, RequestPasswordReset, ResetPassword, SuspendUser};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::{RESETS_MAX, Role};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::propose::stage;
use crate::rules::world::{START, World, address, id};

pub(crate) fn request(user: &str, token: &str, code: &str, network: &str) -> Command {
    Command::RequestPasswordReset(RequestPasswordReset {
        user: UserId::new(id(user)),
        token_hash: Hash32::of(token),
        code: Text::from(code),
        network: Hash32::of(network),
        address: None,
    })
}

pub(crate) fn approve(user: &str, token: &str) -> Command {
    Command::ApprovePasswordReset(ApprovePasswordReset {
        user: UserId::new(id(user)),
        token_hash: Hash32::of(token),
    })
}

pub(crate) fn redeem(token: &str) -> Command {
    let (token_hash, row, expires_at) = (Hash32::of(token), RowId::new(7), Time::NEVER);
    Command::ResetPassword(ResetPassword { token_hash, row, expires_at, keep_keys: false })
}

#[test]
fn a_request_ends_after_a_day_approved_or_not() {
    for is_approved in [false, true] {
        let mut world = stage();
        world.system(request("alice", "token", "AB12CD", "home")).expect("a request");
        if is_approved {
            world.run_by("olga", approve("alice", "token")).expect("approved");
        }
        world.now = START + Span::hours(24);
        assert_eq!(world.run_by("olga", approve("alice", "token")), Err(Reject::TokenNotFound));
        assert_eq!(world.system(redeem("token")), Err(Reject::TokenNotFound));
    }
}

#[test]
fn a_network_has_one_open_request_for_an_account() {
    let mut world = stage();
    world.system(request("alice", "hers", "AAAAAA", "home")).expect("a request");
    for number in 0..RESETS_MAX * 3 {
        let code = format!("{number:06}");
        world.system(request("alice", &format!("flood {number}"), &code, "elsewhere")).expect("a request");
    }
    let resets = &world.exchange.directory().user(world.user_index("alice")).password_resets;
    let codes: Vec<_> = resets.iter().map(|reset| &*reset.code).collect();
    assert_eq!(codes, ["AAAAAA", "000149"]);
    world.run_by("olga", approve("alice", "hers")).expect("hers is still there");
}

#[test]
fn many_networks_drop_the_oldest_request() {
    let mut world = stage();
    for number in 0..=RESETS_MAX {
        let request = request("alice", &format!("t{number}"), &format!("{number:06}"), &format!("n{number}"));
        world.system(request).expect("a request");
    }
    let resets = &world.exchange.directory().user(world.user_index("alice")).password_resets;
    assert_eq!((resets.len(), &*resets[0].code), (RESETS_MAX, "000001"));
}

#[test]
fn request_password_reset_refuses_strangers_codes_and_tokens_in_use() {
    let mut world = World::new();
    world.user("alice");
    world.user("bob");
    world.operator("ada", Role::Approver);
    for code in ["", "AB12C", "AB12CDE", "ab12cd", "AB 2CD"] {
        let refused = world.system(request("alice", "token", code, "home"));
        assert!(matches!(refused, Err(Reject::InvalidField { field: "code", .. })), "{code}: {refused:?}");
    }
    assert_eq!(world.system(request("ghost", "token", "AB12CD", "home")), Err(Reject::UserNotFound));
    let mut house = request("alice", "token", "AB12CD", "home");
    if let Command::RequestPasswordReset(RequestPasswordReset { user, .. }) = &mut house {
        *user = Exchange::HOUSE;
    }
    assert_eq!(world.system(house), Err(Reject::UserNotFound));
    world.system(request("alice", "token", "AB12CD", "home")).expect("a request");
    assert_eq!(world.system(request("bob", "token", "ZZ12CD", "home")), Err(Reject::DuplicateId));
    assert_eq!(
        world.system(request("alice", "other", "AB12CD", "work")),
        Err(Reject::DuplicateId),
        "one code, one request"
    );
    world.run_by("ada", approve("bob", "token")).expect_err("the request is alice's");
}

/// The keyed hash of an address in place of a user: the same answer for all.
fn asked(address: Hash32, token: &str, code: &str, network: &str) -> Command {
    Command::RequestPasswordReset(RequestPasswordReset {
        user: UserId::new(0),
        token_hash: Hash32::of(token),
        code: Text::from(code),
        network: Hash32::of(network),
        address: Some(address),
    })
}

#[test]
fn nobody_learns_from_a_request_whether_an_address_has_an_account() {
    let mut world = stage();
    world.user("sam");
    let sam = UserId::new(id("sam"));
    world
        .system(Command::SuspendUser(SuspendUser { user: sam, suspended: true, keep_orders: false }))
        .expect("suspended");
    for who in ["alice", "nobody", "sam"] {
        for _ in 0..2 {
            let request = asked(address(who), &format!("token of {who}"), "AB12CD", "home");
            assert_eq!(world.system(request), Ok(Reply::Done), "{who}");
        }
    }
    let resets = |user| world.exchange.directory().user(world.user_index(user)).password_resets.len();
    assert_eq!((resets("alice"), resets("sam")), (1, 0));
}

#[test]
fn an_approved_request_is_never_dropped_for_another() {
    let mut world = stage();
    world.system(asked(address("alice"), "hers", "AAAAAA", "home")).expect("a request");
    world.run_by("olga", approve("alice", "hers")).expect("approved");
    for number in 0..RESETS_MAX * 2 {
        let (token, code, network) = (format!("t{number}"), format!("{number:06}"), format!("n{number}"));
        world.system(asked(address("alice"), &token, &code, &network)).expect("a request");
    }
    let resets = &world.exchange.directory().user(world.user_index("alice")).password_resets;
    assert_eq!(resets.len(), RESETS_MAX);
    assert!(world.system(redeem("hers")).is_ok());
}
