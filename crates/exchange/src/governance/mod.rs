//! How the venue is run: what its operators may do alone, what waits for a second one, and whether it trades at all.
//!
//! `policy` are the settings, `proposal` what waits, `verdict` how an event ends, `resolution` what is told of it.
//! The commands `Propose`, `Finalise` and `Withdraw` move proposals; what an operator may still do at once is decided
//! in `direct`.

mod direct;
mod game_result;
mod overtaking;
mod policy;
mod preview;
mod proposal;
mod resolution;
mod verdict;

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use crate::id::{EventId, GameId, ProposalId};

pub use game_result::Score;
pub use policy::Policy;
pub use preview::{MarketPayout, Preview};
pub use proposal::{Evidence, Proposal, Subject};
pub use resolution::{Author, Ending, Resolution};
pub use verdict::{Ruling, Verdict};

/// Proposals that may wait at one time. Those that the clock makes for a series are not counted.
pub(crate) const PROPOSALS_MAX: usize = 1_000;

/// Why only cancelling is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum CancelOnlyCause {
    /// An operator said so.
    #[n(0)]
    Operator,
    /// The journal's disk is nearly full.
    #[n(1)]
    LowDisk,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Governance {
    #[n(0)]
    pub policy: Policy,
    /// What waits to be finalised or withdrawn.
    #[n(1)]
    pub(crate) proposals: BTreeMap<ProposalId, Proposal>,
    #[n(2)]
    pub(crate) stopped_by_operator: bool,
    #[n(3)]
    pub(crate) stopped_by_low_disk: bool,
}

impl Governance {
    pub fn proposals(&self) -> impl ExactSizeIterator<Item = &Proposal> {
        self.proposals.values()
    }

    pub fn proposal(&self, id: ProposalId) -> Option<&Proposal> {
        self.proposals.get(&id)
    }

    /// What waits to end this very event. The result of a game that it belongs to is not meant.
    pub fn proposal_for(&self, event: EventId) -> Option<&Proposal> {
        let is_for = |proposal: &&Proposal| matches!(&proposal.subject, Subject::Resolution { event: named, .. } if *named == event);
        self.proposals.values().find(is_for)
    }

    /// The result of a game that waits to be recorded.
    pub fn result_proposed_for(&self, game: GameId) -> Option<&Proposal> {
        let is_for = |proposal: &&Proposal| matches!(proposal.subject, Subject::GameResult { game: named, .. } if named == game);
        self.proposals.values().find(is_for)
    }

    pub const fn is_cancel_only(&self) -> bool {
        self.stopped_by_operator || self.stopped_by_low_disk
    }

    /// Why nothing can be placed, if so.
    pub fn cancel_only_causes(&self) -> impl Iterator<Item = CancelOnlyCause> {
        let operator = self.stopped_by_operator.then_some(CancelOnlyCause::Operator);
        operator.into_iter().chain(self.stopped_by_low_disk.then_some(CancelOnlyCause::LowDisk))
    }
}
