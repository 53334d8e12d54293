//! Those who run the venue: policies, proposals, caps, terms of markets, results of games, cancel-only.

use exchange::catalogue::{EventKind, Status};
use exchange::command::{Command, Request};
use exchange::governance::{CancelOnlyCause, Evidence, Policy, Ruling, Score, Subject, Verdict};
use exchange::id::{EventId, GameId, Hash32, OperatorId, ProposalId};
use exchange::identity::Actor;
use exchange::numbers::{Cents, FeeRate, Money, PerCurrency};
use exchange::order::Outcome;
use exchange::text::Text;

use super::{Generator, View};

impl Generator {
    pub(super) fn govern(&mut self, view: View<'_>) -> Request {
        let proposals: Vec<_> = view.exchange.governance().proposals().map(|proposal| proposal.id).collect();
        let proposal = self.random.pick(&proposals).unwrap_or(ProposalId::new(404));
        let command = match self.random.below(20) {
            0..=1 => Command::SetPolicy(self.policy()),
            2..=6 => self.propose(view),
            7..=11 => Command::Finalise { proposal },
            12 => Command::Withdraw { proposal, reason: Text::from("It was wrong") },
            13..=14 => self.cancel_only(),
            15..=16 => self.terms(view),
            _ => Command::RecordGameResult { game: self.game(), score: self.score() },
        };
        self.by_person(view, command)
    }

    /// Mostly an operator: the rules here are about them.
    fn by_person(&mut self, view: View<'_>, command: Command) -> Request {
        let operators: Vec<_> = view.exchange.directory().operators().map(|operator| operator.id).collect();
        match self.random.pick(&operators).filter(|_| self.random.chance(80)) {
            Some(operator) => Request { actor: Actor::Operator { operator }, idempotency: None, command },
            None => self.by_operator(view, command),
        }
    }

    fn policy(&mut self) -> Policy {
        let entry = Money::whole(self.random.one_of([0, 1, 50, 1_000, 1_000_000]));
        let entry_max = PerCurrency { usd: entry, ngn: Money::whole(1_000_000) };
        Policy {
            two_required: self.random.chance(40),
            resolution_delay_seconds: self.random.one_of([0, 0, 0, 60, 3_600]),
            entry_max: if self.random.chance(50) { entry_max } else { Policy::default().entry_max },
            ..Policy::default()
        }
    }

    fn propose(&mut self, view: View<'_>) -> Command {
        let subject = match self.random.below(8) {
            0 => Subject::Policy(self.policy()),
            1 => Subject::Approver {
                id: OperatorId::new(self.fresh_id()),
                name: Text::from("another"),
                token_hash: Hash32::of(&self.fresh_id().to_string()),
            },
            2 => Subject::GameResult { game: self.game(), score: self.score() },
            _ => self.resolution(view),
        };
        let text = if self.random.chance(90) { "As everybody saw" } else { "" };
        let evidence = Evidence { text: Text::from(text), link: Text::default() };
        Command::Propose { id: ProposalId::new(self.fresh_id()), subject, evidence }
    }

    fn resolution(&mut self, view: View<'_>) -> Subject {
        let catalogue = view.exchange.catalogue();
        let is_closed = |status: Status| status == Status::Closed;
        let events: Vec<_> = catalogue.events().filter(|(_, event)| is_closed(event.status)).collect();
        let Some((_, event)) = self.random.pick(&events) else {
            let verdict = Verdict::Cancelled { yes: Cents::HALF };
            let events: Vec<_> = catalogue.events().map(|(_, event)| event.id).collect();
            return Subject::Resolution {
                event: self.random.pick(&events).unwrap_or(EventId::new(5)),
                verdict,
            };
        };
        let mut winners = 0;
        let mut rulings = Vec::new();
        for market in &event.markets {
            let may_win = event.kind != EventKind::Combined || winners == 0 || self.random.chance(5);
            let outcome = if may_win && self.random.chance(50) { Outcome::Yes } else { Outcome::No };
            winners += usize::from(outcome == Outcome::Yes);
            if self.random.chance(90) {
                rulings.push(Ruling { market: catalogue.market(*market).id, outcome });
            }
        }
        let verdict = match self.random.below(5) {
            0 => Verdict::Cancelled {
                yes: Cents::new(self.random.one_of([0, 30, 50, 100])).unwrap_or(Cents::HALF),
            },
            _ => Verdict::Outcomes(rulings),
        };
        Subject::Resolution { event: event.id, verdict }
    }

    /// Never for long: a venue that takes nothing has nothing to test.
    fn cancel_only(&mut self) -> Command {
        let cause = self.random.one_of([CancelOnlyCause::Operator, CancelOnlyCause::LowDisk]);
        self.follow_ups.push_back(Command::Tick);
        for cause in [CancelOnlyCause::Operator, CancelOnlyCause::LowDisk] {
            self.follow_ups.push_back(Command::SetCancelOnly { cause, on: false });
        }
        Command::SetCancelOnly { cause, on: true }
    }

    fn terms(&mut self, view: View<'_>) -> Command {
        let market = self.market_id(view);
        let fee_rate = FeeRate::new(self.random.one_of([0, 25, 500])).unwrap_or_default();
        let order_min =
            PerCurrency { usd: Money::whole(1), ngn: Money::whole(self.random.one_of([0, 100, 300])) };
        Command::SetMarketTerms { market, fee_rate, order_min }
    }

    fn game(&mut self) -> GameId {
        GameId::new(1 + self.random.below(4) as u128)
    }

    fn score(&mut self) -> Score {
        Score { home: self.random.below(4) as u16, away: self.random.below(4) as u16 }
    }
}
