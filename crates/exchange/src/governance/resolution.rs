//! What is told of how an event ended, or was about to: the verdict, its evidence, who by role, and when.

use minicbor::{Decode, Encode};

use super::{Evidence, Verdict};
use crate::id::OperatorId;
use crate::identity::Role;
use crate::text::Text;
use crate::time::Time;

/// Who did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Author {
    /// The node itself: a series by its clock, or whoever holds the machine.
    #[n(0)]
    Node,
    #[n(1)]
    Operator {
        #[n(0)]
        operator: OperatorId,
        #[n(1)]
        role: Role,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Ending {
    #[n(0)]
    Finalised,
    #[n(1)]
    Withdrawn {
        #[n(0)]
        reason: Text,
    },
    /// The event ended otherwise, or so that the verdict no longer applies.
    #[n(2)]
    Overtaken,
}

/// A verdict that came to an end. An event keeps all of its own.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Resolution {
    #[n(0)]
    pub verdict: Verdict,
    #[n(1)]
    pub evidence: Evidence,
    #[n(2)]
    pub proposed_by: Author,
    #[n(3)]
    pub proposed_at: Time,
    #[n(4)]
    pub ending: Ending,
    #[n(5)]
    pub ended_by: Author,
    #[n(6)]
    pub ended_at: Time,
}

impl Resolution {
    /// What was decided at once, with nothing proposed before.
    pub(crate) fn at_once(verdict: Verdict, author: Author, at: Time) -> Resolution {
        Resolution {
            verdict,
            evidence: Evidence::default(),
            proposed_by: author,
            proposed_at: at,
            ending: Ending::Finalised,
            ended_by: author,
            ended_at: at,
        }
    }
}
