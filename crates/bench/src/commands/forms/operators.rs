//! Operators and their sessions.

use exchange::command::{
    BreakGlass, ChangeRole, Command, ConfirmOperator, CreateOperator, EndOperatorSession,
    OpenOperatorSession, RevokeOperator, SuspendOperator,
};
use exchange::identity::Role;
use exchange::text::Text;

use super::{ADA, Form, SYSTEM, Work};
use crate::ids;
use crate::world::Sizes;

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    let (new, known) = (sizes.operators + 1, sizes.operators - 1);
    let name = || Text::from("new");
    let create = |number| {
        let (id, token_hash) = (ids::operator(number), ids::hash("operator", number));
        Command::CreateOperator(CreateOperator { id, name: name(), role: Role::Operator, token_hash })
    };
    let glass = |number| {
        let (id, token_hash) = (ids::operator(number), ids::hash("operator", number));
        Command::BreakGlass(BreakGlass { id, name: name(), token_hash })
    };
    let revoke = |number| Command::RevokeOperator(RevokeOperator { operator: ids::operator(number) });
    let role = |role| Command::ChangeRole(ChangeRole { operator: ids::operator(1), role });
    let confirm = Command::ConfirmOperator(ConfirmOperator { operator: ids::operator(1) });
    let suspend = |number| {
        Command::SuspendOperator(SuspendOperator {
            operator: ids::operator(number),
            suspended: true,
            until: None,
        })
    };
    let open = |place| {
        let token_hash = ids::hash(&format!("console {place}"), 0);
        Command::OpenOperatorSession(OpenOperatorSession { token_hash })
    };
    let end = |number| {
        let token_hash = ids::hash("console 19", number);
        Command::EndOperatorSession(EndOperatorSession { token_hash })
    };
    vec![
        Form::plain("one more", SYSTEM, create(new)),
        Form::refused("a known token", SYSTEM, create(known)),
        Form::refused("by one of two persons", ADA, create(new)),
        Form::with(
            "with a hundred proposals that wait",
            SYSTEM,
            revoke(ids::FIRST_OPERATOR + 1),
            Work::Items("proposals ended", 100),
        ),
        Form::refused("by one of two persons", ADA, revoke(1)),
        Form::plain("an approver less", SYSTEM, role(Role::Operator)),
        Form::refused("by one of two persons", ADA, role(Role::Operator)),
        Form::plain("by the node", SYSTEM, confirm.clone()),
        Form::refused("by one of two persons", ADA, confirm),
        Form::plain("ends twenty sessions", ADA, suspend(1)),
        Form::refused("unknown", ADA, suspend(new)),
        Form::plain("the twenty-first: the oldest ends", ADA, open(20)),
        Form::refused("a known token", ADA, open(19)),
        Form::plain("of twenty", ADA, end(0)),
        Form::refused("of another", ADA, end(1)),
        Form::plain("one more", SYSTEM, glass(new)),
        Form::refused("a known token", SYSTEM, glass(known)),
    ]
}
