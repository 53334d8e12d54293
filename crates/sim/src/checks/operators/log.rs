//! Operators and the persons behind them, derived only from the sequence of accepted commands.
//!
//! The rules store a set of holders with each operator. This module stores a list of facts and evaluates it for each
//! query; both must agree. It must not call the rules on persons.

use std::collections::{BTreeMap, BTreeSet};

use exchange::Exchange;
use exchange::command::{
    BreakGlass, ChangeRole, Command, ConfirmOperator, CreateOperator, RevokeOperator, SuspendOperator,
};
use exchange::governance::Policy;
use exchange::id::OperatorId;
use exchange::identity::Role;
use exchange::time::{Span, Time};

const GLASS_LIFE: Span = Span::hours(24);

/// The persons who support a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backing {
    /// The node, or the owner of the machine.
    Node,
    /// One person.
    Alone(OperatorId),
    /// Two persons.
    Agreed,
    /// A break-glass operator, who needs no second person.
    Glass(OperatorId),
}

#[derive(Clone, Copy, Debug)]
enum Fact {
    Made {
        operator: OperatorId,
        backing: Backing,
    },
    Confirmed {
        operator: OperatorId,
    },
    /// A break-glass operator decided about it alone, under rules 4.
    Held {
        operator: OperatorId,
        by: OperatorId,
    },
}

impl Fact {
    const fn operator(self) -> OperatorId {
        match self {
            Fact::Made { operator, .. } | Fact::Confirmed { operator } | Fact::Held { operator, .. } => {
                operator
            }
        }
    }
}

/// One operator, as derived from the commands.
#[derive(Clone, Debug)]
pub(super) struct TrackedOperator {
    pub(super) role: Role,
    pub(super) is_revoked: bool,
    pub(super) is_suspended: bool,
    pub(super) glass_at: Option<Time>,
    /// The support for its creation, and for a later confirmation.
    pub(super) made: Backing,
    pub(super) confirmed: Option<Backing>,
    /// Operators whose person may hold its token.
    pub(super) holders: BTreeSet<OperatorId>,
}

impl TrackedOperator {
    fn new(role: Role, made: Backing) -> TrackedOperator {
        TrackedOperator {
            role,
            is_revoked: false,
            is_suspended: false,
            glass_at: None,
            made,
            confirmed: None,
            holders: BTreeSet::new(),
        }
    }

    pub(super) fn is_active_approver(&self) -> bool {
        self.role == Role::Approver && !self.is_revoked && !self.is_suspended
    }

    pub(super) fn is_glass(&self, now: Time) -> bool {
        self.glass_at.is_some_and(|at| at + GLASS_LIFE > now)
    }

    /// The break-glass operator on whom its status as a separate person depends.
    pub(super) fn glass_behind(&self) -> Option<OperatorId> {
        match (self.made, self.confirmed) {
            (_, Some(Backing::Glass(glass))) | (Backing::Glass(glass), None) => Some(glass),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    facts: Vec<Fact>,
    pub(super) operators: BTreeMap<OperatorId, TrackedOperator>,
    pub(super) policy: Policy,
}

impl Log {
    /// The possible holders of an operator's token, considering only the first `known` facts.
    fn holders(&self, operator: OperatorId, known: usize) -> BTreeSet<OperatorId> {
        let mut holders = BTreeSet::from([operator]);
        let last = self.facts[..known].iter().rposition(|fact| fact.operator() == operator);
        let Some(place) = last else { return holders };
        match self.facts[place] {
            Fact::Made { backing: Backing::Alone(maker), .. } => holders.extend(self.holders(maker, place)),
            Fact::Held { by, .. } => {
                holders.extend(self.holders(operator, place));
                holders.extend(self.holders(by, place));
            }
            Fact::Made { .. } | Fact::Confirmed { .. } => {}
        }
        holders
    }

    fn learn(&mut self, fact: Fact) {
        self.facts.push(fact);
        let holders = self.holders(fact.operator(), self.facts.len());
        if let Some(known) = self.operators.get_mut(&fact.operator()) {
            known.holders = holders;
        }
    }

    /// Whether one person may hold the tokens of both.
    pub(super) fn is_one_person(&self, one: OperatorId, other: OperatorId) -> bool {
        let facts = self.facts.len();
        !self.holders(one, facts).is_disjoint(&self.holders(other, facts))
    }

    /// Whether a command permanently removes an approver. A suspension is temporary and does not count.
    pub(super) fn takes_approver(&self, command: &Command) -> bool {
        let operator = match command {
            Command::RevokeOperator(RevokeOperator { operator }) => operator,
            Command::ChangeRole(ChangeRole { operator, role }) if *role != Role::Approver => operator,
            _ => return false,
        };
        self.operators.get(operator).is_some_and(TrackedOperator::is_active_approver)
    }

    /// Whether there are two approvers who are different persons.
    pub(super) fn has_two_persons(&self) -> bool {
        let approvers = self.operators.iter().filter(|(_, known)| known.is_active_approver());
        let approvers: Vec<_> = approvers.map(|(operator, _)| *operator).collect();
        let has_another = |one: &OperatorId| approvers.iter().any(|other| !self.is_one_person(*one, *other));
        approvers.iter().any(has_another)
    }

    /// Applies an accepted command to the operators and the policy.
    pub(super) fn carry_out(&mut self, command: &Command, backing: Backing, exchange: &Exchange) {
        let now = exchange.now();
        let glass = match backing {
            Backing::Glass(glass) if exchange.rules_version() >= 4 => Some(glass),
            _ => None,
        };
        let backing = glass.map_or(backing, Backing::Alone);
        match command {
            Command::CreateOperator(CreateOperator { id, role, .. }) => {
                self.operators.insert(*id, TrackedOperator::new(*role, backing));
                self.learn(Fact::Made { operator: *id, backing });
            }
            Command::BreakGlass(BreakGlass { id, .. }) => {
                let known = TrackedOperator {
                    glass_at: Some(now),
                    ..TrackedOperator::new(Role::Approver, Backing::Node)
                };
                self.operators.insert(*id, known);
                self.learn(Fact::Made { operator: *id, backing: Backing::Node });
            }
            Command::ConfirmOperator(ConfirmOperator { operator }) => {
                if let Some(by) = glass {
                    let is_own = self.holders(*operator, self.facts.len()).len() == 1;
                    if !is_own {
                        self.learn(Fact::Held { operator: *operator, by });
                    }
                    return;
                }
                if let Some(known) = self.operators.get_mut(operator) {
                    known.confirmed = Some(backing);
                }
                self.learn(Fact::Confirmed { operator: *operator });
            }
            Command::ChangeRole(ChangeRole { operator, role }) => {
                let is_raised = self.operators.get(operator).is_some_and(|known| known.role < *role);
                self.change(*operator, |known| known.role = *role);
                if let Some(by) = glass.filter(|_| is_raised) {
                    self.learn(Fact::Held { operator: *operator, by });
                }
            }
            Command::SuspendOperator(SuspendOperator { operator, suspended, .. }) => {
                self.change(*operator, |known| known.is_suspended = *suspended)
            }
            Command::RevokeOperator(RevokeOperator { operator }) => {
                self.change(*operator, |known| known.is_revoked = true)
            }
            Command::SetPolicy(policy) => self.set_policy(*policy),
            Command::ChangePolicy(change) => self.set_policy(change.over(&self.policy)),
            _ => {}
        }
    }

    fn change(&mut self, operator: OperatorId, change: impl FnOnce(&mut TrackedOperator)) {
        if let Some(known) = self.operators.get_mut(&operator) {
            change(known);
        }
    }

    /// When two persons are first required, the current approvers become separate persons.
    fn set_policy(&mut self, policy: Policy) {
        if policy.two_required && !self.policy.two_required {
            let approvers = self.operators.iter().filter(|(_, known)| known.is_active_approver());
            let approvers: Vec<_> = approvers.map(|(operator, _)| *operator).collect();
            for operator in approvers {
                self.learn(Fact::Confirmed { operator });
            }
        }
        self.policy = policy;
    }
}
