//! `create_operator`: one more person who runs the venue, known by the hash of a token.

use crate::exchange::Exchange;
use crate::id::{Hash32, OperatorId};
use crate::identity::{Operator, Role, check_name};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

impl Exchange {
    pub(crate) fn create_operator(
        &mut self,
        id: OperatorId,
        name: &Text,
        role: Role,
        token_hash: Hash32,
    ) -> Result<Reply, Reject> {
        check_name(name)?;
        // Revoked operators count: the journal names them, and a token is never somebody else's later.
        let is_taken = |operator: &Operator| operator.id == id || operator.token_hash == token_hash;
        if self.directory.operators.values().any(is_taken) {
            return Err(Reject::DuplicateId);
        }
        let operator =
            Operator { id, name: name.clone(), role, token_hash, created_at: self.now, revoked: false };
        self.directory.operators.insert(id, operator);
        Ok(Reply::Done)
    }
}
