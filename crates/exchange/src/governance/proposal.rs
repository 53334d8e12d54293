//! What an operator proposes and somebody finalises later: the end of an event, the result of a game, another policy,
//! another approver.

use minicbor::{Decode, Encode};

use super::{Author, Policy, Score, Verdict};
use crate::catalogue::checks::{check_prose, check_url, require};
use crate::id::{EventId, GameId, Hash32, OperatorId, ProposalId};
use crate::reject::Reject;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Subject {
    #[n(0)]
    Resolution {
        #[n(0)]
        event: EventId,
        #[n(1)]
        verdict: Verdict,
    },
    #[n(1)]
    GameResult {
        #[n(0)]
        game: GameId,
        #[n(1)]
        score: Score,
    },
    #[n(2)]
    Policy(#[n(0)] Policy),
    /// Whoever could make an approver alone would be two.
    #[n(3)]
    Approver {
        #[n(0)]
        id: OperatorId,
        #[n(1)]
        name: Text,
        #[n(2)]
        token_hash: Hash32,
    },
}

impl Subject {
    /// Whether it pays people, and so stands in public for a while first.
    pub const fn pays(&self) -> bool {
        matches!(self, Subject::Resolution { .. } | Subject::GameResult { .. })
    }
}

/// Why a proposal is right, for everyone to see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Evidence {
    #[n(0)]
    pub text: Text,
    #[n(1)]
    pub link: Text,
}

impl Evidence {
    /// Prose, a link, or both.
    pub(crate) fn check(&self) -> Result<(), Reject> {
        require(!self.text.is_empty() || !self.link.is_empty(), "evidence", "has a text or a link")?;
        check_prose("evidence", &self.text)?;
        check_url("evidence link", &self.link)?;
        let is_web = ["https://", "http://"].iter().any(|scheme| self.link.starts_with(scheme));
        require(self.link.is_empty() || is_web, "evidence link", "begins with https:// or http://")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Proposal {
    #[n(0)]
    pub id: ProposalId,
    #[n(1)]
    pub subject: Subject,
    #[n(2)]
    pub evidence: Evidence,
    #[n(3)]
    pub by: Author,
    #[n(4)]
    pub at: Time,
}
