//! `replace_master_key`: the owner of the machine replaces a compromised master key. Every API key is refused until its owner
//! rotates it.

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn replace_master_key(&mut self, fingerprint: Hash32) -> Result<Reply, Reject> {
        if self.directory.master_key == Some(fingerprint) {
            return Err(Reject::InvalidField { field: "fingerprint", rule: "is that of another master key" });
        }
        self.directory.master_key = Some(fingerprint);
        for user in self.directory.users.iter_mut().filter(|user| !user.keys.is_empty()) {
            for key in &mut user.keys {
                key.needs_rotation = true;
            }
            self.changes.push(Change::AccessChanged { user: user.id });
        }
        Ok(Reply::Done)
    }
}
