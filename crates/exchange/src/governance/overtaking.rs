//! Proposals that end by themselves: their event or game ended otherwise, or what they ask for can no longer be carried out.
//! They never stand in the way of a new proposal.

use super::{Ending, Governance, Proposal, Resolution, Subject};
use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::Author;
use crate::id::{EventId, GameId, ProposalId};

impl Proposal {
    /// Whether both cannot be carried out: they end one event, record the result of one game, or are one command.
    pub(crate) fn competes_with(&self, subject: &Subject) -> bool {
        match (&self.subject, subject) {
            (Subject::Resolution { event, .. }, Subject::Resolution { event: other, .. }) => event == other,
            (Subject::GameResult { game, .. }, Subject::GameResult { game: other, .. }) => game == other,
            (Subject::Command(command), Subject::Command(other)) => command == other,
            _ => false,
        }
    }
}

impl Governance {
    /// Whether so many proposals wait, those of series apart.
    pub(crate) fn is_full(&self, max: usize) -> bool {
        let made_by_hand = self.proposals.values().filter(|proposal| proposal.series.is_none());
        made_by_hand.count() >= max
    }

    fn ids_where(&self, is_meant: impl Fn(&Proposal) -> bool) -> Vec<ProposalId> {
        self.proposals.values().filter(|proposal| is_meant(proposal)).map(|proposal| proposal.id).collect()
    }
}

impl Exchange {
    /// Whether some proposal that waits can no longer be carried out.
    pub(crate) fn has_overtaken(&self, caller: Caller) -> bool {
        self.governance.proposals().any(|proposal| self.check_subject(caller, &proposal.subject).is_err())
    }

    /// Makes room for a new proposal: ends those that can no longer be carried out, if they compete with it or all places
    /// are taken.
    pub(crate) fn end_overtaken(&mut self, caller: Caller, subject: &Subject) {
        let is_full = self.governance.is_full(super::PROPOSALS_MAX);
        let is_overtaken = |proposal: &Proposal| {
            (is_full || proposal.competes_with(subject))
                && self.check_subject(caller, &proposal.subject).is_err()
        };
        for id in self.governance.ids_where(is_overtaken) {
            self.end_proposal(id);
        }
    }

    /// An event has ended: nothing that waits to end it is needed.
    pub(crate) fn end_proposals_for_event(&mut self, event: EventId) {
        for id in self.governance.ids_where(|proposal| proposal.subject.event() == Some(event)) {
            self.end_proposal(id);
        }
    }

    /// A game has its result: no other result waits for it.
    pub(crate) fn end_proposals_for_game(&mut self, game: GameId) {
        let is_for = |proposal: &Proposal| matches!(proposal.subject, Subject::GameResult { game: named, .. } if named == game);
        for id in self.governance.ids_where(is_for) {
            self.end_proposal(id);
        }
    }

    fn end_proposal(&mut self, id: ProposalId) {
        let Some(proposal) = self.governance.proposals.remove(&id) else { return };
        self.note_ended(proposal, Ending::Overtaken, Author::Node);
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Overtaken });
    }

    /// Writes into its event that a verdict came to nothing, and why.
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
