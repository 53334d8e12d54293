//! `create_operator`: one more person who runs the venue, known by the hash of a token.

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::{Hash32, OperatorId};
use crate::identity::{Operator, Role, check_name};
use crate::numbers::PerCurrency;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

impl Exchange {
    pub(crate) fn create_operator(
        &mut self,
        caller: Caller,
        id: OperatorId,
        name: &Text,
        role: Role,
        token_hash: Hash32,
    ) -> Result<Reply, Reject> {
        check_name(name)?;
        self.check_new_operator(id, token_hash)?;
        if role == Role::Approver {
            // Whoever could make an approver alone would be two.
            self.check_alone(caller)?;
        }
        self.add_operator(id, name.clone(), role, token_hash);
        Ok(Reply::Done)
    }

    pub(crate) fn check_new_operator(&self, id: OperatorId, token_hash: Hash32) -> Result<(), Reject> {
        // Revoked operators count: the journal names them, and a token is never somebody else's later.
        let is_taken = |operator: &Operator| operator.id == id || operator.token_hash == token_hash;
        if self.directory.operators.values().any(is_taken) { Err(Reject::DuplicateId) } else { Ok(()) }
    }

    pub(crate) fn add_operator(&mut self, id: OperatorId, name: Text, role: Role, token_hash: Hash32) {
        let operator = Operator {
            id,
            name,
            role,
            token_hash,
            created_at: self.now,
            revoked: false,
            moved_on: 0,
            moved: PerCurrency::default(),
            sessions: Vec::new(),
        };
        self.directory.add_operator(operator);
    }
}
