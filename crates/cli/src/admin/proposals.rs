//! `admin proposals`: proposals that wait for a second person or for their time.

use api::admin::request::Withdraw;
use clap::Subcommand;

use super::client::Method;
use super::desk::{CommandError, Desk, PAYOUT_COLUMNS, segment};

const COLUMNS: &[&str] = &["proposalId", "type", "about", "verdict", "proposedBy", "role", "finalFrom"];

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List pending proposals
    List,
    /// Preview what a proposal would pay now
    Preview { proposal: String },
    /// Execute a proposal, and pay
    Finalise {
        proposal: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Withdraw a proposal
    Withdraw {
        proposal: String,
        #[arg(long)]
        reason: String,
    },
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            Command::List => desk.show("/admin/v1/proposals", COLUMNS),
            Command::Preview { proposal } => desk.show(&path(proposal, "preview"), PAYOUT_COLUMNS),
            Command::Finalise { proposal, yes } => finalise(desk, proposal, *yes),
            Command::Withdraw { proposal, reason } => withdraw(desk, proposal, reason),
        }
    }
}

fn path(proposal: &str, action: &str) -> String {
    format!("/admin/v1/proposals/{}/{action}", segment(proposal))
}

pub(super) fn finalise(desk: &Desk, proposal: &str, yes: bool) -> Result<(), CommandError> {
    let preview = if yes { None } else { Some(desk.get(&path(proposal, "preview"))?) };
    desk.confirm(preview.as_deref(), &format!("Finalise {proposal} and pay this?"), yes)?;
    desk.print(&desk.request(Method::Post, &path(proposal, "finalise"), "{}")?, COLUMNS);
    Ok(())
}

pub(super) fn withdraw(desk: &Desk, proposal: &str, reason: &str) -> Result<(), CommandError> {
    let body = Withdraw { reason: reason.to_owned() };
    desk.send(Method::Post, &path(proposal, "withdraw"), &body, COLUMNS)
}
