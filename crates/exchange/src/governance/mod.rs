//! Governance: what operators may do alone, what needs a second person, and whether trading is allowed at all.
//!
//! `consent` says who decides a command, `policy` holds the settings, `proposal` and `pending` the proposals, `verdict` how an
//! event ends, `resolution` what is published about it. The commands `Propose`, `Finalise` and `Withdraw` handle proposals;
//! `direct` limits what an operator may do without one.

mod consent;
mod direct;
mod game_result;
mod overtaking;
mod pending;
mod policy;
mod preview;
mod proposal;
mod resolution;
mod verdict;

use minicbor::{Decode, Encode};

use crate::id::{EventId, GameId, ProposalId};

pub use consent::{Alone, Consent, Meanwhile};
pub use game_result::Score;
pub(crate) use game_result::check_score;
pub(crate) use pending::{Decided, Pending};
pub use policy::Policy;
pub use preview::{MarketPayout, Preview};
pub(crate) use proposal::boxed_command;
pub use proposal::{Evidence, Proposal, ProposedVerdict, Subject};
pub use resolution::{Author, Ending, Resolution};
pub use verdict::{Ruling, Verdict};

/// Limit of pending proposals. Automatic ones for series are not counted, nor, under rules 4, verdicts and commands about
/// operators, the policy and the rules.
pub(crate) const PROPOSALS_MAX: usize = 1_000;
/// Of one operator, under rules 4; a second time for commands about operators, the policy and the rules.
pub(crate) const PROPOSALS_PER_OPERATOR_MAX: usize = 100;
/// Verdicts that were withdrawn or overtaken and that an event keeps, under rules 4. The audit log has all.
pub(crate) const WITHDRAWN_KEPT: usize = 20;

/// The reason for cancel-only mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum CancelOnlyCause {
    /// An operator set it.
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
    /// Pending proposals.
    #[n(1)]
    pub(crate) proposals: Pending,
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
        self.proposals.get(id)
    }

    /// The pending proposal to resolve this event. Does not include a game result that would resolve it.
    pub fn proposal_for(&self, event: EventId) -> Option<&Proposal> {
        self.proposals.on(Decided::Event(event)).next()
    }

    /// The pending proposal for the result of a game.
    pub fn result_proposed_for(&self, game: GameId) -> Option<&Proposal> {
        self.proposals.on(Decided::Game(game)).next()
    }

    pub const fn is_cancel_only(&self) -> bool {
        self.stopped_by_operator || self.stopped_by_low_disk
    }

    /// The active reasons for cancel-only mode.
    pub fn cancel_only_causes(&self) -> impl Iterator<Item = CancelOnlyCause> {
        let operator = self.stopped_by_operator.then_some(CancelOnlyCause::Operator);
        operator.into_iter().chain(self.stopped_by_low_disk.then_some(CancelOnlyCause::LowDisk))
    }
}
