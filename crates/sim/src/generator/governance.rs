//! Running the venue: policies, caps, terms of markets, results of games, cancel-only. `proposals` generates proposals.

use exchange::command::{
    ChangeTerms, Command, DoOrPropose, Finalise, PolicyChange, RecordGameResult, Request, SetCancelOnly,
    SetMarketTerms, Withdraw,
};
use exchange::governance::{CancelOnlyCause, Policy, Score};
use exchange::id::{GameId, MarketId, ProposalId};
use exchange::identity::Actor;
use exchange::numbers::{FeeRate, Money, PerCurrency};
use exchange::text::Text;

use super::{Generator, View};

impl Generator {
    pub(super) fn govern(&mut self, view: View<'_>) -> Request {
        let proposals: Vec<_> = view.exchange.governance().proposals().map(|proposal| proposal.id).collect();
        let proposal = self.random.pick(&proposals).unwrap_or(ProposalId::new(404));
        let command = match self.random.below(26) {
            0..=1 => self.new_policy(view, 50),
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
            Some(operator) => {
                let rules = view.exchange.rules_version();
                // Before rules 4, keys of operators were not remembered.
                let idempotency = (rules >= 4 && self.random.chance(10)).then(|| self.idempotency_key(rules));
                let command = self.or_propose(view, command);
                Request { actor: Actor::Operator { operator }, idempotency, command }
            }
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

    /// A change of the policy: all of it, or from rules 4 on, with a probability of `percent`, some fields.
    pub(super) fn new_policy(&mut self, view: View<'_>, percent: usize) -> Command {
        let policy = self.policy();
        if view.exchange.rules_version() < 4 || !self.random.chance(percent) {
            return Command::SetPolicy(policy);
        }
        let all = self.random.chance(20);
        let mut is_given = || all || self.random.chance(40);
        let mut caps = |known: PerCurrency<Money>| PerCurrency {
            usd: is_given().then_some(known.usd),
            ngn: is_given().then_some(known.ngn),
        };
        let (entry_max, day_max) = (caps(policy.entry_max), caps(policy.day_max));
        Command::ChangePolicy(PolicyChange {
            two_required: is_given().then_some(policy.two_required),
            resolution_delay_seconds: is_given().then_some(policy.resolution_delay_seconds),
            entry_max,
            day_max,
            retire_after_seconds: is_given().then_some(policy.retire_after_seconds),
        })
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

    pub(super) fn terms(&mut self, view: View<'_>) -> Command {
        let market = self.market_id(view);
        if view.exchange.rules_version() >= 4 && self.random.chance(60) {
            return self.some_terms(market);
        }
        let fee_rate = FeeRate::new(self.random.one_of([0, 25, 500])).unwrap_or_default();
        let order_min =
            PerCurrency { usd: Money::whole(1), ngn: Money::whole(self.random.one_of([0, 100, 300])) };
        Command::SetMarketTerms(SetMarketTerms { market, fee_rate, order_min })
    }

    /// Some terms of a market; the others stay.
    pub(super) fn some_terms(&mut self, market: MarketId) -> Command {
        let fee_rate = FeeRate::new(self.random.one_of([0, 25, 500])).filter(|_| self.random.chance(70));
        let mut least = |amount| self.random.chance(30).then_some(Money::whole(amount));
        let order_min = PerCurrency { usd: least(1), ngn: least(300) };
        Command::ChangeTerms(ChangeTerms { market, fee_rate, order_min })
    }

    /// From rules 4 on, an operator lets the exchange decide now and then whether a command is proposed.
    fn or_propose(&mut self, view: View<'_>, command: Command) -> Command {
        let is_able = !matches!(command, Command::Propose(_)) && command.consent().is_some();
        if view.exchange.rules_version() < 4 || !is_able || !self.random.chance(10) {
            return command;
        }
        let proposal = ProposalId::new(self.fresh_id());
        Command::DoOrPropose(DoOrPropose { proposal, command: Box::new(command) })
    }

    pub(super) fn game(&mut self) -> GameId {
        GameId::new(1 + self.random.below(4) as u128)
    }

    pub(super) fn score(&mut self) -> Score {
        Score { home: self.random.below(4) as u16, away: self.random.below(4) as u16 }
    }
}
