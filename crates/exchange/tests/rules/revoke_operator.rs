//! A revoked operator can do nothing and stays on record.

use exchange::command::Command;
use exchange::id::{Hash32, OperatorId, UserId};
use exchange::identity::{Actor, Role};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::world::World;

#[test]
fn revoke_operator_stops_the_very_next_command() {
    let mut world = World::new();
    let operator = OperatorId::new(1);
    let revoke = Command::RevokeOperator { operator };
    assert_eq!(world.system(revoke.clone()), Err(Reject::OperatorNotFound));
    let create = Command::CreateOperator {
        id: operator,
        name: Text::from("Olga"),
        role: Role::Approver,
        token_hash: Hash32::of("token"),
    };
    world.system(create).expect("an operator");
    assert_eq!(world.apply(Actor::Operator { operator }, revoke.clone()), Ok(Reply::Done), "even oneself");
    let suspend = Command::SuspendUser { user: UserId::new(404), suspended: true };
    assert_eq!(world.apply(Actor::Operator { operator }, suspend), Err(Reject::UnknownOperator));
    assert!(world.exchange.directory().operators().all(|operator| operator.revoked));
    assert_eq!(world.system(revoke), Ok(Reply::Done), "twice is as good as once");
}
