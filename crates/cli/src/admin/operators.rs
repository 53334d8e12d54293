//! `admin operators` and `admin policy`: the operators, and what they may do alone.

use api::Timestamp;
use api::admin::request::{ChangeRole, CreateOperator, SetPolicy, SuspendOperator};
use api::terms::Role;
use clap::Subcommand;

use super::client::Method;
use super::desk::{CommandError, Desk, segment};
use super::values::{Amount, amount, amounts, time, word};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List all operators, present and former
    List,
    /// Create an operator, with the hash of a token that the new operator created with `bellwether operator token`
    ///
    /// Where two persons are required, the operator is only proposed: another approver finalises it, and the token becomes
    /// valid then.
    Create {
        #[arg(long)]
        name: String,
        /// viewer reads, operator runs the venue, approver also finalises and appoints operators
        #[arg(long, value_parser = word::<Role>)]
        role: Role,
        /// The hash printed by `bellwether operator token`
        #[arg(long, value_name = "HASH")]
        token_hash: String,
    },
    /// Change an operator's role; proposed where two persons are required
    Role {
        /// A name or an id
        operator: String,
        #[arg(value_parser = word::<Role>)]
        role: Role,
    },
    /// Propose that an operator is a separate person, not a second token of the operator who created it
    Confirm {
        /// A name or an id
        operator: String,
    },
    /// Suspend an operator at once
    Suspend {
        /// A name or an id
        operator: String,
        /// When the suspension ends by itself; needed where it leaves fewer than two approvers
        #[arg(long, value_name = "TIME", value_parser = time)]
        until: Option<Timestamp>,
    },
    /// Lift a suspension; proposed where two persons are required
    Reinstate {
        /// A name or an id
        operator: String,
    },
    /// End an operator's access permanently; proposed where two persons are required
    Revoke {
        /// A name or an id
        operator: String,
    },
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let path =
            |operator: &str, action: &str| format!("/admin/v1/operators/{}/{action}", segment(operator));
        match self {
            Command::List => {
                let columns = [
                    "operatorId",
                    "name",
                    "role",
                    "suspended",
                    "revoked",
                    "onePersonWith",
                    "breakGlassAt",
                    "createdAt",
                ];
                desk.show("/admin/v1/operators", &columns)
            }
            Command::Create { name, role, token_hash } => {
                let body = CreateOperator { name: name.clone(), role: *role, token_hash: token_hash.clone() };
                desk.send(Method::Post, "/admin/v1/operators", &body, &[])
            }
            Command::Role { operator, role } => {
                desk.send(Method::Put, &path(operator, "role"), &ChangeRole { role: *role }, &[])
            }
            Command::Confirm { operator } => desk.act(&path(operator, "confirm")),
            Command::Suspend { operator, until } => {
                desk.send(Method::Post, &path(operator, "suspend"), &SuspendOperator { until: *until }, &[])
            }
            Command::Reinstate { operator } => desk.act(&path(operator, "reinstate")),
            Command::Revoke { operator } => desk.act(&path(operator, "revoke")),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum PolicyCommand {
    /// Show the policy
    Show,
    /// Change the policy; omitted fields stay unchanged. Only proposed where two persons are required
    Set {
        /// Require that one person proposes a payout and another, an approver, finalises it
        #[arg(long)]
        two_required: Option<bool>,
        /// How long a proposed verdict is public before it can be finalised
        #[arg(long, value_name = "SECONDS")]
        resolution_delay: Option<u32>,
        /// The largest single credit or debit of an operator alone, such as USD=1000
        #[arg(long, value_name = "AMOUNT", value_parser = amount)]
        entry_max: Vec<Amount>,
        /// The most that one operator may credit and debit alone in a day, such as USD=10000
        #[arg(long, value_name = "AMOUNT", value_parser = amount)]
        day_max: Vec<Amount>,
        /// How long a resolved or cancelled event stays in memory
        #[arg(long, value_name = "SECONDS")]
        retire_after: Option<u32>,
    },
}

impl PolicyCommand {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            PolicyCommand::Show => desk.show("/admin/v1/policy", &[]),
            PolicyCommand::Set { two_required, resolution_delay, entry_max, day_max, retire_after } => {
                let body = SetPolicy {
                    two_required: *two_required,
                    resolution_delay_seconds: *resolution_delay,
                    entry_max: amounts(entry_max)?,
                    day_max: amounts(day_max)?,
                    retire_after_seconds: *retire_after,
                };
                desk.send(Method::Put, "/admin/v1/policy", &body, &[])
            }
        }
    }
}
