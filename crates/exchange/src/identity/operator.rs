//! Operators, who run the venue, and their console sessions: 12 hours each, at most 20 per operator.

use minicbor::{Decode, Encode};

use crate::id::{Hash32, OperatorId};
use crate::numbers::{Money, PerCurrency};
use crate::text::Text;
use crate::time::{Span, Time};

pub const OPERATOR_SESSION_LIFE: Span = Span::hours(12);
/// A further session removes the oldest.
pub const OPERATOR_SESSIONS_MAX: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(index_only)]
pub enum Role {
    /// Reads only.
    #[n(0)]
    Viewer,
    /// Runs the venue.
    #[n(1)]
    Operator,
    /// Also finalises proposals that need two persons.
    #[n(2)]
    Approver,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Operator {
    #[n(0)]
    pub id: OperatorId,
    #[n(1)]
    pub name: Text,
    #[n(2)]
    pub role: Role,
    #[n(3)]
    pub token_hash: Hash32,
    #[n(4)]
    pub created_at: Time,
    #[n(5)]
    pub revoked: bool,
    /// The day of `moved`, in days since 1970.
    #[n(6)]
    pub moved_on: i64,
    /// Credits and debits of that day.
    #[n(7)]
    pub moved: PerCurrency<Money>,
    /// Oldest first.
    #[n(8)]
    pub sessions: Vec<OperatorSession>,
    /// Refused everything until the suspension is lifted.
    #[n(9)]
    pub suspended: bool,
    /// Operators whose person may hold this operator's token, including itself, sorted (`person.rs`).
    #[n(10)]
    pub holders: Vec<OperatorId>,
    /// When the owner of the machine created this operator by break-glass.
    #[n(11)]
    pub break_glass_at: Option<Time>,
    /// When the suspension ends by itself. Only under rules 4.
    #[n(12)]
    pub suspended_until: Option<Time>,
}

/// How long a break-glass approver may finalise proposals about operators alone, and nothing else.
pub const BREAK_GLASS_LIFE: Span = Span::hours(24);

impl Operator {
    pub const fn is_active(&self) -> bool {
        !self.revoked && !self.suspended
    }

    pub fn is_active_approver(&self) -> bool {
        self.is_active() && self.role == Role::Approver
    }

    pub fn is_break_glass(&self, now: Time) -> bool {
        self.break_glass_at.is_some_and(|at| now < at + BREAK_GLASS_LIFE)
    }
}

/// A login on the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OperatorSession {
    /// SHA-256 of the session's token; the token is only in the browser's cookie.
    #[n(0)]
    pub token_hash: Hash32,
    #[n(1)]
    pub created_at: Time,
}

impl OperatorSession {
    pub fn expires_at(&self) -> Time {
        self.created_at + OPERATOR_SESSION_LIFE
    }
}
