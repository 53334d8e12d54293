//! The effects of a request: its own command, or the commands and verdicts of the proposals that it finalised.

use exchange::change::{Change, ProposalStep};
use exchange::command::{Command, Finalise, Request};
use exchange::governance::{Proposal, Subject};
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;

/// Proposals that were pending before and are reported as finalised.
pub(super) fn finalised<'a>(before: &'a Before, changes: &[Change]) -> Vec<&'a Proposal> {
    let id = |change: &Change| match change {
        Change::Proposal { proposal, step: ProposalStep::Finalised } => Some(*proposal),
        _ => None,
    };
    changes.iter().filter_map(id).filter_map(|id| before.pending.proposal(id)).collect()
}

/// The command that a request carried out: its own, or a proposed one.
pub(crate) fn deed<'a>(
    before: &'a Before,
    request: &'a Request,
    result: &Result<Reply, Reject>,
) -> Option<&'a Command> {
    match (&request.command, result) {
        (_, Err(_) | Ok(Reply::Replayed { .. } | Reply::Repeated { .. })) => None,
        (Command::Finalise(Finalise { proposal }), Ok(_)) => {
            match &before.pending.proposal(*proposal)?.subject {
                Subject::Command(command) => Some(command),
                Subject::Resolution { .. } | Subject::GameResult { .. } => None,
            }
        }
        (command, Ok(_)) => Some(command),
    }
}
