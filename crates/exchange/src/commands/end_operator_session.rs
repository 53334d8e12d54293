//! `end_operator_session`: an operator logs out of the console. Ends only the named session, which must be the
//! sender's.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct EndOperatorSession {
    #[n(0)]
    pub token_hash: Hash32,
}

impl Exchange {
    pub(crate) fn end_operator_session(
        &mut self,
        caller: Caller,
        command: &EndOperatorSession,
    ) -> Result<Reply, Reject> {
        let EndOperatorSession { token_hash } = *command;
        let operator = caller.operator()?;
        let found = self.directory.find_operator_session(token_hash);
        found.filter(|(owner, _)| owner.id == operator).ok_or(Reject::UnknownSession)?;
        self.directory.keep_operator_sessions(operator, |session| session.token_hash != token_hash);
        self.arm_ageing();
        Ok(Reply::Done)
    }
}
