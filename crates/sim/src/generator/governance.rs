//! Running the venue: policies, caps, terms of markets, results of games, cancel-only. `proposals` generates proposals.

use exchange::command::{
    Command, Finalise, RecordGameResult, Request, SetCancelOnly, SetMarketTerms, Withdraw,
};
use exchange::governance::{CancelOnlyCause, Policy, Score};
use exchange::id::{GameId, ProposalId};
use exchange::identity::Actor;
use exchange::numbers::{FeeRate, Money, PerCurrency};
use exchange::text::Text;

use super::{Generator, View};

impl Generator {
    pub(super) fn govern(&mut self, view: View<'_>) -> Request {
        let proposals: Vec<_> = view.exchange.governance().proposals().map(|proposal| proposal.id).collect();
        let proposal = self.random.pick(&proposals).unwrap_or(ProposalId::new(404));
        let command = match self.random.below(26) {
            0..=1 => Command::SetPolicy(self.policy()),
            2..=6 => return self.propose(view),
            7..=10 => Command::Finalise(Finalise { proposal }),
            11 => self.finalise_series(view),
            12 => Command::Withdraw(Withdraw { proposal, reason: Text::from("It was wrong") }),
            13..=14 => self.cancel_only(),
            15..=16 => self.terms(view),
            17 => self.move_fees(view),
            18..=22 => {
                let command = self.proposed_command(view);
                return self.propose_command(view, command);
            }
            _ => Command::RecordGameResult(RecordGameResult { game: self.game(), score: self.score() }),
        };
        self.by_person(view, command)
    }

    /// Mostly sent by an operator, since these rules are about operators.
    pub(super) fn by_person(&mut self, view: View<'_>, command: Command) -> Request {
        let operators: Vec<_> = view.exchange.directory().operators().map(|operator| operator.id).collect();
        match self.random.pick(&operators).filter(|_| self.random.chance(80)) {
            Some(operator) => Request { actor: Actor::Operator { operator }, idempotency: None, command },
            None => self.by_operator(view, command),
        }
    }

    pub(super) fn policy(&mut self) -> Policy {
        let entry = Money::whole(self.random.one_of([0, 1, 50, 1_000, 1_000_000]));
        let usual = Policy::default();
        let small = PerCurrency { usd: entry, ngn: Money::whole(1_000_000) };
        let entry_max = if self.random.chance(50) { small } else { usual.entry_max };
        // A daily cap close to the single cap is reached within a day.
        let entries = self.random.between(1, 3);
        let usd = Money::new(entry_max.usd.units() * entries);
        let day_max = PerCurrency { usd, ngn: usual.day_max.ngn };
        Policy {
            two_required: self.random.chance(40),
            resolution_delay_seconds: self.random.one_of([0, 0, 0, 60, 3_600]),
            entry_max,
            day_max: if self.random.chance(70) { day_max } else { usual.day_max },
            retire_after_seconds: self.random.one_of([60, 600, 3_600, 6 * 3_600, usual.retire_after_seconds]),
        }
    }

    /// Sets cancel-only mode and lifts it soon after: there is little to test while it is on.
    fn cancel_only(&mut self) -> Command {
        let cause = self.random.one_of([CancelOnlyCause::Operator, CancelOnlyCause::LowDisk]);
        self.follow_ups.push_back(Command::Tick);
        for cause in [CancelOnlyCause::Operator, CancelOnlyCause::LowDisk] {
            self.follow_ups.push_back(Command::SetCancelOnly(SetCancelOnly { cause, on: false }));
        }
        Command::SetCancelOnly(SetCancelOnly { cause, on: true })
    }

    fn terms(&mut self, view: View<'_>) -> Command {
        let market = self.market_id(view);
        let fee_rate = FeeRate::new(self.random.one_of([0, 25, 500])).unwrap_or_default();
        let order_min =
            PerCurrency { usd: Money::whole(1), ngn: Money::whole(self.random.one_of([0, 100, 300])) };
        Command::SetMarketTerms(SetMarketTerms { market, fee_rate, order_min })
    }

    pub(super) fn game(&mut self) -> GameId {
        GameId::new(1 + self.random.below(4) as u128)
    }

    pub(super) fn score(&mut self) -> Score {
        Score { home: self.random.below(4) as u16, away: self.random.below(4) as u16 }
    }
}
