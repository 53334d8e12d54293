//! Persons behind operators. Two operators count as one person while one person may hold the tokens of both.
//!
//! An operator created by one operator alone may be that operator's second token, so its `holders` are itself and all
//! holders of its creator at that time. Two operators are different persons if they share no holder. A proposal agreed
//! by two persons makes an operator its own only holder. So does the command that first requires two persons, for the
//! approvers at that time.

use super::{Directory, Operator};
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

    /// Approvers who may act now.
    pub(crate) fn active_approvers(&self) -> impl Iterator<Item = &Operator> {
        self.operators.values().filter(|operator| operator.is_active_approver())
    }
}
