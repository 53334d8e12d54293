//! Actions of one operator without a proposal: nothing that needs two persons, and no more money than the caps allow.

use exchange::change::Change;
use exchange::command::{Command, FreezeUser, SuspendOperator, SuspendUser};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};

use super::{Answered, OperatorBook, day};
use crate::failure::{Failure, ensure};

pub const NOT_ALONE: &str = "13 where two are required no person changes alone who may pay";
pub const ALWAYS_PROPOSED: &str = "13 fees move, and operators become persons, by proposals alone";
pub const CAPS_HOLD: &str = "13 no operator moves more than a cap alone";

impl OperatorBook {
    pub(super) fn check_alone(&mut self, answered: Answered<'_>) -> Result<(), Failure> {
        let Actor::Operator { operator } = answered.request.actor else { return Ok(()) };
        let command = &answered.request.command;
        let detail = || format!("{command:?} by {operator}");
        let is_proposed = matches!(command, Command::Finalise(_));
        let moves_fees = |change: &Change| matches!(change, Change::FeesMoved { .. });
        let moves_fees = answered.changes.iter().any(moves_fees);
        let confirms = matches!(command, Command::ConfirmOperator(_));
        ensure(is_proposed || !(moves_fees || confirms), ALWAYS_PROPOSED, detail)?;
        let is_newer = answered.exchange.rules_version() >= 4;
        let takes_two = takes_two(command) || (is_newer && takes_two_since_4(command));
        ensure(!(answered.two_required && takes_two), NOT_ALONE, detail)?;
        if is_proposed {
            return Ok(());
        }
        for (currency, amount) in moved(answered) {
            let policy = &self.log.policy;
            let (entry, whole_day) = (*policy.entry_max.get(currency), *policy.day_max.get(currency));
            let today = self.moved.entry((operator, day(answered.exchange.now()), currency)).or_default();
            *today += amount;
            ensure(amount <= entry && *today <= whole_day, CAPS_HOLD, || {
                format!("{operator} moved {amount}, {today} in all today, under {policy:?}")
            })?;
        }
        Ok(())
    }
}

/// The movements that the caps count: credits and debits; where two persons are required, also seeds.
fn moved(answered: Answered<'_>) -> Vec<(Currency, Money)> {
    let is_seed = matches!(answered.request.command, Command::SeedPool(_) | Command::GrowPool(_));
    let moved = |change: &Change| match change {
        Change::Funds { currency, amount, .. } => Some((*currency, Money::new(amount.units().abs()))),
        Change::PoolSeeded { currency, sets, .. } if is_seed && answered.two_required => {
            Some((*currency, sets.payout(*currency)))
        }
        _ => None,
    };
    answered.changes.iter().filter_map(moved).collect()
}

/// Commands that rules 4 added to those for two. An upgrade to them was still the decision of one.
const fn takes_two_since_4(command: &Command) -> bool {
    matches!(command, Command::ChangePolicy(_))
}

const fn takes_two(command: &Command) -> bool {
    matches!(
        command,
        Command::CreateOperator(_)
            | Command::ChangeRole(_)
            | Command::ConfirmOperator(_)
            | Command::SuspendOperator(SuspendOperator { suspended: false, .. })
            | Command::RevokeOperator(_)
            | Command::BreakGlass(_)
            | Command::SetPolicy(_)
            | Command::SuspendUser(SuspendUser { suspended: false, .. })
            | Command::FreezeUser(FreezeUser { frozen: false, .. })
            | Command::ApprovePasswordReset(_)
            | Command::MoveFees(_)
            | Command::EraseUser(_)
    )
}
