//! Repeated requests are done once: keys of operators, and references of movements of money.

use std::collections::BTreeMap;

use exchange::command::{Command, CreditWallet, DebitWallet, MoveFees};
use exchange::id::{OperatorId, UserId};
use exchange::idempotency::KEYS_PER_USER_MAX;
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::Step;
use crate::failure::{Failure, ensure};

pub const KEY_REPEATED: &str = "an operator's retry under its key is answered from memory";
pub const KEYS_SHARED: &str = "an operator's keys leave those of all others their places";
pub const REFERENCE_REPEATED: &str =
    "a reference answers its own movement as done and refuses another with the sequence";
const REMEMBERED_FOR: Span = Span::hours(24);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Movement {
    account: Option<UserId>,
    currency: Currency,
    amount: Money,
    kind: &'static str,
}

/// The first request under a key.
#[derive(Clone, Copy, Debug)]
struct First {
    operator: OperatorId,
    body: u64,
    at: Time,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    references: BTreeMap<Text, (Movement, u64)>,
    keys: BTreeMap<(u64, u64), First>,
}

impl Repeats {
    pub(super) fn follow(&mut self, step: Step<'_>) -> Result<(), Failure> {
        let is_known = self.follow_key(step)?;
        if is_known { Ok(()) } else { self.follow_reference(step) }
    }

    /// Returns whether the key was known.
    fn follow_key(&mut self, step: Step<'_>) -> Result<bool, Failure> {
        let (Some(operator), Some(key)) = (step.operator, step.request.idempotency) else {
            return Ok(false);
        };
        let (now, scope) = (step.exchange.now(), (key.scope, key.scope_low));
        if is_unauthorised(step.result) {
            return Ok(false);
        }
        let first = self.keys.get(&scope).filter(|first| first.at + REMEMBERED_FOR > now);
        if let Some(first) = first {
            let is_same = first.body == key.body && first.operator == operator;
            let is_answered = match is_same {
                true => matches!(step.result, Ok(Reply::Replayed { .. })),
                false => matches!(step.result, Err(Reject::IdempotencyMismatch)),
            };
            ensure(is_answered, KEY_REPEATED, || format!("{first:?}: {}", step.describe()))?;
            return Ok(true);
        }
        if *step.result == Err(Reject::TooManyIdempotencyKeys) {
            let own = self.keys.values().filter(|first| first.operator == operator);
            let own = own.filter(|first| first.at + REMEMBERED_FOR > now).count();
            ensure(own >= KEYS_PER_USER_MAX as usize, KEYS_SHARED, || {
                format!("{own} keys: {}", step.describe())
            })?;
        }
        if step.request.is_remembered(step.result) {
            self.keys.insert(scope, First { operator, body: key.body, at: now });
        }
        Ok(false)
    }

    fn follow_reference(&mut self, step: Step<'_>) -> Result<(), Failure> {
        // Of a proposal that was finalised, the movement is found by its command.
        let moved = match step.command {
            Command::Finalise(_) => return Ok(()),
            command => movement(command),
        };
        let Some((reference, moved)) = moved else { return Ok(()) };
        if is_unauthorised(step.result) {
            return Ok(());
        }
        match self.references.get(reference) {
            Some((known, seq)) => {
                let is_answered = match *known == moved {
                    true => *step.result == Ok(Reply::Repeated { seq: *seq }),
                    false => *step.result == Err(Reject::ReferenceUsed { seq: *seq }),
                };
                ensure(is_answered, REFERENCE_REPEATED, || format!("{known:?}: {}", step.describe()))
            }
            None => {
                self.note(step, reference, moved);
                Ok(())
            }
        }
    }

    fn note(&mut self, step: Step<'_>, reference: &Text, moved: Movement) {
        if step.is_done() && !step.is_proposed() {
            self.references.insert(reference.clone(), (moved, step.exchange.seq()));
        }
    }

    /// Notes the movement of a proposed command that was carried out.
    pub(super) fn note_agreed(&mut self, step: Step<'_>, command: &Command) {
        if let Some((reference, moved)) = movement(command) {
            self.note(step, reference, moved);
        }
    }
}

fn movement(command: &Command) -> Option<(&Text, Movement)> {
    match command {
        Command::CreditWallet(CreditWallet { user, currency, amount, reference }) => {
            let (account, currency, amount) = (Some(*user), *currency, *amount);
            Some((reference, Movement { account, currency, amount, kind: "credit" }))
        }
        Command::DebitWallet(DebitWallet { user, currency, amount, reference }) => {
            let (account, currency, amount) = (Some(*user), *currency, *amount);
            Some((reference, Movement { account, currency, amount, kind: "debit" }))
        }
        Command::MoveFees(MoveFees { currency, amount, to, reference }) => {
            let kind = match to {
                exchange::command::FeesTo::House => "to the house",
                exchange::command::FeesTo::Outside => "outside",
            };
            Some((reference, Movement { account: None, currency: *currency, amount: *amount, kind }))
        }
        _ => None,
    }
}

fn is_unauthorised(result: &Result<Reply, Reject>) -> bool {
    matches!(result, Err(Reject::NotAllowed | Reject::UnknownOperator | Reject::OperatorSuspended))
}
