//! Proposals that end automatically: their event or game ended otherwise, or they can no longer be carried out. They
//! never block a new proposal.

use super::{Ending, Governance, Proposal, Resolution, Subject};
use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::Author;
use crate::id::{EventId, GameId, ProposalId};

impl Proposal {
    /// Whether only one of both can be carried out: they resolve the same event, record a result for the same game, or
    /// are the same command.
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
    /// Whether at least `max` proposals are pending, not counting those of series.
    pub(crate) fn is_full(&self, max: usize) -> bool {
        let made_by_hand = self.proposals.values().filter(|proposal| proposal.series.is_none());
        made_by_hand.count() >= max
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

    /// Makes room for a new proposal: ends those that can no longer be carried out, if they compete with it or the
    /// limit is reached.
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

    /// Ends the proposals to resolve an event that has ended.
    pub(crate) fn end_proposals_for_event(&mut self, event: EventId) {
        for id in self.governance.ids_where(|proposal| proposal.subject.event() == Some(event)) {
            self.end_proposal(id);
        }
    }

    /// Ends the proposals for the result of a game that has one.
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
