//! Who decides: counts persons, not operators, and keeps a second list of operators independent of the exchange's.
//!
//! `log` derives operators and persons from the accepted commands, `finalising` checks finalised proposals, `alone`
//! checks actions without a proposal, `payouts` checks payouts.

mod alone;
mod finalising;
mod log;
mod payouts;

use std::collections::{BTreeMap, BTreeSet};

use exchange::Exchange;
use exchange::catalogue::EventLink;
use exchange::change::{Change, ProposalStep};
use exchange::command::{Command, Finalise, Propose, Request};
use exchange::governance::{Proposal, Subject};
use exchange::id::{OperatorId, ProposalId, SeriesId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;

use super::PriceBook;
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};
use log::{Backing, Log};

pub const BY_OPERATOR_COMMANDS: &str = "13 operators and the policy change by their own commands alone";
pub const PUSHERS_PROPOSE: &str = "13 a result out of pushed prices is proposed by all who pushed one";

pub const TWO_STAY: &str = "13 where two are required two persons who may approve stay";

/// A pending proposal, as derived from the commands.
#[derive(Clone, Debug)]
struct Proposed {
    subject: Subject,
    proposers: BTreeSet<OperatorId>,
    series: Option<SeriesId>,
}

#[derive(Clone, Debug, Default)]
pub struct OperatorBook {
    log: Log,
    proposals: BTreeMap<ProposalId, Proposed>,
    /// Money that an operator moved alone, by day.
    moved: BTreeMap<(OperatorId, i64, Currency), Money>,
}

/// An applied request with everything needed to check it.
#[derive(Clone, Copy, Debug)]
struct Answered<'a> {
    exchange: &'a Exchange,
    prices: &'a PriceBook,
    request: &'a Request,
    changes: &'a [Change],
    two_required: bool,
}

impl OperatorBook {
    /// Call it after `exchange` has applied the request and `prices` has followed it.
    pub fn follow(
        &mut self,
        exchange: &Exchange,
        prices: &PriceBook,
        request: &Request,
        result: &Result<Reply, Reject>,
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        self.follow_changes(exchange, prices, request, result, exchange.changes(), counts)
    }

    /// Like `follow`, with the given changes instead of those of `exchange`.
    pub fn follow_changes(
        &mut self,
        exchange: &Exchange,
        prices: &PriceBook,
        request: &Request,
        result: &Result<Reply, Reject>,
        changes: &[Change],
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        let two_required = self.log.policy.two_required;
        let answered = Answered { exchange, prices, request, changes, two_required };
        let is_done = !matches!(result, Err(_) | Ok(Reply::Replayed { .. } | Reply::Repeated { .. }));
        let finalised = self.take_finalised(answered, is_done)?;
        let mut deeds = Vec::new();
        for proposed in &finalised {
            let backing = self.judge(answered, proposed, counts)?;
            if let Subject::Command(command) = &proposed.subject {
                counts.finalised(command);
                deeds.push((command.as_ref(), backing));
            }
        }
        self.check_payouts(answered, &finalised, counts)?;
        if is_done {
            self.check_alone(answered)?;
            let backing = match request.actor {
                Actor::Operator { operator } => Backing::Alone(operator),
                Actor::System | Actor::Key { .. } | Actor::Session { .. } => Backing::Node,
            };
            deeds.push((&request.command, backing));
            self.note_proposal(request);
        }
        self.note_refusal(answered, result, counts);
        for (command, backing) in deeds {
            let takes_approver = backing != Backing::Node && self.log.takes_approver(command);
            self.log.carry_out(command, backing, exchange);
            ensure(!(two_required && takes_approver) || self.log.has_two_persons(), TWO_STAY, || {
                format!("{command:?} left {:#?}", self.log.operators)
            })?;
        }
        self.follow_steps(answered, counts)?;
        self.compare(exchange)
    }

    fn note_proposal(&mut self, request: &Request) {
        if let Command::Propose(Propose { id, subject, .. }) = &request.command {
            let proposer = match request.actor {
                Actor::Operator { operator } => Some(operator),
                _ => None,
            };
            let (subject, proposers) = (subject.clone(), proposer.into_iter().collect());
            self.proposals.insert(*id, Proposed { subject, proposers, series: None });
        }
    }

    /// Handles automatic proposals, and those that were overtaken or withdrawn.
    fn follow_steps(&mut self, answered: Answered<'_>, counts: &mut Counts) -> Result<(), Failure> {
        for change in answered.changes {
            let Change::Proposal { proposal, step } = change else { continue };
            match step {
                ProposalStep::Proposed if !self.proposals.contains_key(proposal) => {
                    let Some(made) = answered.exchange.governance().proposal(*proposal) else { continue };
                    let proposed = by_clock(answered, made)?;
                    counts.note(Rare::PushedResultWaits);
                    counts.note_if(proposed.proposers.len() > 1, Rare::PushedBySeveral);
                    self.proposals.insert(*proposal, proposed);
                }
                ProposalStep::Proposed | ProposalStep::Finalised => {}
                ProposalStep::Withdrawn => {
                    self.proposals.remove(proposal);
                }
                ProposalStep::Overtaken => {
                    counts.note(Rare::Overtaken);
                    self.proposals.remove(proposal);
                }
            }
        }
        Ok(())
    }

    /// Checks that both lists of operators agree.
    fn compare(&self, exchange: &Exchange) -> Result<(), Failure> {
        let directory = exchange.directory();
        let is_same = directory.operators().len() == self.log.operators.len()
            && directory.operators().all(|operator| {
                self.log.operators.get(&operator.id).is_some_and(|known| {
                    operator.role == known.role
                        && operator.revoked == known.is_revoked
                        && operator.suspended == known.is_suspended
                        && operator.break_glass_at == known.glass_at
                        && operator.holders.iter().eq(&known.holders)
                })
            });
        ensure(is_same, BY_OPERATOR_COMMANDS, || {
            let found: Vec<_> = directory.operators().collect();
            format!("found {found:#?}, by the commands {:#?}", self.log.operators)
        })?;
        let policy = exchange.governance().policy;
        ensure(policy == self.log.policy, BY_OPERATOR_COMMANDS, || {
            format!("found {policy:?}, by the commands {:?}", self.log.policy)
        })
    }

    fn note_refusal(&self, answered: Answered<'_>, result: &Result<Reply, Reject>, counts: &mut Counts) {
        let (Actor::Operator { operator }, Command::Finalise(Finalise { proposal })) =
            (answered.request.actor, &answered.request.command)
        else {
            return;
        };
        let (Some(known), Some(proposed)) = (self.log.operators.get(&operator), self.proposals.get(proposal))
        else {
            return;
        };
        let is_puppet = !proposed.proposers.contains(&operator);
        counts.note_if(is_puppet && *result == Err(Reject::NeedsAnother), Rare::PuppetRefused);
        let is_glass = known.is_glass(answered.exchange.now()) && known.role == Role::Approver;
        counts.note_if(is_glass && *result == Err(Reject::NotAllowed), Rare::GlassRefused);
    }
}

/// An automatic proposal for a series: its proposers are the operators whose prices decide it.
fn by_clock(answered: Answered<'_>, made: &Proposal) -> Result<Proposed, Failure> {
    let catalogue = answered.exchange.catalogue();
    let event = made.subject.event().and_then(|event| catalogue.find_event(event));
    let link = event.map(|event| catalogue.event(event).link);
    let Some(EventLink::Series { series, start }) = link else {
        return Err(Failure::new(PUSHERS_PROPOSE, format!("{made:?}")));
    };
    let pushers = answered.prices.pushers(answered.exchange, series, start);
    let proposers: BTreeSet<OperatorId> = made.proposers().collect();
    ensure(answered.two_required && !pushers.is_empty() && proposers == pushers, PUSHERS_PROPOSE, || {
        format!("{made:?}, pushed by {pushers:?}")
    })?;
    Ok(Proposed { subject: made.subject.clone(), proposers: pushers, series: Some(series) })
}

/// The day of a time, counted from 1970.
fn day(at: Time) -> i64 {
    at.micros().div_euclid(24 * 3_600 * 1_000_000)
}
