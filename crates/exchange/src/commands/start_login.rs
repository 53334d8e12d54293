//! `start_login`: counts a login attempt before the edge checks the password.
//!
//! Attempts for unknown addresses are counted too, so that the limit does not reveal which accounts exist.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::identity::LoginScope;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StartLogin {
    #[n(0)]
    pub scope: LoginScope,
}

impl Exchange {
    pub(crate) fn start_login(&mut self, _: Caller, command: &StartLogin) -> Result<Reply, Reject> {
        let StartLogin { scope } = *command;
        let spent = self.directory.login_limit.spend(scope, self.now);
        spent.map_err(|retry_at| Reject::LimitReached { retry_at })?;
        self.arm_ageing();
        Ok(Reply::Done)
    }
}
