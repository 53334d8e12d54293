//! Who may ask for what: every command against every kind of sender.

use exchange::command::{Command, Request};
use exchange::governance::Subject;
use exchange::id::{Hash32, KeyId, OperatorId, SessionId, UserId};
use exchange::identity::{Actor, Role};
use exchange::reject::Reject;
use exchange::text::Text;

use crate::samples::{self, stage};
use crate::world::{World, id, key_of};

/// Whom a command is open to, once more and apart from the code: nobody changes it by accident.
fn row(command: &str) -> &'static str {
    match command {
        "Tick"
        | "UpgradeRules"
        | "StartLogin"
        | "OpenSession"
        | "ResetPassword"
        | "EndConnection"
        | "RequestPasswordReset"
        | "BreakGlass"
        | "RecordMasterKey"
        | "ReplaceMasterKey" => "system",
        "OpenOperatorSession" | "EndOperatorSession" => "viewer operator approver",
        "CreateOperator" | "RevokeOperator" | "ChangeRole" | "ConfirmOperator" | "SuspendOperator"
        | "SetPolicy" => "system approver",
        "CreateUser"
        | "SuspendUser"
        | "FreezeUser"
        | "ApprovePasswordReset"
        | "CancelOrdersOf"
        | "CreditWallet"
        | "DebitWallet"
        | "MoveFees"
        | "FinaliseSeries" => "system approver operator",
        "CreateEvent" | "EditEvent" | "OpenEvent" | "PauseTrading" | "ResumeTrading" | "CloseTrading"
        | "ResolveMarket" | "CancelMarkets" | "SeedPool" | "GrowPool" => "system approver operator",
        "CreateSeries" | "PauseSeries" | "RecordPrice" | "ImportSports" | "CreateSoccerEvents" => {
            "system approver operator"
        }
        "SetMarketTerms" | "RecordGameResult" | "Propose" | "Finalise" | "Withdraw" | "SetCancelOnly" => {
            "system approver operator"
        }
        "EndSession" | "CreateApiKey" | "RevokeApiKey" | "RotateApiKey" => "session",
        "SetWatchlist" | "PlaceOrder" | "PlaceOrders" | "CancelOrder" | "CancelOrders"
        | "CancelAllOrders" | "CancelAfter" | "CancelOnDisconnect" | "AmendOrders" | "MintSets"
        | "BurnSets" => "session key",
        other => panic!("{other} is open to someone: say to whom"),
    }
}

/// Every kind of sender. Some are not recognised at all, whatever they ask for.
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
    world.in_session("rita", Command::RotateApiKey { key: key("rita") }).expect("rotated");
    world.in_session("victor", Command::RevokeApiKey { key: key("victor") }).expect("revoked");
    world.in_session("victor", Command::EndSession).expect("ended");
    world
        .system(Command::SuspendUser { user: UserId::new(id("sam")), suspended: true, keep_orders: false })
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
            .system(Command::CreateOperator { id, name: Text::from(name), role, token_hash })
            .expect("an operator");
    }
    world.system(Command::RevokeOperator { operator: OperatorId::new(id("revoked")) }).expect("revoked");
    world
}

/// A proposal is open to the operators whom the proposed command is open to.
fn proposes_for_approvers(command: &Command) -> bool {
    matches!(command, Command::Propose { subject: Subject::Command(proposed), .. } if row(samples::name(proposed)) == "system approver")
}

#[test]
fn every_command_is_open_to_its_senders_and_to_no_other() {
    let world = crowded_stage();
    let mut open = 0;
    for command in samples::every_command() {
        let name = samples::name(&command);
        for (sender, actor, unrecognised) in senders() {
            let mut world = world.clone();
            let result = world
                .exchange
                .apply(world.now, &Request { actor, idempotency: None, command: command.clone() });
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
    assert!(open > samples::NAMES.len(), "every command is open to someone");
}

#[test]
fn every_command_has_a_sample() {
    let commands = samples::every_command();
    for name in samples::NAMES {
        assert!(commands.iter().any(|command| samples::name(command) == *name), "{name} has no sample");
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
        let _ = refused.exchange.apply(world.now, &Request { actor, idempotency: None, command });
        let tick = Request { actor, idempotency: None, command: Command::Tick };
        let _ = ticked.exchange.apply(world.now, &tick);
        assert_eq!(refused.exchange.digest(), ticked.exchange.digest());
    }
}
