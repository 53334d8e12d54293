//! Judges each command: nothing that takes two persons may rest on one.
//!
//! The judge keeps its own record of who may act and who is whose second operator, of proposals as they were meant, of the
//! house money that each operator moved, of references and keys. It must not ask the rules who decides what.
//! `alone` compares the facts after a command of one operator, `agreements` follows proposals, `standing` operators, `games`
//! and `terms` check what holds for everybody, `repeats` what is sent twice.

mod agreements;
mod alone;
mod games;
mod repeats;
mod standing;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

use exchange::Exchange;
use exchange::catalogue::{EventLink, Status};
use exchange::change::{Change, ProposalStep};
use exchange::command::{Command, DoOrPropose, Request};
use exchange::id::{EventId, OperatorId, SeriesId};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::facts::Facts;
use crate::checks::PriceBook;
use crate::failure::{Failure, ensure};
use agreements::Agreements;
use games::Games;
use repeats::Repeats;
use standing::Standing;
use terms::Notices;

pub const REFUSED_CHANGES: &str = "a refused or repeated command of an operator changes nothing";
pub const SUSPENDED: &str = "a suspended or revoked operator is refused everything";
pub const NEVER_OPENED: &str = "an event that is cancelled as a draft stays hidden";
pub const PUSHED_PAYS: &str = "a result out of pushed prices waits for another than those who pushed them";
pub const SERIES_CAPS: &str = "the series of one operator seed no more a day than it may move alone";
pub use agreements::{
    GLASS_PROPOSES, GROWTH_PRICE, HALF_AGREEMENT, LOST_UPDATE, ONE_PERSON, VERDICT_CHANGED,
};
pub use alone::{
    ACCOUNTS_ALONE, FEES_ALONE, MONEY_ALONE, OPERATORS_ALONE, POLICY_ALONE, RESULT_ALONE, RULES_ALONE,
    TERMS_ALONE, VERDICT_ALONE,
};
pub use games::{GAME_TRADES, NAMES_CHANGED, RESULT_CONTRADICTS};
pub use repeats::{KEY_REPEATED, KEYS_SHARED, REFERENCE_REPEATED};
pub use terms::FEE_NOTICE;

/// An applied request.
#[derive(Clone, Copy, Debug)]
struct Step<'a> {
    exchange: &'a Exchange,
    before: &'a Facts,
    after: &'a Facts,
    operator: Option<OperatorId>,
    request: &'a Request,
    /// The command that was decided: that of a `DoOrPropose`, or the request's.
    command: &'a Command,
    result: &'a Result<Reply, Reject>,
}

impl Step<'_> {
    fn is_done(&self) -> bool {
        !matches!(self.result, Err(_) | Ok(Reply::Replayed { .. } | Reply::Repeated { .. }))
    }

    fn is_proposed(&self) -> bool {
        matches!(self.result, Ok(Reply::Proposed(_)))
    }

    fn describe(&self) -> String {
        format!("{:?} was answered {:?} at {:?}", self.request, self.result, self.exchange.now())
    }
}

/// What a command rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The clock, or the owner of the machine.
    Owner,
    /// A user's own key.
    User,
    /// One person.
    Alone(OperatorId),
    /// Two persons.
    Agreed(OperatorId),
    /// A break-glass operator about other operators.
    Glass(OperatorId),
}

#[derive(Clone, Debug)]
pub struct Judge {
    facts: Facts,
    pub standing: Standing,
    agreements: Agreements,
    repeats: Repeats,
    notices: Notices,
    games: Games,
    prices: PriceBook,
    /// Series that one operator created alone.
    series: BTreeMap<SeriesId, OperatorId>,
    /// House and users' money that an operator moved alone, by day and currency.
    moved: BTreeMap<(OperatorId, i64, usize), i64>,
}

impl Judge {
    /// A judge of a new exchange.
    pub fn new(exchange: &Exchange) -> Judge {
        Judge {
            facts: Facts::look(exchange),
            standing: Standing::default(),
            agreements: Agreements::default(),
            repeats: Repeats::default(),
            notices: Notices::default(),
            games: Games::default(),
            prices: PriceBook::default(),
            series: BTreeMap::new(),
            moved: BTreeMap::new(),
        }
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The number of edits of a draft, for an edit that is made over what was read now.
    pub fn edits_of(&self, event: EventId) -> u64 {
        self.agreements.edits_of(event)
    }

    /// Call it after `exchange` has applied the request and nothing else: timers that are due fire by a tick before. `read` is
    /// the edit that an edit of a draft was made over. Returns what the command rested on.
    pub fn follow(
        &mut self,
        exchange: &Exchange,
        request: &Request,
        read: Option<u64>,
        result: &Result<Reply, Reject>,
    ) -> Result<Basis, Failure> {
        let after = Facts::look(exchange);
        let before = core::mem::take(&mut self.facts);
        let command = match &request.command {
            Command::DoOrPropose(DoOrPropose { command, .. }) => command,
            command => command,
        };
        let operator = match request.actor {
            Actor::Operator { operator } => Some(operator),
            _ => None,
        };
        let step = Step { exchange, before: &before, after: &after, operator, request, command, result };
        let outcome = self.judge(step, read);
        // What changed is known from now on, also after a broken rule.
        self.learn(step, outcome.as_ref().ok().copied());
        self.facts = after;
        outcome
    }

    fn judge(&mut self, step: Step<'_>, read: Option<u64>) -> Result<Basis, Failure> {
        self.follow_prices(step)?;
        if let Some(operator) = step.operator {
            let is_able = self.standing.is_active(operator, step.exchange.now());
            ensure(is_able || step.result.is_err(), SUSPENDED, || step.describe())?;
        }
        self.repeats.follow(step)?;
        let is_by_hand = step.operator.is_some() || !matches!(step.command, Command::Tick);
        if !step.is_done() {
            ensure(step.before == step.after, REFUSED_CHANGES, || step.describe())?;
            return Ok(self.basis_of(step));
        }
        self.check_hidden(step)?;
        self.notices.follow(step)?;
        self.agreements.check_edit(step, read)?;
        let basis = self.agreements.judge(step, &self.standing)?;
        self.games.follow(step)?;
        if is_by_hand {
            self.check_alone(step, basis)?;
        }
        self.check_series(step)?;
        self.check_pushed(step)?;
        Ok(basis)
    }

    fn follow_prices(&mut self, step: Step<'_>) -> Result<(), Failure> {
        match &step.request.command {
            Command::DoOrPropose(_) => {
                let request = Request { command: step.command.clone(), ..step.request.clone() };
                self.prices.follow(step.exchange, &request)
            }
            _ => self.prices.follow(step.exchange, step.request),
        }
    }

    /// A result by the clock rests on no operator's price; a proposed one is by all whose prices count.
    fn check_pushed(&self, step: Step<'_>) -> Result<(), Failure> {
        if *step.command != Command::Tick || !step.before.policy.two_required {
            return Ok(());
        }
        for change in step.exchange.changes() {
            let (event, proposers) = match change {
                Change::EventStatus { event, status: Status::Resolved } => (Some(*event), BTreeSet::new()),
                Change::Proposal { proposal, step: ProposalStep::Proposed } => {
                    let found = step.exchange.governance().proposal(*proposal);
                    let proposers = found.map(|found| found.proposers().collect()).unwrap_or_default();
                    (found.and_then(|found| found.subject.event()), proposers)
                }
                _ => continue,
            };
            let link = event.and_then(|event| step.after.event(event)).map(|event| event.link);
            let Some(EventLink::Series { series, start }) = link else { continue };
            let pushers = self.prices.pushers(step.exchange, series, start);
            ensure(proposers == pushers, PUSHED_PAYS, || {
                format!("{change:?}, pushed by {pushers:?}, proposed by {proposers:?}")
            })?;
        }
        Ok(())
    }

    fn basis_of(&self, step: Step<'_>) -> Basis {
        match (step.operator, step.request.actor) {
            (Some(operator), _) => Basis::Alone(operator),
            (None, Actor::System) => Basis::Owner,
            (None, _) => Basis::User,
        }
    }

    fn learn(&mut self, step: Step<'_>, basis: Option<Basis>) {
        let alone = basis.unwrap_or_else(|| self.basis_of(step));
        if step.is_done() {
            for deed in self.agreements.learn(step) {
                self.standing.carry_out(&deed, alone, step.exchange.now());
                self.repeats.note_agreed(step, &deed);
                if let (Command::CreateSeries(new), Basis::Alone(operator)) = (&deed, alone) {
                    self.series.insert(new.id, operator);
                }
            }
        }
    }

    /// Nobody learns of an event that is cancelled before anybody could trade in it.
    fn check_hidden(&self, step: Step<'_>) -> Result<(), Failure> {
        let was_draft = |event: EventId| match step.before.event(event) {
            Some(before) => before.status == Status::Draft,
            None => true,
        };
        for change in step.exchange.changes() {
            if let Change::EventStatus { event, status: Status::Cancelled } = change
                && was_draft(*event)
            {
                let is_hidden = step.after.event(*event).is_none_or(|event| event.never_opened);
                ensure(is_hidden, NEVER_OPENED, || step.describe())?;
            }
        }
        Ok(())
    }

    /// Charges the seeds of an operator's series to its day.
    fn check_series(&mut self, step: Step<'_>) -> Result<(), Failure> {
        let mut made = None;
        for change in step.exchange.changes() {
            match change {
                Change::EventCreated { event } => made = step.after.event(*event),
                Change::PoolSeeded { currency, sets, .. } => {
                    let link = made.map(|event| event.link);
                    let Some(EventLink::Series { series, .. }) = link else { continue };
                    let Some(operator) = self.series.get(&series).copied() else { continue };
                    let units = sets.payout(*currency).units();
                    self.charge(step, operator, *currency, units, SERIES_CAPS)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
