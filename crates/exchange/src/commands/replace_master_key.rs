//! `replace_master_key`: the owner of the machine replaces a compromised master key. Every API key is refused until its
//! owner rotates it.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ReplaceMasterKey {
    #[n(0)]
    pub fingerprint: Hash32,
}

impl Exchange {
    pub(crate) fn replace_master_key(
        &mut self,
        _: Caller,
        command: &ReplaceMasterKey,
    ) -> Result<Reply, Reject> {
        let ReplaceMasterKey { fingerprint } = *command;
        if self.directory.master_key == Some(fingerprint) {
            return Err(Reject::InvalidField { field: "fingerprint", rule: "is that of another master key" });
        }
        self.directory.master_key = Some(fingerprint);
        for user in self.directory.users.iter_mut().filter(|user| !user.keys.is_empty()) {
            for key in user.keys.iter_mut() {
                key.needs_rotation = true;
            }
            self.changes.push(Change::AccessChanged { user: user.id });
        }
        Ok(Reply::Done)
    }
}
