//! Proposals that end automatically: their event or game ended otherwise, or they can no longer be carried out. They
//! never block a new proposal.

use super::{Decided, Ending, Governance, Proposal, Resolution, Subject};
use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::Author;
use crate::id::{EventId, GameId, ProposalId};

impl Governance {
    /// Whether at least `max` proposals are pending, not counting those of series.
    pub(crate) fn is_full(&self, max: usize) -> bool {
        let made_by_hand = self.proposals.values().filter(|proposal| proposal.series.is_none());
        made_by_hand.count() >= max
    }

    fn ids_on(&self, decided: Decided) -> Vec<ProposalId> {
        self.proposals.on(decided).map(|proposal| proposal.id).collect()
    }

    fn ids_where(&self, is_meant: impl Fn(&Proposal) -> bool) -> Vec<ProposalId> {
        self.proposals.values().filter(|proposal| is_meant(proposal)).map(|proposal| proposal.id).collect()
    }
}

impl Exchange {
    /// Whether some pending proposal can no longer be carried out.
    pub(crate) fn has_overtaken(&self, caller: Caller) -> bool {
        self.governance.proposals().any(|proposal| self.check_subject(caller, &proposal.subject).is_err())
    }

    /// Makes room for a new proposal: ends those that can no longer be carried out, if they compete with it or, until
    /// rules 4, the limit is reached. Under rules 4 an operator's places do not depend on the proposals of others.
    pub(crate) fn end_overtaken(&mut self, caller: Caller, subject: &Subject) {
        let is_full = !self.since(4) && self.governance.is_full(super::PROPOSALS_MAX);
        let is_overtaken = |proposal: &&Proposal| self.check_subject(caller, &proposal.subject).is_err();
        let proposals = &self.governance.proposals;
        let overtaken: Vec<ProposalId> = match is_full {
            true => proposals.values().filter(is_overtaken).map(|proposal| proposal.id).collect(),
            false => proposals.competing(subject).filter(is_overtaken).map(|proposal| proposal.id).collect(),
        };
        self.end_proposals(overtaken);
    }

    /// Ends the proposals to resolve an event that has ended.
    pub(crate) fn end_proposals_for_event(&mut self, event: EventId) {
        self.end_proposals(self.governance.ids_on(Decided::Event(event)));
    }

    /// Ends the proposals for the result of a game that has one.
    pub(crate) fn end_proposals_for_game(&mut self, game: GameId) {
        self.end_proposals(self.governance.ids_on(Decided::Game(game)));
    }

    /// Ends the proposals of which every proposer has been revoked.
    pub(crate) fn end_proposals_of_inactive(&mut self) {
        let directory = &self.directory;
        let is_gone = |proposer| directory.operator(proposer).is_none_or(|operator| operator.revoked);
        let has_ended =
            |proposal: &Proposal| proposal.by != Author::Node && proposal.proposers().all(is_gone);
        self.end_proposals(self.governance.ids_where(has_ended));
    }

    fn end_proposals(&mut self, ids: Vec<ProposalId>) {
        for id in ids {
            let Some(proposal) = self.governance.proposals.remove(id) else { continue };
            self.note_ended(proposal, Ending::Overtaken, Author::Node);
            self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Overtaken });
        }
    }

    /// Records in the event that a verdict was not enforced, and why.
    pub(crate) fn note_ended(&mut self, proposal: Proposal, ending: Ending, ended_by: Author) {
        let Proposal { subject, evidence, by, at, .. } = proposal;
        if let Subject::Resolution { event, verdict } = subject
            && let Some(event) = self.catalogue.find_event(event)
        {
            let resolution = Resolution {
                verdict,
                evidence,
                proposed_by: by,
                proposed_at: at,
                ending,
                ended_by,
                ended_at: self.now,
            };
            self.note_resolution(event, resolution);
        }
    }
}
