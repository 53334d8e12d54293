//! The changes of one person, by comparing the facts: within the caps, restraining, or nothing at all.

use exchange::catalogue::Status;
use exchange::command::Command;
use exchange::governance::Subject;
use exchange::id::OperatorId;
use exchange::numbers::Currency;
use exchange::time::Time;

use super::{Basis, Judge, Step};
use crate::failure::{Failure, ensure};
use crate::rogue::facts::{OperatorFact, UserFact};

pub const MONEY_ALONE: &str = "no operator moves more money alone than the caps allow";
pub const FEES_ALONE: &str = "collected fees move by agreement alone";
pub const TERMS_ALONE: &str = "terms of a market that has opened change by agreement alone";
pub const VERDICT_ALONE: &str = "no market is decided by one person";
pub const RESULT_ALONE: &str = "no result of a game is recorded by one person";
pub const ACCOUNTS_ALONE: &str = "one person restrains accounts and does not give access";
pub const OPERATORS_ALONE: &str = "operators change by agreement alone, except that one may suspend";
pub const POLICY_ALONE: &str = "the policy changes by agreement alone";
pub const RULES_ALONE: &str = "the rules change by agreement alone";

/// What an agreement is about; the rest must stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Permit {
    money: bool,
    fees: bool,
    terms: bool,
    verdict: bool,
    accounts: bool,
    operators: bool,
    policy: bool,
    rules: bool,
}

impl Permit {
    fn add(&mut self, subject: &Subject) {
        use Command as C;
        let Subject::Command(command) = subject else {
            (self.money, self.verdict) = (true, true);
            return;
        };
        match command.as_ref() {
            C::CreditWallet(_) | C::DebitWallet(_) | C::SeedPool(_) | C::GrowPool(_) | C::CreateSeries(_) => {
                self.money = true
            }
            C::MoveFees(_) => (self.money, self.fees) = (true, true),
            C::ChangeTerms(_) | C::SetMarketTerms(_) => self.terms = true,
            C::SuspendUser(_) | C::FreezeUser(_) | C::EraseUser(_) | C::ApprovePasswordReset(_) => {
                self.accounts = true;
            }
            C::SetPolicy(_) | C::ChangePolicy(_) => self.policy = true,
            C::UpgradeRules(_) => self.rules = true,
            _ => self.operators = true,
        }
    }
}

impl Judge {
    pub(super) fn check_alone(&mut self, step: Step<'_>, basis: Basis) -> Result<(), Failure> {
        let mut permit = Permit::default();
        let operator = match basis {
            Basis::Owner | Basis::User => return Ok(()),
            _ if !step.before.policy.two_required => return Ok(()),
            Basis::Alone(operator) => operator,
            Basis::Agreed(operator) => {
                self.agreements.finalised(step).for_each(|subject| permit.add(subject));
                operator
            }
            Basis::Glass(operator) => {
                permit.operators = true;
                operator
            }
        };
        let (before, after) = (step.before, step.after);
        let detail = || step.describe();
        ensure(permit.rules || before.rules == after.rules, RULES_ALONE, detail)?;
        ensure(permit.policy || before.policy == after.policy, POLICY_ALONE, detail)?;
        ensure(permit.operators || are_restrained(step), OPERATORS_ALONE, detail)?;
        ensure(permit.accounts || are_accounts_restrained(step), ACCOUNTS_ALONE, detail)?;
        ensure(permit.fees || before.fees == after.fees, FEES_ALONE, detail)?;
        if !permit.verdict {
            check_verdicts(step)?;
        }
        if !permit.terms {
            check_terms(step)?;
        }
        if permit.money { Ok(()) } else { self.check_money(step, operator) }
    }

    fn check_money(&mut self, step: Step<'_>, operator: OperatorId) -> Result<(), Failure> {
        let is_draft_cancelled = step
            .after
            .known_markets(step.before)
            .any(|(before, after)| (before.status, after.status) == (Status::Draft, Status::Cancelled));
        for (place, currency) in Currency::ALL.into_iter().enumerate() {
            let moved = |(place_of, after): (usize, &UserFact)| {
                let before = step.before.users.get(place_of).map_or(0, |user| user.money[place]);
                let moved = after.money[place] - before;
                // The house gets the seed of a draft back.
                let is_refund = place_of == 0 && moved > 0 && is_draft_cancelled;
                if is_refund { 0 } else { moved.abs() }
            };
            let moved = step.after.users.iter().enumerate().map(moved).sum();
            self.charge(step, operator, currency, moved, MONEY_ALONE)?;
        }
        Ok(())
    }

    /// Adds to what the operator moved today.
    pub(super) fn charge(
        &mut self,
        step: Step<'_>,
        operator: OperatorId,
        currency: Currency,
        moved: i64,
        rule: &str,
    ) -> Result<(), Failure> {
        if moved == 0 || !step.before.policy.two_required {
            return Ok(());
        }
        let (policy, now) = (&step.before.policy, step.exchange.now());
        let day = now.micros().div_euclid(24 * 3_600 * 1_000_000);
        let is_glass = self.standing.is_glass(operator, now);
        let today = self.moved.entry((operator, day, currency.index())).or_default();
        *today += moved;
        let (entry, all) = (policy.entry_max.get(currency).units(), policy.day_max.get(currency).units());
        ensure(moved <= entry && *today <= all && !is_glass, rule, || {
            format!("{operator} moved {moved}, {today} today: {}", step.describe())
        })
    }
}

/// When a suspension ends.
fn end(operator: &OperatorFact) -> Option<Time> {
    operator.suspended.then(|| operator.suspended_until.unwrap_or(Time::NEVER))
}

fn are_restrained(step: Step<'_>) -> bool {
    let is_restrained = |(before, after): (&OperatorFact, &OperatorFact)| {
        let (suspended, suspended_until) = (before.suspended, before.suspended_until);
        *before == OperatorFact { suspended, suspended_until, ..*after } && end(before) <= end(after)
    };
    let (before, after) = (&step.before.operators, &step.after.operators);
    before.len() == after.len() && before.iter().zip(after).all(is_restrained)
}

fn are_accounts_restrained(step: Step<'_>) -> bool {
    let is_restrained = |(before, after): (&UserFact, &UserFact)| {
        (after.disabled || !before.disabled)
            && (after.frozen || !before.frozen)
            && after.erased == before.erased
            && after.password_version == before.password_version
            && after.approved_resets <= before.approved_resets
    };
    step.before.users.iter().zip(&step.after.users).all(is_restrained)
}

fn check_verdicts(step: Step<'_>) -> Result<(), Failure> {
    for (before, after) in step.after.known_markets(step.before) {
        let is_decided = after.status.is_final() && before.status != after.status;
        let is_draft = before.status == Status::Draft && after.status == Status::Cancelled;
        ensure(is_draft || (!is_decided && before.pays == after.pays), VERDICT_ALONE, || {
            format!("{before:?} became {after:?}: {}", step.describe())
        })?;
    }
    for game in &step.after.games {
        let known = step.before.game(game.id).and_then(|before| before.score);
        ensure(game.score == known, RESULT_ALONE, || format!("{game:?}: {}", step.describe()))?;
    }
    Ok(())
}

fn check_terms(step: Step<'_>) -> Result<(), Failure> {
    for (before, after) in step.after.known_markets(step.before) {
        let is_same = before.terms == after.terms && before.announced == after.announced;
        // Announced terms end with their market.
        let has_ended = after.status.is_final() && before.terms == after.terms && after.announced.is_none();
        ensure(is_same || has_ended || before.status == Status::Draft, TERMS_ALONE, || {
            format!("{before:?} became {after:?}: {}", step.describe())
        })?;
    }
    Ok(())
}
