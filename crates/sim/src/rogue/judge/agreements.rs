//! Proposals as they were meant, who stood by them when they were finalised, and whether that is what happened.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::catalogue::{EventKind, EventLink, Game, Market, PropDirection, SportMarketType, Status};
use exchange::change::{Change, ProposalStep};
use exchange::command::{Command, DoOrPropose, EditEvent, GrowPool, PolicyChange, PriceRange, Propose};
use exchange::governance::{Author, Policy, Score, Subject, Verdict};
use exchange::id::{EventId, MarketId, OperatorId, ProposalId};
use exchange::identity::{Actor, Role};
use exchange::index::ListingIndex;
use exchange::numbers::{Cents, Currency, Money};
use exchange::order::Outcome;

use super::standing::Standing;
use super::{Basis, Step};
use crate::failure::{Failure, ensure};

pub const ONE_PERSON: &str = "a person agrees with nobody but itself";
pub const HALF_AGREEMENT: &str = "a proposal ends with the last operator who may stand by it";
pub const GLASS_PROPOSES: &str = "for a day break-glass proposes and finalises nothing but operators";
pub const VERDICT_CHANGED: &str = "a finalised verdict pays as it was proposed";
pub const LOST_UPDATE: &str = "a change keeps what was changed after it was read";
pub const GROWTH_PRICE: &str = "a pool grows by agreement at a price for which it was meant";

/// How far the price of a pool may move while its growth waits, if the proposal does not say.
const PRICE_MOVES_MAX: i64 = 20_000;

#[derive(Clone, Debug)]
struct Noted {
    proposers: Vec<OperatorId>,
    is_by_node: bool,
    subject: Subject,
    /// The policy and the price of the pool at that time.
    policy: Policy,
    price: Option<i64>,
    /// What a YES share of each market pays by it.
    expected: BTreeMap<MarketId, Cents>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Agreements {
    noted: BTreeMap<ProposalId, Noted>,
    /// The number of edits of each draft.
    edits: BTreeMap<EventId, u64>,
}

impl Agreements {
    pub(super) fn edits_of(&self, event: EventId) -> u64 {
        self.edits.get(&event).copied().unwrap_or(0)
    }

    /// The subjects that the command finalised.
    pub(super) fn finalised<'a>(&'a self, step: Step<'a>) -> impl Iterator<Item = &'a Subject> {
        let ids = steps(step, ProposalStep::Finalised);
        ids.filter_map(|id| self.noted.get(&id)).map(|noted| &noted.subject)
    }

    pub(super) fn check_edit(&self, step: Step<'_>, read: Option<u64>) -> Result<(), Failure> {
        let (Command::EditEvent(EditEvent { event, .. }), Some(read)) = (step.command, read) else {
            return Ok(());
        };
        let edits = self.edits_of(*event);
        ensure(edits == read, LOST_UPDATE, || format!("{edits} edits, read at {read}: {}", step.describe()))
    }

    /// What an accepted command rests on.
    pub(super) fn judge(&self, step: Step<'_>, standing: &Standing) -> Result<Basis, Failure> {
        let Some(operator) = step.operator else {
            let is_owner = step.request.actor == Actor::System;
            return Ok(if is_owner { Basis::Owner } else { Basis::User });
        };
        let is_glass = standing.is_glass(operator, step.exchange.now());
        if let (Some(subject), true) = (proposed(step), is_glass) {
            ensure(is_about_operators(&subject), GLASS_PROPOSES, || step.describe())?;
        }
        let mut basis = Basis::Alone(operator);
        for id in steps(step, ProposalStep::Finalised) {
            let Some(noted) = self.noted.get(&id) else {
                return Err(Failure::new(ONE_PERSON, step.describe()));
            };
            basis = noted.basis(step, operator, standing)?;
            noted.check_content(step)?;
        }
        Ok(basis)
    }

    /// Notes new proposals and forgets ended ones. Returns the commands that were carried out and matter later.
    pub(super) fn learn(&mut self, step: Step<'_>) -> Vec<Command> {
        let mut deeds = Vec::new();
        if !step.is_proposed() && is_deed(step.command) {
            deeds.push(step.command.clone());
        }
        if let (Command::EditEvent(EditEvent { event, .. }), false) = (step.command, step.is_proposed()) {
            *self.edits.entry(*event).or_default() += 1;
        }
        for change in step.exchange.changes() {
            let Change::Proposal { proposal, step: end } = change else { continue };
            match end {
                ProposalStep::Proposed => {
                    if let Some(noted) = Noted::look(step.exchange, *proposal) {
                        self.noted.insert(*proposal, noted);
                    }
                }
                ProposalStep::Finalised => {
                    if let Some(Noted { subject: Subject::Command(command), .. }) =
                        self.noted.remove(proposal)
                    {
                        deeds.push(*command);
                    }
                }
                ProposalStep::Withdrawn | ProposalStep::Overtaken => {
                    self.noted.remove(proposal);
                }
            }
        }
        deeds
    }
}

impl Noted {
    fn look(exchange: &Exchange, id: ProposalId) -> Option<Noted> {
        let proposal = exchange.governance().proposal(id)?;
        let subject = proposal.subject.clone();
        let price = match &subject {
            Subject::Command(command) => match command.as_ref() {
                Command::GrowPool(GrowPool { market, currency, .. }) => price(exchange, *market, *currency),
                _ => None,
            },
            _ => None,
        };
        Some(Noted {
            proposers: proposal.proposers().collect(),
            is_by_node: proposal.by == Author::Node,
            expected: expected(exchange, &subject),
            subject,
            policy: exchange.governance().policy,
            price,
        })
    }

    fn basis(&self, step: Step<'_>, operator: OperatorId, standing: &Standing) -> Result<Basis, Failure> {
        let detail = || format!("{self:?}: {}", step.describe());
        let is_glass = standing.is_glass(operator, step.exchange.now());
        let is_about_operators = is_about_operators(&self.subject);
        ensure(!is_glass || is_about_operators, GLASS_PROPOSES, detail)?;
        if !step.before.policy.two_required || self.is_by_node {
            return Ok(Basis::Agreed(operator));
        }
        let others = || self.proposers.iter().filter(|by| !standing.is_one_person(operator, **by));
        if others().next().is_none() {
            ensure(is_glass && is_about_operators, ONE_PERSON, detail)?;
            return Ok(Basis::Glass(operator));
        }
        let least = if takes_approver(&self.subject) { Role::Approver } else { Role::Operator };
        let may_propose = |by: &OperatorId| standing.may_propose(*by, least, step.exchange.now());
        ensure(others().any(may_propose), HALF_AGREEMENT, detail)?;
        Ok(Basis::Agreed(operator))
    }

    fn check_content(&self, step: Step<'_>) -> Result<(), Failure> {
        let detail = || format!("{self:?}: {}", step.describe());
        for (before, after) in step.after.known_markets(step.before) {
            if !before.status.is_final() && after.status.is_final() && self.subject.is_verdict() {
                let meant = self.expected.get(&after.id).copied();
                ensure(meant == after.pays || !self.names(step, after.id), VERDICT_CHANGED, detail)?;
            }
        }
        let Subject::Command(command) = &self.subject else { return Ok(()) };
        match command.as_ref() {
            Command::SetPolicy(policy) => {
                let (read, meant) = (fields(&self.policy), fields(policy));
                check_policy(step, core::array::from_fn(|field| read[field] != meant[field]))
            }
            Command::ChangePolicy(change) => check_policy(step, given(change)),
            Command::GrowPool(GrowPool { between, .. }) => {
                let grown = |change: &Change| match change {
                    Change::PoolSeeded { yes_price, .. } => Some(yes_price.units()),
                    _ => None,
                };
                let price = step.exchange.changes().iter().find_map(grown);
                let is_meant = match (price, between, self.price) {
                    (Some(price), Some(PriceRange { low, high }), _) => {
                        (low.units()..=high.units()).contains(&price)
                    }
                    (Some(price), None, Some(known)) => (price - known).abs() <= PRICE_MOVES_MAX,
                    _ => false,
                };
                ensure(is_meant, GROWTH_PRICE, detail)
            }
            _ => Ok(()),
        }
    }

    /// Whether a market is of an event that this proposal decides; a bulk command finalises several.
    fn names(&self, step: Step<'_>, market: MarketId) -> bool {
        let catalogue = step.exchange.catalogue();
        let Some(index) = catalogue.find_market(market) else { return true };
        let event = catalogue.event(catalogue.market(index).event);
        match (&self.subject, event.link) {
            (Subject::Resolution { event: named, .. }, _) => *named == event.id,
            (Subject::GameResult { game, .. }, EventLink::Game { game: of, .. }) => *game == of,
            _ => true,
        }
    }
}

type Fields<T> = [T; 7];

fn fields(policy: &Policy) -> Fields<i64> {
    let Policy { two_required, resolution_delay_seconds, entry_max, day_max, retire_after_seconds } = *policy;
    let caps = [entry_max.usd, entry_max.ngn, day_max.usd, day_max.ngn].map(Money::units);
    let (two, delay, age) =
        (two_required.into(), resolution_delay_seconds.into(), retire_after_seconds.into());
    [two, delay, caps[0], caps[1], caps[2], caps[3], age]
}

fn given(change: &PolicyChange) -> Fields<bool> {
    let PolicyChange { two_required, resolution_delay_seconds, entry_max, day_max, retire_after_seconds } =
        *change;
    let caps = [entry_max.usd, entry_max.ngn, day_max.usd, day_max.ngn].map(|cap| cap.is_some());
    let (two, delay) = (two_required.is_some(), resolution_delay_seconds.is_some());
    [two, delay, caps[0], caps[1], caps[2], caps[3], retire_after_seconds.is_some()]
}

/// Fields that a proposal did not mean to change stay as they were just before.
fn check_policy(step: Step<'_>, meant: Fields<bool>) -> Result<(), Failure> {
    let (before, after) = (fields(&step.before.policy), fields(&step.after.policy));
    let is_kept = (0..meant.len()).all(|field| meant[field] || before[field] == after[field]);
    ensure(is_kept, LOST_UPDATE, || {
        format!("{:?} became {:?}: {}", step.before.policy, step.after.policy, step.describe())
    })
}

fn steps<'a>(step: Step<'a>, end: ProposalStep) -> impl Iterator<Item = ProposalId> + 'a {
    step.exchange.changes().iter().filter_map(move |change| match change {
        Change::Proposal { proposal, step } if *step == end => Some(*proposal),
        _ => None,
    })
}

/// The subject that an accepted command proposed.
fn proposed(step: Step<'_>) -> Option<Subject> {
    match (&step.request.command, step.is_proposed()) {
        (Command::Propose(Propose { subject, .. }), _) => Some(subject.clone()),
        (Command::DoOrPropose(DoOrPropose { command, .. }), true) => Some(Subject::Command(command.clone())),
        _ => None,
    }
}

/// Whether only approvers may propose it: who may do what, and by which rules.
fn takes_approver(subject: &Subject) -> bool {
    let Subject::Command(command) = subject else { return false };
    let is_of_venue =
        matches!(**command, Command::SetPolicy(_) | Command::ChangePolicy(_) | Command::UpgradeRules(_));
    is_of_venue || is_about_operators(subject)
}

fn is_about_operators(subject: &Subject) -> bool {
    let Subject::Command(command) = subject else { return false };
    matches!(
        command.as_ref(),
        Command::CreateOperator(_)
            | Command::ChangeRole(_)
            | Command::ConfirmOperator(_)
            | Command::SuspendOperator(_)
            | Command::RevokeOperator(_)
    )
}

/// Whether the judge's own records depend on the command.
const fn is_deed(command: &Command) -> bool {
    matches!(
        command,
        Command::CreateOperator(_)
            | Command::BreakGlass(_)
            | Command::ChangeRole(_)
            | Command::SuspendOperator(_)
            | Command::RevokeOperator(_)
            | Command::CreateSeries(_)
    )
}

fn price(exchange: &Exchange, market: MarketId, currency: Currency) -> Option<i64> {
    let index = exchange.catalogue().find_market(market)?;
    Some(exchange.catalogue().listing(ListingIndex::new(index, currency)).yes_price().units())
}

/// What each market would pay if the subject were carried out now.
fn expected(exchange: &Exchange, subject: &Subject) -> BTreeMap<MarketId, Cents> {
    let catalogue = exchange.catalogue();
    let mut expected = BTreeMap::new();
    match subject {
        Subject::Command(_) => {}
        Subject::Resolution { event, verdict } => {
            let Some(index) = catalogue.find_event(*event) else { return expected };
            let event = catalogue.event(index);
            let markets = event.markets.iter().map(|market| catalogue.market(*market));
            let has_winner = matches!(verdict, Verdict::Outcomes(rulings)
                if rulings.iter().any(|ruling| ruling.outcome == Outcome::Yes));
            for market in markets.filter(|market| !market.status.is_final()) {
                let pays = match verdict {
                    Verdict::Cancelled { yes } => Some(*yes),
                    Verdict::Outcomes(rulings) => {
                        let named = rulings.iter().find(|ruling| ruling.market == market.id);
                        let is_sibling = has_winner && event.kind == EventKind::Combined;
                        named.map(|ruling| cents(ruling.outcome)).or(is_sibling.then_some(Cents::NOTHING))
                    }
                };
                expected.extend(pays.map(|pays| (market.id, pays)));
            }
        }
        Subject::GameResult { game, score } => {
            let Some(game) = catalogue.sports().games.get(game) else { return expected };
            for (_, event) in catalogue.events() {
                let EventLink::Game { game: of, market_type } = event.link else { continue };
                let markets = event.markets.iter().map(|market| catalogue.market(*market));
                let decided = markets.filter(|market| of == game.id && is_decided(market.status));
                let answers = decided.map(|market| (market.id, answer(game, *score, market_type, market)));
                expected.extend(of_one_event(event.kind, answers.collect()));
            }
        }
    }
    expected
}

/// What the markets of one event pay. A combined event is decided as a whole, by one winner at most, or not at all.
fn of_one_event(kind: EventKind, answers: Vec<(MarketId, Option<Cents>)>) -> Vec<(MarketId, Cents)> {
    let winners = answers.iter().filter(|(_, pays)| *pays == Some(Cents::WHOLE)).count();
    let is_whole = winners <= 1 && answers.iter().all(|(_, pays)| pays.is_some());
    if kind == EventKind::Combined && !is_whole {
        return Vec::new();
    }
    answers.into_iter().filter_map(|(market, pays)| Some((market, pays?))).collect()
}

const fn cents(outcome: Outcome) -> Cents {
    match outcome {
        Outcome::Yes => Cents::WHOLE,
        Outcome::No => Cents::NOTHING,
    }
}

const fn is_decided(status: Status) -> bool {
    matches!(status, Status::Open | Status::Paused | Status::Closed)
}

/// The answer of a market of a game to a score, in the plain words of its question.
fn answer(game: &Game, score: Score, kind: SportMarketType, market: &Market) -> Option<Cents> {
    let (home, away) = (i32::from(score.home), i32::from(score.away));
    let prop = market.details.prop;
    if prop.and_then(|prop| prop.team).is_some_and(|team| team != game.home && team != game.away) {
        return None;
    }
    let goals = match (kind, prop.and_then(|prop| prop.team)) {
        (SportMarketType::TotalGoals, _) => home + away,
        (_, Some(team)) if team == game.home => home - away,
        (_, Some(team)) if team == game.away => away - home,
        (SportMarketType::TeamH2h3Way, None) => {
            return Some(cents(if home == away { Outcome::Yes } else { Outcome::No }));
        }
        _ => return None,
    };
    let line = match kind {
        SportMarketType::TeamH2h3Way => 0,
        SportMarketType::GoalSpread | SportMarketType::TotalGoals => prop.and_then(|prop| prop.line)?,
    };
    let is_under = prop.and_then(|prop| prop.direction) == Some(PropDirection::Under);
    let holds = match is_under && kind != SportMarketType::TeamH2h3Way {
        true => goals * 100 < line,
        false => goals * 100 > line,
    };
    Some(cents(if holds { Outcome::Yes } else { Outcome::No }))
}
