//! `open_operator_session`: an operator whose token was verified at the edge logs in to the console, for twelve hours.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::identity::{OPERATOR_SESSIONS_MAX, OperatorSession};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OpenOperatorSession {
    #[n(0)]
    pub token_hash: Hash32,
}

impl Exchange {
    pub(crate) fn open_operator_session(
        &mut self,
        caller: Caller,
        command: &OpenOperatorSession,
    ) -> Result<Reply, Reject> {
        let OpenOperatorSession { token_hash } = *command;
        let operator = caller.operator()?;
        if self.directory.find_operator_session(token_hash).is_some() {
            return Err(Reject::DuplicateId);
        }
        let record = self.directory.operators.get(&operator).ok_or(Reject::OperatorNotFound)?;
        if let Some(oldest) =
            record.sessions.first().filter(|_| record.sessions.len() >= OPERATOR_SESSIONS_MAX)
        {
            let oldest = oldest.token_hash;
            self.directory.keep_operator_sessions(operator, |session| session.token_hash != oldest);
        }
        let session = OperatorSession { token_hash, created_at: self.now };
        self.directory.add_operator_session(operator, session);
        self.arm_ageing();
        Ok(Reply::Done)
    }
}
