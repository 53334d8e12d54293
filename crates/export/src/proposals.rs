//! Pending proposals and the events that they would decide. A step of a proposal names only the proposal, and an ended
//! one has left the state; this list limits the events that are rendered again.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::catalogue::EventLink;
use exchange::change::ProposalStep;
use exchange::governance::{Proposal, Subject};
use exchange::id::{EventId, GameId, ProposalId};
use exchange::index::EventIndex;

/// The events that a proposal would decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decides {
    Event(EventId),
    /// All events of a game, those that are created later too.
    Game(GameId),
    Nothing,
}

impl Decides {
    fn of(proposal: &Proposal) -> Decides {
        match &proposal.subject {
            Subject::Resolution { event, .. } => Decides::Event(*event),
            Subject::GameResult { game, .. } => Decides::Game(*game),
            Subject::Command(_) => Decides::Nothing,
        }
    }

    fn events(self, exchange: &Exchange) -> Vec<EventIndex> {
        let catalogue = exchange.catalogue();
        match self {
            Decides::Event(event) => catalogue.find_event(event).into_iter().collect(),
            Decides::Game(game) => {
                let is_of_game = |link| matches!(link, EventLink::Game { game: of, .. } if of == game);
                let events = catalogue.events().filter(|(_, event)| is_of_game(event.link));
                events.map(|(index, _)| index).collect()
            }
            Decides::Nothing => Vec::new(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct PendingProposals {
    proposals: BTreeMap<ProposalId, Decides>,
}

impl PendingProposals {
    /// Takes the pending proposals of a state.
    pub(crate) fn take_all(&mut self, exchange: &Exchange) {
        let pending = exchange.governance().proposals();
        self.proposals = pending.map(|proposal| (proposal.id, Decides::of(proposal))).collect();
    }

    /// Follows a step of a proposal and returns the events that it may have changed. `exchange` is the state after the
    /// request.
    pub(crate) fn follow(
        &mut self,
        exchange: &Exchange,
        id: ProposalId,
        step: ProposalStep,
    ) -> Vec<EventIndex> {
        let decides = match step {
            ProposalStep::Proposed => {
                let decides = exchange.governance().proposal(id).map(Decides::of);
                self.proposals.extend(decides.map(|decides| (id, decides)));
                decides
            }
            ProposalStep::Finalised | ProposalStep::Withdrawn | ProposalStep::Overtaken => {
                self.proposals.remove(&id)
            }
        };
        // A proposal that the request made and ended is in neither place: any event may be its.
        decides.map_or_else(
            || exchange.catalogue().events().map(|(index, _)| index).collect(),
            |decides| decides.events(exchange),
        )
    }
}

#[cfg(test)]
mod tests {
    use exchange::catalogue::{Engine, EventDetails, EventKind, MarketDetails, NewEvent, NewMarket};
    use exchange::change::Change;
    use exchange::command::{OpenEvent, Propose, Withdraw};
    use exchange::governance::{Evidence, Policy, Verdict};
    use exchange::id::MarketId;
    use exchange::identity::Actor;
    use exchange::numbers::{Cents, Currency};
    use exchange::text::Text;
    use exchange::time::Time;
    use exchange::{Command, Request};

    use super::*;

    fn apply(exchange: &mut Exchange, command: Command) {
        let request = Request { actor: Actor::System, idempotency: None, command };
        let decided = exchange.apply(Time::from_seconds(1_767_225_600), &request);
        decided.expect("a known command").expect("an accepted command");
    }

    fn open_event(exchange: &mut Exchange, number: u128) {
        let id = EventId::new(number);
        let details = MarketDetails { title: Text::from("market"), ..MarketDetails::default() };
        let new = NewEvent {
            id,
            slug: Text::from(format!("event-{number}-of-two")),
            kind: EventKind::Single,
            engine: Engine::Clob,
            currencies: vec![Currency::Usd],
            details: EventDetails {
                title: Text::from("event"),
                category: Text::from("test"),
                ..EventDetails::default()
            },
            markets: vec![NewMarket { id: MarketId::new(number), details }],
            link: EventLink::None,
        };
        apply(exchange, Command::CreateEvent(new));
        apply(exchange, Command::OpenEvent(OpenEvent { event: id }));
    }

    /// The events that the steps of the last request may have changed.
    fn followed(pending: &mut PendingProposals, exchange: &Exchange) -> Vec<EventId> {
        let mut events = Vec::new();
        for change in exchange.changes() {
            if let Change::Proposal { proposal, step } = change {
                events.extend(pending.follow(exchange, *proposal, *step));
            }
        }
        events.into_iter().map(|index| exchange.catalogue().event(index).id).collect()
    }

    #[test]
    fn a_step_of_a_proposal_touches_the_events_that_it_decides_and_no_others() {
        let mut exchange = Exchange::new();
        (1..=3).for_each(|number| open_event(&mut exchange, number));
        let propose = |id: u128, subject| {
            let evidence = Evidence { text: Text::from("seen"), link: Text::default() };
            Command::Propose(Propose { id: ProposalId::new(id), subject, evidence })
        };
        let withdraw = |id: u128| {
            Command::Withdraw(Withdraw { proposal: ProposalId::new(id), reason: Text::from("an error") })
        };
        let verdict = Verdict::Cancelled { yes: Cents::WHOLE };
        let mut pending = PendingProposals::default();
        apply(
            &mut exchange,
            propose(7, Subject::Resolution { event: EventId::new(2), verdict: verdict.clone() }),
        );
        assert_eq!(followed(&mut pending, &exchange), [EventId::new(2)]);
        apply(&mut exchange, withdraw(7));
        assert_eq!(followed(&mut pending, &exchange), [EventId::new(2)], "it has left the state");
        assert!(pending.proposals.is_empty());

        let policy = Command::SetPolicy(Policy::default());
        apply(&mut exchange, propose(8, Subject::Command(Box::new(policy))));
        assert_eq!(followed(&mut pending, &exchange), [], "a command decides no event");
        apply(&mut exchange, propose(9, Subject::Resolution { event: EventId::new(3), verdict }));
        // A continued export has not seen the steps.
        pending.take_all(&exchange);
        assert_eq!(pending.proposals.len(), 2);
        apply(&mut exchange, withdraw(9));
        assert_eq!(followed(&mut pending, &exchange), [EventId::new(3)]);
    }
}
