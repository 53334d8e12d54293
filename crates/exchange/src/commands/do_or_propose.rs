//! `DoOrPropose`: carries out a command that its sender may decide alone, and proposes it otherwise. One command decides, so
//! nothing can change between the attempt and the proposal.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::command::{Command, Propose};
use crate::exchange::Exchange;
use crate::governance::{Evidence, Subject, boxed_command};
use crate::id::ProposalId;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DoOrPropose {
    /// The id of the proposal, if there will be one.
    #[n(0)]
    pub proposal: ProposalId,
    #[cbor(n(1), with = "boxed_command")]
    pub command: Box<Command>,
}

impl Exchange {
    pub(crate) fn do_or_propose(&mut self, caller: Caller, command: &DoOrPropose) -> Result<Reply, Reject> {
        let &DoOrPropose { proposal: id, ref command } = command;
        if command.consent().is_none() || !caller.may(command.authority()) {
            return Err(Reject::NotAllowed);
        }
        if let Some(seq) = self.find_same_movement(command)? {
            return Ok(Reply::Repeated { seq });
        }
        match self.check_consent(caller, command) {
            Err(refusal) if refusal.needs_another_person() && self.is_proposable(command) => {}
            // Evidence is given with a verdict, so a verdict is never proposed here: its refusal says so.
            Ok(()) | Err(_) => return self.dispatch(caller, command),
        }
        let (subject, evidence) = (Subject::Command(command.clone()), Evidence::default());
        self.propose(caller, &Propose { id, subject, evidence })?;
        Ok(Reply::Proposed(id))
    }
}
