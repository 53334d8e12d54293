//! `admin rules`: the version of the log's rules, and its upgrade.

use api::admin::request::UpgradeRules;
use clap::Subcommand;

use super::client::Method;
use super::desk::{CommandError, Desk};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the rules of the log, and the newest that each live node supports
    Show,
    /// Move the log to newer rules, permanently. Refused while a live node does not support them
    Upgrade { version: u32 },
}

impl Command {
    pub fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            Command::Show => desk.show("/admin/v1/rules", &[]),
            Command::Upgrade { version } => {
                let body = UpgradeRules { version: *version };
                desk.send(Method::Put, "/admin/v1/rules", &body, &[])
            }
        }
    }
}
