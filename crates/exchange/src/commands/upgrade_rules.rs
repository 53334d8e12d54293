//! `upgrade_rules`: later requests in the journal are decided by newer rules. Cannot be undone.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct UpgradeRules {
    #[n(0)]
    pub version: u32,
}

impl Exchange {
    pub(crate) fn upgrade_rules(&mut self, _: Caller, command: &UpgradeRules) -> Result<Reply, Reject> {
        let UpgradeRules { version } = *command;
        self.check_upgrade(command)?;
        self.rules_version = version;
        self.changes.push(Change::RulesUpgraded { version });
        Ok(Reply::Done)
    }

    pub(crate) fn check_upgrade(&self, command: &UpgradeRules) -> Result<(), Reject> {
        if command.version > self.rules_version { Ok(()) } else { Err(Reject::VersionNotNewer) }
    }
}
