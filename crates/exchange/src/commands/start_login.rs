//! `start_login`: counts an attempt for an address, and hands out what the edge must check the password against.
//!
//! An address that nobody has is counted in the same way, so that the limit tells nothing about who is here.

use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::identity::User;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::{LoginUser, Reply};

impl Exchange {
    pub(crate) fn start_login(&mut self, email: Hash32) -> Result<Reply, Reject> {
        // Spec, Limits: login, 1 request per 2 minutes per email address.
        let spent = self.directory.login_limit.spend(email, self.now);
        spent.map_err(|retry_at| Reject::LimitReached { retry_at })?;
        self.arm_ageing();
        let index = self.directory.find_by_email(email).filter(|index| *index != UserIndex::HOUSE);
        let user = index.map(|index| self.directory.user(index)).filter(|user| !user.disabled);
        Ok(Reply::LoginStarted { user: user.map(login_user) })
    }
}

fn login_user(user: &User) -> LoginUser {
    LoginUser {
        id: user.id,
        password_hash: user.password_hash.clone(),
        password_version: user.password_version,
    }
}
