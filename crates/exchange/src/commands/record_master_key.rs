//! `record_master_key`: the first start of a venue records the fingerprint of its master key. Later starts with another
//! master key are refused.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecordMasterKey {
    #[n(0)]
    pub fingerprint: Hash32,
}

impl Exchange {
    pub(crate) fn record_master_key(
        &mut self,
        _: Caller,
        command: &RecordMasterKey,
    ) -> Result<Reply, Reject> {
        let RecordMasterKey { fingerprint } = *command;
        match self.directory.master_key {
            Some(recorded) if recorded != fingerprint => {
                Err(Reject::InvalidField { field: "fingerprint", rule: "is that of the recorded master key" })
            }
            _ => {
                self.directory.master_key = Some(fingerprint);
                Ok(Reply::Done)
            }
        }
    }
}
