//! The operators who may act, and which of them are one person, derived from the accepted commands alone.

use std::collections::BTreeMap;

use exchange::command::{BreakGlass, ChangeRole, Command, CreateOperator, RevokeOperator, SuspendOperator};
use exchange::id::OperatorId;
use exchange::identity::Role;
use exchange::time::{Span, Time};

use super::Basis;

const GLASS_LIFE: Span = Span::hours(24);

#[derive(Clone, Copy, Debug)]
struct Known {
    role: Role,
    /// When its last suspension ends or ended by itself.
    suspended_until: Option<Time>,
    is_revoked: bool,
    glass_at: Option<Time>,
    /// The operator whose person holds its token.
    person: OperatorId,
}

#[derive(Clone, Debug, Default)]
pub struct Standing {
    known: BTreeMap<OperatorId, Known>,
}

impl Standing {
    /// Whether it may send anything now.
    pub fn is_active(&self, operator: OperatorId, now: Time) -> bool {
        let may_act =
            |known: &Known| !known.is_revoked && known.suspended_until.is_none_or(|until| until <= now);
        self.known.get(&operator).is_some_and(may_act)
    }

    /// Whether it may still stand by a proposal that takes a role.
    pub fn may_propose(&self, operator: OperatorId, least: Role, now: Time) -> bool {
        self.is_active(operator, now) && self.role(operator).is_some_and(|role| role >= least)
    }

    pub fn role(&self, operator: OperatorId) -> Option<Role> {
        self.known.get(&operator).map(|known| known.role)
    }

    pub fn is_one_person(&self, one: OperatorId, other: OperatorId) -> bool {
        let person = |operator| self.known.get(&operator).map(|known| known.person);
        one == other || (person(one).is_some() && person(one) == person(other))
    }

    /// Whether break-glass created it within a day.
    pub fn is_glass(&self, operator: OperatorId, now: Time) -> bool {
        let at = self.known.get(&operator).and_then(|known| known.glass_at);
        at.is_some_and(|at| now < at + GLASS_LIFE)
    }

    /// The operators of one person.
    pub fn of_person(&self, person: OperatorId) -> impl Iterator<Item = OperatorId> {
        self.known.iter().filter(move |(_, known)| known.person == person).map(|(id, _)| *id)
    }

    pub(super) fn carry_out(&mut self, command: &Command, basis: Basis, now: Time) {
        match command {
            Command::CreateOperator(CreateOperator { id, role, .. }) => {
                let person = match basis {
                    Basis::Alone(maker) | Basis::Glass(maker) => {
                        self.known.get(&maker).map_or(maker, |maker| maker.person)
                    }
                    Basis::Owner | Basis::User | Basis::Agreed(_) => *id,
                };
                self.add(*id, *role, None, person);
            }
            Command::BreakGlass(BreakGlass { id, .. }) => self.add(*id, Role::Approver, Some(now), *id),
            Command::ChangeRole(ChangeRole { operator, role }) => {
                self.change(*operator, |known| known.role = *role);
            }
            Command::SuspendOperator(SuspendOperator { operator, suspended: true, until }) => {
                // A further suspension never shortens the first.
                let until = Some(until.unwrap_or(Time::NEVER));
                self.change(*operator, |known| known.suspended_until = known.suspended_until.max(until));
            }
            Command::SuspendOperator(SuspendOperator { operator, suspended: false, .. }) => {
                self.change(*operator, |known| known.suspended_until = None);
            }
            Command::RevokeOperator(RevokeOperator { operator }) => {
                self.change(*operator, |known| known.is_revoked = true);
            }
            _ => {}
        }
    }

    fn add(&mut self, id: OperatorId, role: Role, glass_at: Option<Time>, person: OperatorId) {
        let known = Known { role, suspended_until: None, is_revoked: false, glass_at, person };
        self.known.insert(id, known);
    }

    fn change(&mut self, operator: OperatorId, change: impl FnOnce(&mut Known)) {
        if let Some(known) = self.known.get_mut(&operator) {
            change(known);
        }
    }
}
