//! The public record of how an event ended, or of a verdict that did not apply: verdict, evidence, role of the author,
//! time.

use minicbor::{Decode, Encode};

use super::{Evidence, Verdict};
use crate::id::OperatorId;
use crate::identity::Role;
use crate::text::Text;
use crate::time::Time;

/// The author of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Author {
    /// The node: a series by its clock, or the owner of the machine.
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
    /// The event ended otherwise, or the verdict no longer applies.
    #[n(2)]
    Overtaken,
}

/// A verdict that is no longer pending. An event keeps all of its own.
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
    /// The record of a direct decision, without a proposal.
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
