//! Authority: every command against every kind of sender.

use exchange::command::{
    Command, CreateOperator, Propose, Request, RevokeApiKey, RevokeOperator, RotateApiKey, SuspendUser,
};
use exchange::governance::Subject;
use exchange::id::{Hash32, KeyId, OperatorId, SessionId, UserId};
use exchange::identity::{Actor, Role};
use exchange::reject::Reject;
use exchange::text::Text;

use crate::rules::samples::{self, stage};
use crate::rules::world::{World, id, key_of};

/// The senders that each command accepts, repeated here so that an accidental change in the code fails this test.
fn row(command: &str) -> &'static str {
    match command {
        "tick"
        | "start_login"
        | "open_session"
        | "reset_password"
        | "end_connection"
        | "request_password_reset"
        | "break_glass"
        | "record_master_key"
        | "replace_master_key"
        | "record_skip" => "system",
        "open_operator_session" | "end_operator_session" => "viewer operator approver",
        "upgrade_rules" | "create_operator" | "revoke_operator" | "change_role" | "confirm_operator"
        | "suspend_operator" | "set_policy" | "change_policy" => "system approver",
        "create_user"
        | "suspend_user"
        | "freeze_user"
        | "erase_user"
        | "approve_password_reset"
        | "cancel_orders_of"
        | "credit_wallet"
        | "debit_wallet"
        | "move_fees"
        | "finalise_series" => "system approver operator",
        "create_event" | "edit_event" | "open_event" | "pause_trading" | "resume_trading"
        | "close_trading" | "resolve_market" | "cancel_markets" | "seed_pool" | "grow_pool" => {
            "system approver operator"
        }
        "create_series" | "pause_series" | "record_price" | "import_sports" | "create_soccer_events" => {
            "system approver operator"
        }
        "set_market_terms" | "change_terms" | "do_or_propose" | "record_game_result" | "propose"
        | "finalise" | "withdraw" | "set_cancel_only" | "record_picture" | "record_news" => {
            "system approver operator"
        }
        "end_session" | "create_api_key" | "revoke_api_key" | "rotate_api_key" => "session",
        "set_watchlist"
        | "place_order"
        | "place_orders"
        | "cancel_order"
        | "cancel_orders"
        | "cancel_all_orders"
        | "cancel_after"
        | "cancel_on_disconnect"
        | "amend_orders"
        | "mint_sets"
        | "burn_sets" => "session key",
        other => panic!("{other} has no row: add its senders"),
    }
}

/// Every kind of sender, with the rejection of those that no command accepts.
fn senders() -> Vec<(&'static str, Actor, Option<Reject>)> {
    let operator = |name: &str| Actor::Operator { operator: OperatorId::new(id(name)) };
    let session = |name: &str| Actor::Session { session: SessionId::new(id(&format!("{name}/session"))) };
    let stale = Actor::Key { key: KeyId::new(id("rita/key")), generation: 0 };
    let future = Actor::Key { key: KeyId::new(id("alice/key")), generation: 1 };
    vec![
        ("system", Actor::System, None),
        ("viewer", operator("viewer"), None),
        ("operator", operator("operator"), None),
        ("approver", operator("approver"), None),
        ("revoked operator", operator("revoked"), Some(Reject::UnknownOperator)),
        ("no operator", operator("nobody"), Some(Reject::UnknownOperator)),
        ("key", key_of("alice"), None),
        ("revoked key", key_of("victor"), Some(Reject::UnknownKey)),
        ("stale key", stale, Some(Reject::StaleKey)),
        ("key of the future", future, Some(Reject::StaleKey)),
        ("suspended user's key", key_of("sam"), Some(Reject::UserSuspended)),
        ("no key", key_of("nobody"), Some(Reject::UnknownKey)),
        ("session", session("alice"), None),
        ("ended session", session("victor"), Some(Reject::UnknownSession)),
        ("suspended user's session", session("sam"), Some(Reject::UnknownSession)),
        ("no session", session("nobody"), Some(Reject::UnknownSession)),
    ]
}

/// A stage with all of those senders.
fn crowded_stage() -> World {
    let mut world = stage();
    for name in ["rita", "victor", "sam"] {
        world.user(name);
    }
    let key = |name: &str| KeyId::new(id(&format!("{name}/key")));
    world.in_session("rita", Command::RotateApiKey(RotateApiKey { key: key("rita") })).expect("rotated");
    world.in_session("victor", Command::RevokeApiKey(RevokeApiKey { key: key("victor") })).expect("revoked");
    world.in_session("victor", Command::EndSession).expect("ended");
    world
        .system(Command::SuspendUser(SuspendUser {
            user: UserId::new(id("sam")),
            suspended: true,
            keep_orders: false,
        }))
        .expect("suspended");
    let roles = [
        ("viewer", Role::Viewer),
        ("operator", Role::Operator),
        ("approver", Role::Approver),
        ("revoked", Role::Approver),
    ];
    for (name, role) in roles {
        let (id, token_hash) = (OperatorId::new(id(name)), Hash32::of(name));
        world
            .system(Command::CreateOperator(CreateOperator { id, name: Text::from(name), role, token_hash }))
            .expect("an operator");
    }
    world
        .system(Command::RevokeOperator(RevokeOperator { operator: OperatorId::new(id("revoked")) }))
        .expect("revoked");
    world
}

/// A proposal is open to the operators that may send the proposed command.
fn proposes_for_approvers(command: &Command) -> bool {
    matches!(command, Command::Propose(Propose { subject: Subject::Command(proposed), .. }) if row(proposed.name()) == "system approver")
}

#[test]
fn every_command_is_open_to_its_senders_and_to_no_other() {
    let world = crowded_stage();
    let mut open = 0;
    for command in samples::every_command() {
        let name = command.name();
        for (sender, actor, unrecognised) in senders() {
            let mut world = world.clone();
            let result = world
                .exchange
                .apply(world.now, &Request { actor, idempotency: None, command: command.clone() })
                .expect("a request of this build");
            if let Some(reject) = unrecognised {
                assert_eq!(result, Err(reject), "{name} by {sender}");
                assert!(world.changes().is_empty(), "{name} by {sender} changed something");
            } else if row(name).split(' ').any(|allowed| allowed == sender) {
                let asks_for_more = sender == "operator" && proposes_for_approvers(&command);
                assert_eq!(result == Err(Reject::NotAllowed), asks_for_more, "{name} by {sender}");
                open += 1;
            } else {
                assert_eq!(result, Err(Reject::NotAllowed), "{name} by {sender}");
                assert!(world.changes().is_empty(), "{name} by {sender} changed something");
            }
        }
    }
    assert!(open > Command::NAMES.len(), "every command has a sender");
}

#[test]
fn every_command_has_a_sample() {
    let commands = samples::every_command();
    for name in Command::NAMES {
        assert!(commands.iter().any(|command| command.name() == *name), "{name} has no sample");
        assert!(!row(name).is_empty());
    }
}

#[test]
fn a_refused_sender_leaves_the_state_as_it_was_but_for_the_count() {
    let world = crowded_stage();
    for command in samples::every_command() {
        let mut refused = world.clone();
        let mut ticked = world.clone();
        let actor = key_of("sam");
        let _ = refused
            .exchange
            .apply(world.now, &Request { actor, idempotency: None, command })
            .expect("a request of this build");
        let tick = Request { actor, idempotency: None, command: Command::Tick };
        let _ = ticked.exchange.apply(world.now, &tick).expect("a request of this build");
        assert_eq!(refused.exchange.digest(), ticked.exchange.digest());
    }
}
