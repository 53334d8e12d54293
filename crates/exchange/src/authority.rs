//! Authorisation, and the steps shared by all commands: authenticate, look up the idempotency key, decide, remember.

use crate::command::{Command, Request};
use crate::exchange::Exchange;
use crate::id::{OperatorId, SessionId};
use crate::idempotency::{KEYS_MAX, KEYS_OF_FEW, KEYS_PER_USER_MAX, RememberedKey};
use crate::identity::{Actor, Role};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

/// The callers that may send a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// The node, also on behalf of a visitor who is not logged in.
    System,
    /// An operator of any role, acting for itself.
    Viewer,
    /// An operator, or the node.
    Operator,
    /// An operator who may approve, or the node. Creating operators needs this, since a new operator could be an
    /// approver.
    Approver,
    /// A user, by key or by session.
    User,
    /// A user by session: key management.
    Session,
}

impl Request {
    /// Whether the idempotency key of the request is remembered with its result. Of operators only what was done is: nothing
    /// can be doubled by deciding a refused command anew.
    pub fn is_remembered(&self, result: &Result<Reply, Reject>) -> bool {
        let is_operator = matches!(self.actor, Actor::Operator { .. });
        self.idempotency.is_some()
            && match result {
                Ok(reply) => !matches!(reply, Reply::Replayed { .. }),
                Err(reject) => !is_operator && reject.is_remembered(),
            }
    }
}

impl Command {
    /// Whether the command is refused in cancel-only mode.
    pub const fn adds_risk(&self) -> bool {
        use Command as C;
        matches!(self, C::PlaceOrder(_) | C::PlaceOrders(_) | C::AmendOrders(_) | C::MintSets(_))
    }
}

/// An authenticated sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    System,
    Operator {
        operator: OperatorId,
        role: Role,
    },
    /// An operator finalising a proposal. `is_agreed`: another person proposed it.
    Proposal {
        operator: OperatorId,
        role: Role,
        is_agreed: bool,
    },
    User {
        user: UserIndex,
        session: Option<SessionId>,
    },
}

impl Caller {
    pub(crate) fn may(self, authority: Authority) -> bool {
        match (authority, self) {
            (Authority::System | Authority::Operator | Authority::Approver, Caller::System) => true,
            (Authority::Viewer, Caller::Operator { .. }) => true,
            (Authority::Operator, Caller::Operator { role, .. }) => role >= Role::Operator,
            (Authority::Approver, Caller::Operator { role, .. }) => role >= Role::Approver,
            (Authority::User, Caller::User { .. }) => true,
            (Authority::Session, Caller::User { session, .. }) => session.is_some(),
            _ => false,
        }
    }

    /// The calling user.
    pub(crate) fn user(self) -> Result<UserIndex, Reject> {
        match self {
            Caller::User { user, .. } => Ok(user),
            Caller::System | Caller::Operator { .. } | Caller::Proposal { .. } => Err(Reject::NotAllowed),
        }
    }

    /// The calling user and the session of the request.
    pub(crate) fn session(self) -> Result<(UserIndex, SessionId), Reject> {
        match self {
            Caller::User { user, session: Some(session) } => Ok((user, session)),
            _ => Err(Reject::NotAllowed),
        }
    }

    /// The calling operator.
    pub(crate) fn operator(self) -> Result<OperatorId, Reject> {
        match self {
            Caller::Operator { operator, .. } | Caller::Proposal { operator, .. } => Ok(operator),
            Caller::System | Caller::User { .. } => Err(Reject::NotAllowed),
        }
    }

    /// The calling operator, if no other person has agreed to the command.
    pub(crate) const fn acts_alone(self) -> Option<OperatorId> {
        match self {
            Caller::Operator { operator, .. } | Caller::Proposal { operator, is_agreed: false, .. } => {
                Some(operator)
            }
            Caller::System | Caller::Proposal { .. } | Caller::User { .. } => None,
        }
    }

    /// Requires a role beyond the command's authority. The node has every role.
    pub(crate) fn require(self, least: Role) -> Result<(), Reject> {
        match self {
            Caller::System => Ok(()),
            Caller::Operator { role, .. } if role >= least => Ok(()),
            _ => Err(Reject::NotAllowed),
        }
    }
}

impl Exchange {
    /// Whether an actor may send commands of an authority now. For work that must not begin without permission, such as
    /// reading an upload; the command itself is checked again.
    pub fn may_send(&self, actor: Actor, authority: Authority) -> bool {
        self.authenticate(actor).is_ok_and(|caller| caller.may(authority))
    }

    pub(crate) fn decide(&mut self, request: &Request) -> Result<Reply, Reject> {
        let caller = self.authenticate(request.actor)?;
        if !caller.may(request.command.authority()) {
            return Err(Reject::NotAllowed);
        }
        if let Some(key) = &request.idempotency
            && let Some((body, seq)) = self.memory.find(key)
        {
            return if body == key.body {
                Ok(Reply::Replayed { seq })
            } else {
                Err(Reject::IdempotencyMismatch)
            };
        }
        let (Some(key), Some(user)) = (request.idempotency, self.owner_of_keys(caller)) else {
            return self.dispatch(caller, &request.command);
        };
        let operator = caller.operator().ok().filter(|_| self.since(5));
        if self.has_all_keys(user, operator) {
            return Err(Reject::TooManyIdempotencyKeys);
        }
        let result = self.dispatch(caller, &request.command);
        if request.is_remembered(&result) {
            self.directory.user_mut(user).open_orders.idempotency_keys += 1;
            self.memory.remember(RememberedKey { key, seq: self.seq, user: user.0, at: self.now }, operator);
            self.arm_ageing();
        }
        result
    }

    /// The account that remembers a caller's keys: a user's own, and the house's for all operators, from rules 4 on.
    fn owner_of_keys(&self, caller: Caller) -> Option<UserIndex> {
        match caller {
            Caller::User { user, .. } => Some(user),
            Caller::Operator { .. } if self.since(4) => Some(UserIndex::HOUSE),
            Caller::System | Caller::Operator { .. } | Caller::Proposal { .. } => None,
        }
    }

    /// Whether the owner of a key has used up its share. Rules 4 had one for all operators.
    fn has_all_keys(&self, user: UserIndex, operator: Option<OperatorId>) -> bool {
        if let Some(operator) = operator {
            return self.memory.of_operator(operator) >= KEYS_PER_USER_MAX;
        }
        let own = self.directory.user(user).open_orders.idempotency_keys;
        let is_full = self.since(4) && own >= KEYS_OF_FEW && self.memory.of_users() >= KEYS_MAX;
        own >= KEYS_PER_USER_MAX || is_full
    }

    fn authenticate(&self, actor: Actor) -> Result<Caller, Reject> {
        match actor {
            Actor::System => Ok(Caller::System),
            Actor::Key { key, generation } => {
                let (user, record, current) = self.directory.find_key(key).ok_or(Reject::UnknownKey)?;
                if current.generation != generation || current.needs_rotation {
                    return Err(Reject::StaleKey);
                }
                record.check_active()?;
                Ok(Caller::User { user, session: None })
            }
            Actor::Session { session } => {
                let user = self.directory.find_by_session(session).ok_or(Reject::UnknownSession)?;
                let record = self.directory.user(user);
                if record.session(session).is_none_or(|session| session.expires_at() <= self.now) {
                    return Err(Reject::UnknownSession);
                }
                record.check_active()?;
                Ok(Caller::User { user, session: Some(session) })
            }
            Actor::Operator { operator } => match self.directory.operator(operator) {
                Some(record) if record.is_active() => Ok(Caller::Operator { operator, role: record.role }),
                Some(record) if !record.revoked => Err(Reject::OperatorSuspended),
                _ => Err(Reject::UnknownOperator),
            },
        }
    }
}
