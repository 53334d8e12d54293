//! Operators: ids and tokens are never reused.

use exchange::command::{Command, CreateOperator, RevokeOperator, SuspendUser};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Role};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::world::World;

fn create(id: u128, name: &str, role: Role, token: &str) -> Command {
    Command::CreateOperator(CreateOperator {
        id: OperatorId::new(id),
        name: Text::from(name),
        role,
        token_hash: Hash32::of(token),
    })
}

#[test]
fn create_operator_gives_the_rights_of_its_role() {
    let mut world = World::new();
    let user = Command::SuspendUser(SuspendUser {
        user: exchange::id::UserId::new(404),
        suspended: true,
        keep_orders: false,
    });
    let olga = Actor::Operator { operator: OperatorId::new(1) };
    assert_eq!(world.apply(olga, user.clone()), Err(Reject::UnknownOperator));
    assert_eq!(world.system(create(1, "Olga", Role::Operator, "token")), Ok(Reply::Done));
    assert_eq!(world.apply(olga, user), Err(Reject::UserNotFound));
    let operator = world.exchange.directory().operators().next().expect("an operator");
    assert_eq!((&*operator.name, operator.role, operator.revoked), ("Olga", Role::Operator, false));
    assert_eq!((operator.token_hash, operator.created_at), (Hash32::of("token"), world.now));
}

#[test]
fn create_operator_refuses_a_second_use_of_id_or_token_even_of_a_revoked_one() {
    let mut world = World::new();
    world.system(create(1, "Olga", Role::Operator, "token")).expect("an operator");
    for _ in 0..2 {
        assert_eq!(world.system(create(1, "Otto", Role::Viewer, "other")), Err(Reject::DuplicateId));
        assert_eq!(world.system(create(2, "Otto", Role::Viewer, "token")), Err(Reject::DuplicateId));
        world
            .system(Command::RevokeOperator(RevokeOperator { operator: OperatorId::new(1) }))
            .expect("revoked");
    }
    let result = world.system(create(2, "", Role::Viewer, "other"));
    assert!(matches!(result, Err(Reject::InvalidField { field: "name", .. })));
}
