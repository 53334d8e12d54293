//! `revoke_operator`: from this command on the operator may do nothing. The record stays, for the audit trail.

use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn revoke_operator(&mut self, operator: OperatorId) -> Result<Reply, Reject> {
        let record = self.directory.operators.get_mut(&operator).ok_or(Reject::OperatorNotFound)?;
        record.revoked = true;
        Ok(Reply::Done)
    }
}
