//! Persons behind operators. Two operators count as one person while one person may hold the tokens of both.
//!
//! An operator created by one operator alone may be that operator's second token, so its `holders` are itself and all
//! holders of its creator at that time. Two operators are different persons if they share no holder. A proposal agreed
//! by two persons makes an operator its own only holder. So does the command that first requires two persons, for the
//! approvers at that time.
//!
//! Whom a break-glass approver creates, confirms or promotes alone is held by it too, until two persons agree. Who already is
//! its own person stays so when confirmed, and who already has a role when given it again: otherwise a break-glass approver
//! would make one person of all others, and nobody could agree with anybody.

use super::{Directory, Operator};
use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;

impl Operator {
    pub(crate) fn become_own_person(&mut self) {
        self.holders = vec![self.id];
    }

    pub fn is_own_person(&self) -> bool {
        self.holders == [self.id]
    }
}

impl Directory {
    pub fn operator(&self, id: OperatorId) -> Option<&Operator> {
        self.operators.get(&id)
    }

    /// Whether two operators may be one person.
    pub fn is_same_person(&self, one: OperatorId, other: OperatorId) -> bool {
        if one == other {
            return true;
        }
        let (Some(one), Some(other)) = (self.operator(one), self.operator(other)) else { return false };
        one.holders.iter().any(|holder| other.holders.contains(holder))
    }

    /// The holders of a new operator created by `maker` alone.
    pub(crate) fn holders_of_new(&self, id: OperatorId, maker: Option<OperatorId>) -> Vec<OperatorId> {
        let maker = maker.and_then(|maker| self.operator(maker));
        let mut holders = maker.map_or_else(Vec::new, |maker| maker.holders.clone());
        holders.push(id);
        holders.sort_unstable();
        holders.dedup();
        holders
    }

    /// From now on the person of `holder` may hold the token of `operator`.
    pub(crate) fn hold(&mut self, operator: OperatorId, holder: OperatorId) {
        let holders = self.operator(holder).map_or_else(Vec::new, |holder| holder.holders.clone());
        if let Some(record) = self.operators.get_mut(&operator) {
            record.holders.extend(holders);
            record.holders.sort_unstable();
            record.holders.dedup();
        }
    }

    /// Approvers who may act now.
    pub(crate) fn active_approvers(&self) -> impl Iterator<Item = &Operator> {
        self.operators.values().filter(|operator| operator.is_active_approver())
    }
}

impl Exchange {
    /// Notes whom a break-glass approver decides about alone.
    pub(crate) fn hold_by_break_glass(&mut self, caller: Caller, operator: OperatorId) {
        if let Some(alone) = caller.acts_alone()
            && self.since(4)
            && self.is_break_glass(alone)
        {
            self.directory.hold(operator, alone);
        }
    }
}
