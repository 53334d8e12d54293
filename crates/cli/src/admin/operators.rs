//! `admin operators` and `admin policy`: who runs the venue, and what they may do alone.

use api::terms::Role;
use clap::Subcommand;

use super::client::Method;
use super::desk::{Body, Desk, Trouble, segment};
use super::values::{Amount, amount, amounts, word};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Everyone who runs or ran the venue
    List,
    /// One more; the token is shown once
    ///
    /// Where two are required, an approver is only proposed: another approver finalises it, and the token is good from then on.
    Create {
        #[arg(long)]
        name: String,
        /// viewer looks, operator runs the venue, approver also approves and appoints
        #[arg(long, value_parser = word::<Role>)]
        role: Role,
    },
    /// End somebody's access at once
    Revoke {
        /// A name or an id
        operator: String,
    },
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), Trouble> {
        match self {
            Command::List => {
                let columns = ["operatorId", "name", "role", "revoked", "createdAt"];
                desk.show("/admin/v1/operators", &columns)
            }
            Command::Create { name, role } => {
                let body = Body::new().with("name", name).with("role", role);
                desk.send(Method::Post, "/admin/v1/operators", &body, &[])
            }
            Command::Revoke { operator } => {
                desk.act(&format!("/admin/v1/operators/{}/revoke", segment(operator)))
            }
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum PolicyCommand {
    /// What operators may do alone
    Show,
    /// Change it; what is left out stays. Where two are required it is only proposed
    Set {
        /// Whoever finalises is an approver and not who proposed
        #[arg(long)]
        two_required: Option<bool>,
        /// How long a proposed end stands in public before it can be finalised
        #[arg(long, value_name = "SECONDS")]
        resolution_delay: Option<u32>,
        /// The largest single credit or debit, such as USD=1000
        #[arg(long, value_name = "AMOUNT", value_parser = amount)]
        entry_max: Vec<Amount>,
        /// What one operator credits and debits in a day, such as USD=10000
        #[arg(long, value_name = "AMOUNT", value_parser = amount)]
        day_max: Vec<Amount>,
    },
}

impl PolicyCommand {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), Trouble> {
        match self {
            PolicyCommand::Show => desk.show("/admin/v1/policy", &[]),
            PolicyCommand::Set { two_required, resolution_delay, entry_max, day_max } => {
                let body = Body::new()
                    .maybe("twoRequired", two_required.as_ref())
                    .maybe("resolutionDelaySeconds", resolution_delay.as_ref())
                    .maybe("entryMax", amounts(entry_max).as_ref())
                    .maybe("dayMax", amounts(day_max).as_ref());
                desk.send(Method::Put, "/admin/v1/policy", &body, &[])
            }
        }
    }
}
