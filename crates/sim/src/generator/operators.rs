//! Commands about operators: creation, roles, confirmations, suspensions, revocations, break-glass.

use exchange::command::{
    BreakGlass, ChangeRole, Command, ConfirmOperator, CreateOperator, Request, RevokeOperator,
    SuspendOperator,
};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Operator, Role};
use exchange::text::Text;
use exchange::time::Time;

use super::opening::system_request;
use super::{Generator, View};

/// Operators per run, including inactive ones.
const OPERATORS_MAX: usize = 16;

pub(super) fn request_of(operator: OperatorId, command: Command) -> Request {
    Request { actor: Actor::Operator { operator }, idempotency: None, command }
}

impl Generator {
    pub(super) fn operators(&mut self, view: View<'_>) -> (Time, Request) {
        let suspended = self.operator_where(view, |operator| operator.suspended && !operator.revoked);
        if let Some(operator) = suspended
            && self.random.chance(40)
        {
            let lift = Command::SuspendOperator(SuspendOperator { operator, suspended: false, until: None });
            return (view.now, self.alone_or_agreed(view, lift));
        }
        let request = match self.random.below(20) {
            0..=9 => return self.begin_plot(view),
            10 => self.break_glass(view),
            11 => self.console(view),
            _ => {
                let command = self.about_operators(view);
                self.alone_or_agreed(view, command)
            }
        };
        (view.now, request)
    }

    pub(super) fn operator_where(
        &mut self,
        view: View<'_>,
        is_meant: impl Fn(&Operator) -> bool,
    ) -> Option<OperatorId> {
        let operators = view.exchange.directory().operators().filter(|operator| is_meant(operator));
        let ids: Vec<_> = operators.map(|operator| operator.id).collect();
        self.random.pick(&ids)
    }

    /// An active approver other than `other`.
    pub(super) fn approver(&mut self, view: View<'_>, other: Option<OperatorId>) -> Option<OperatorId> {
        self.operator_where(view, |operator| operator.is_active_approver() && Some(operator.id) != other)
    }

    fn alone_or_agreed(&mut self, view: View<'_>, command: Command) -> Request {
        match self.random.chance(50) {
            true => self.propose_command(view, command),
            false => self.by_person(view, command),
        }
    }

    pub(super) fn about_operators(&mut self, view: View<'_>) -> Command {
        let Some(operator) = self.operator_where(view, |operator| !operator.revoked) else {
            return self.new_operator(view);
        };
        match self.random.below(12) {
            0..=3 => self.new_operator(view),
            4..=5 => Command::ChangeRole(ChangeRole { operator, role: self.role() }),
            6..=7 => {
                let doubtful = self.operator_where(view, |operator| !operator.is_own_person());
                Command::ConfirmOperator(ConfirmOperator { operator: doubtful.unwrap_or(operator) })
            }
            8..=9 => Command::SuspendOperator(SuspendOperator { operator, suspended: true, until: None }),
            10 => Command::SuspendOperator(SuspendOperator { operator, suspended: false, until: None }),
            _ => Command::RevokeOperator(RevokeOperator { operator }),
        }
    }

    fn role(&mut self) -> Role {
        self.random.one_of([Role::Viewer, Role::Operator, Role::Operator, Role::Approver, Role::Approver])
    }

    fn new_operator(&mut self, view: View<'_>) -> Command {
        let role = self.role();
        self.create_operator(view, role)
    }

    /// Creates an operator, reusing an existing id once there are enough.
    pub(super) fn create_operator(&mut self, view: View<'_>, role: Role) -> Command {
        let id = self.new_operator_id(view);
        let token_hash = Hash32::of(&format!("token of {id}"));
        Command::CreateOperator(CreateOperator { id, name: Text::from("more"), role, token_hash })
    }

    pub(super) fn new_operator_id(&mut self, view: View<'_>) -> OperatorId {
        match view.exchange.directory().operators().len() < OPERATORS_MAX {
            true => OperatorId::new(self.fresh_id()),
            false => OperatorId::new(1 + self.random.below(4) as u128),
        }
    }

    fn break_glass(&mut self, view: View<'_>) -> Request {
        let id = self.new_operator_id(view);
        let (name, token_hash) = (Text::from("rescue"), Hash32::of(&format!("token of {id}")));
        system_request(Command::BreakGlass(BreakGlass { id, name, token_hash }))
    }
}
