//! A revoked operator can do nothing and stays on record.

use exchange::command::{Command, CreateOperator, RevokeOperator, SuspendUser};
use exchange::id::{Hash32, OperatorId, UserId};
use exchange::identity::{Actor, Role};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::world::World;

#[test]
fn revoke_operator_stops_the_very_next_command() {
    let mut world = World::new();
    let operator = OperatorId::new(1);
    let revoke = Command::RevokeOperator(RevokeOperator { operator });
    assert_eq!(world.system(revoke.clone()), Err(Reject::OperatorNotFound));
    let create = Command::CreateOperator(CreateOperator {
        id: operator,
        name: Text::from("Olga"),
        role: Role::Approver,
        token_hash: Hash32::of("token"),
    });
    world.system(create).expect("an operator");
    let alone = world.apply(Actor::Operator { operator }, revoke.clone());
    assert_eq!(alone, Err(Reject::LastApprover), "without an approver no other could be made");
    world.operator("ada", Role::Approver);
    assert_eq!(world.apply(Actor::Operator { operator }, revoke.clone()), Ok(Reply::Done), "even oneself");
    let suspend =
        Command::SuspendUser(SuspendUser { user: UserId::new(404), suspended: true, keep_orders: false });
    assert_eq!(world.apply(Actor::Operator { operator }, suspend), Err(Reject::UnknownOperator));
    let revoked = |operator: &&exchange::identity::Operator| operator.revoked;
    assert_eq!(world.exchange.directory().operators().filter(revoked).count(), 1);
    assert_eq!(world.system(revoke), Ok(Reply::Done), "twice is as good as once");
}
