//! Pending proposals, by id and by what their verdicts decide: an ended event looks up its own among thousands of others.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Values};

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use super::{Proposal, Subject};
use crate::id::{EventId, GameId, ProposalId};

/// What a verdict decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decided {
    Event(EventId),
    Game(GameId),
}

impl Subject {
    pub(crate) const fn decides(&self) -> Option<Decided> {
        match self {
            Subject::Resolution { event, .. } => Some(Decided::Event(*event)),
            Subject::GameResult { game, .. } => Some(Decided::Game(*game)),
            Subject::Command(_) => None,
        }
    }
}

/// Written as the map by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pending {
    by_id: BTreeMap<ProposalId, Proposal>,
    by_decided: BTreeSet<(Decided, ProposalId)>,
}

impl Pending {
    pub(crate) fn get(&self, id: ProposalId) -> Option<&Proposal> {
        self.by_id.get(&id)
    }

    /// All, by id.
    pub(crate) fn values(&self) -> Values<'_, ProposalId, Proposal> {
        self.by_id.values()
    }

    /// Those that decide it, by id.
    pub(crate) fn on(&self, decided: Decided) -> impl Iterator<Item = &Proposal> {
        let ids = (decided, ProposalId::new(0))..=(decided, ProposalId::new(u128::MAX));
        self.by_decided.range(ids).filter_map(|(_, id)| self.by_id.get(id))
    }

    /// Those of which only one can be carried out together with `subject`, by id: they resolve the same event, record a
    /// result for the same game, or are the same command.
    pub(crate) fn competing(&self, subject: &Subject) -> impl Iterator<Item = &Proposal> {
        let decided = subject.decides().into_iter().flat_map(|decided| self.on(decided));
        let commands = matches!(subject, Subject::Command(_)).then(|| self.values());
        let same = commands.into_iter().flatten().filter(move |proposal| proposal.subject == *subject);
        decided.chain(same)
    }

    pub(crate) fn insert(&mut self, proposal: Proposal) {
        self.remove(proposal.id);
        if let Some(decided) = proposal.subject.decides() {
            self.by_decided.insert((decided, proposal.id));
        }
        self.by_id.insert(proposal.id, proposal);
    }

    pub(crate) fn remove(&mut self, id: ProposalId) -> Option<Proposal> {
        let proposal = self.by_id.remove(&id)?;
        if let Some(decided) = proposal.subject.decides() {
            self.by_decided.remove(&(decided, id));
        }
        Some(proposal)
    }

    /// Whether each verdict is found by what it decides, and nothing else is.
    pub(crate) fn is_indexed(&self) -> bool {
        let decided = |proposal: &Proposal| Some((proposal.subject.decides()?, proposal.id));
        self.by_decided == self.by_id.values().filter_map(decided).collect()
    }
}

#[cfg(test)]
impl Pending {
    /// A planted bug: an event finds a proposal that is not pending.
    pub(crate) fn spoil(&mut self) {
        self.by_decided.insert((Decided::Event(EventId::new(1)), ProposalId::new(1)));
    }
}

impl<C> Encode<C> for Pending {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, context: &mut C) -> Result<(), encode::Error<W::Error>> {
        self.by_id.encode(e, context)
    }
}

impl<'b, C> Decode<'b, C> for Pending {
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Pending, Error> {
        let by_id = BTreeMap::<ProposalId, Proposal>::decode(d, context)?;
        let decided = by_id.iter().filter_map(|(id, proposal)| Some((proposal.subject.decides()?, *id)));
        Ok(Pending { by_decided: decided.collect(), by_id })
    }
}
