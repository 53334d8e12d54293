//! Limits on what an operator may do without a proposal. The node has no limits: it acts by the clock or for the owner
//! of the machine.

use crate::authority::Caller;
use crate::catalogue::Status;
use crate::exchange::Exchange;
use crate::governance::{Author, Ending, Resolution, WITHDRAWN_KEPT};
use crate::index::{EventIndex, MarketIndex};
use crate::numbers::{Currency, Money, PerCurrency};
use crate::reject::Reject;

impl Exchange {
    /// Refuses commands that must be proposed because two persons are required.
    pub(crate) fn check_alone(&self, caller: Caller) -> Result<(), Reject> {
        match caller {
            Caller::Operator { .. } if self.governance.policy.two_required => Err(Reject::NeedsProposal),
            _ => Ok(()),
        }
    }

    /// Refuses immediate payouts if two persons are required or verdicts have a waiting period. A draft pays only the
    /// house, which gets its seed back.
    pub(crate) fn check_pays_at_once(&self, caller: Caller, markets: &[MarketIndex]) -> Result<(), Reject> {
        if markets.iter().all(|market| self.catalogue.market(*market).status == Status::Draft) {
            return Ok(());
        }
        self.check_alone(caller)?;
        match caller {
            Caller::Operator { .. } if self.governance.policy.resolution_delay_seconds > 0 => {
                Err(Reject::NeedsProposal)
            }
            _ => Ok(()),
        }
    }

    /// The caps on what an operator moves alone. An agreed proposal has no cap.
    pub(crate) fn check_caps(&self, caller: Caller, currency: Currency, amount: Money) -> Result<(), Reject> {
        let Caller::Operator { operator, .. } = caller else { return Ok(()) };
        let policy = &self.governance.policy;
        let max = *policy.entry_max.get(currency);
        if amount > max {
            return Err(Reject::OverEntryCap { currency, max });
        }
        let today = self.now.day();
        let moved = self.directory.operator(operator).filter(|operator| operator.moved_on == today);
        let moved = moved.map_or(Money::ZERO, |operator| *operator.moved.get(currency));
        let left = *policy.day_max.get(currency) - moved;
        if amount > left {
            return Err(Reject::OverDayCap { currency, left: left.max(Money::ZERO) });
        }
        Ok(())
    }

    /// The caps on house money for pools. They apply only where two persons are required.
    pub(crate) fn check_seed_caps(
        &self,
        caller: Caller,
        currency: Currency,
        amount: Money,
    ) -> Result<(), Reject> {
        if self.governance.policy.two_required { self.check_caps(caller, currency, amount) } else { Ok(()) }
    }

    /// Counts a seed against the daily cap, where seeds are capped.
    pub(crate) fn count_seed(&mut self, caller: Caller, currency: Currency, amount: Money) {
        if self.governance.policy.two_required {
            self.count_moved(caller, currency, amount);
        }
    }

    /// Counts a credit or debit against the daily cap.
    pub(crate) fn count_moved(&mut self, caller: Caller, currency: Currency, amount: Money) {
        let Caller::Operator { operator, .. } = caller else { return };
        let today = self.now.day();
        let Some(operator) = self.directory.operators.get_mut(&operator) else { return };
        if operator.moved_on != today {
            (operator.moved_on, operator.moved) = (today, PerCurrency::default());
        }
        let moved = operator.moved.get_mut(currency);
        // Saturates instead of panicking; the daily cap keeps the sum far below the range.
        *moved = moved.saturating_add(amount);
    }

    /// Records in an event how it ended.
    pub(crate) fn note_resolution(&mut self, event: EventIndex, resolution: Resolution) {
        let is_bounded = self.since(4);
        let resolutions = &mut self.catalogue.event_mut(event).resolutions;
        resolutions.push(resolution);
        let ended = |resolution: &Resolution| resolution.ending != Ending::Finalised;
        if is_bounded
            && resolutions.iter().filter(|resolution| ended(resolution)).count() > WITHDRAWN_KEPT
            && let Some(oldest) = resolutions.iter().position(ended)
        {
            resolutions.remove(oldest);
        }
    }
}

impl Caller {
    /// The author to record for this caller.
    pub(crate) const fn author(self) -> Author {
        match self {
            Caller::Operator { operator, role } | Caller::Proposal { operator, role, .. } => {
                Author::Operator { operator, role }
            }
            Caller::System | Caller::User { .. } => Author::Node,
        }
    }
}
