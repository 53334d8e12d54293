//! `create_operator`: adds an operator, identified by the hash of a token that the new operator generated.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::{Hash32, OperatorId};
use crate::identity::{Operator, Role, check_label};
use crate::numbers::PerCurrency;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CreateOperator {
    #[n(0)]
    pub id: OperatorId,
    #[n(1)]
    pub name: Text,
    #[n(2)]
    pub role: Role,
    #[n(3)]
    pub token_hash: Hash32,
}

impl Exchange {
    pub(crate) fn create_operator(
        &mut self,
        caller: Caller,
        command: &CreateOperator,
    ) -> Result<Reply, Reject> {
        let &CreateOperator { id, ref name, role, token_hash } = command;
        self.check_new_operator(id, name, token_hash)?;
        // Otherwise one person could create a second operator, propose with one and finalise with the other.
        self.check_alone(caller)?;
        self.add_operator(caller, id, name, role, token_hash);
        Ok(Reply::Done)
    }

    pub(crate) fn check_new_operator(
        &self,
        id: OperatorId,
        name: &Text,
        token_hash: Hash32,
    ) -> Result<(), Reject> {
        check_label(name)?;
        // Revoked operators count: the journal refers to them, and a token never passes to another operator.
        let is_taken = |operator: &Operator| operator.id == id || operator.token_hash == token_hash;
        if self.directory.operators().any(is_taken) { Err(Reject::DuplicateId) } else { Ok(()) }
    }

    /// Adds the record of a new operator.
    pub(crate) fn add_operator(
        &mut self,
        caller: Caller,
        id: OperatorId,
        name: &Text,
        role: Role,
        token_hash: Hash32,
    ) {
        let operator = Operator {
            id,
            name: name.clone(),
            role,
            token_hash,
            created_at: self.now,
            revoked: false,
            moved_on: 0,
            moved: PerCurrency::default(),
            sessions: Vec::new(),
            suspended: false,
            suspended_until: None,
            holders: self.directory.holders_of_new(id, caller.acts_alone()),
            break_glass_at: None,
        };
        self.directory.add_operator(operator);
    }
}
