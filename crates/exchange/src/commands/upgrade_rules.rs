//! `upgrade_rules`: from here on the journal is decided by newer rules. It never goes back.

use crate::change::Change;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn upgrade_rules(&mut self, version: u32) -> Result<Reply, Reject> {
        if version > Exchange::RULES_VERSION {
            return Err(Reject::InvalidField { field: "version", rule: "one that this build knows" });
        }
        if version <= self.rules_version {
            return Err(Reject::VersionNotNewer);
        }
        self.rules_version = version;
        self.changes.push(Change::RulesUpgraded { version });
        Ok(Reply::Done)
    }
}
