//! `Propose`: records a proposal with its evidence. It has no effect until an operator finalises it.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::command::{
    ApprovePasswordReset, ChangeRole, Command, ConfirmOperator, CreateOperator, CreditWallet, DebitWallet,
    EraseUser, FreezeUser, GrowPool, MoveFees, RevokeOperator, SeedPool, SuspendOperator, SuspendUser,
};
use crate::exchange::Exchange;
use crate::governance::{Evidence, PROPOSALS_MAX, Proposal, Subject, Verdict};
use crate::id::ProposalId;
use crate::index::EventIndex;
use crate::reject::Reject;
use crate::reply::Reply;

/// Recorded verdicts per event, besides one per market, before further proposals for it are refused.
const WITHDRAWN_MAX: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Propose {
    #[n(0)]
    pub id: ProposalId,
    #[n(1)]
    pub subject: Subject,
    #[n(2)]
    pub evidence: Evidence,
}

impl Exchange {
    pub(crate) fn propose(&mut self, caller: Caller, command: &Propose) -> Result<Reply, Reject> {
        let &Propose { id, ref subject, ref evidence } = command;
        check_proposer(caller, subject)?;
        if subject.is_verdict() || *evidence != Evidence::default() {
            evidence.check()?;
        }
        self.check_subject(caller, subject)?;
        if self.governance.proposals.contains_key(&id) {
            return Err(Reject::DuplicateId);
        }
        self.check_first_proposal(caller, subject)?;
        if self.governance.is_full(PROPOSALS_MAX) && !self.has_overtaken(caller) {
            return Err(Reject::TooManyProposals);
        }

        self.end_overtaken(caller, subject);
        let proposal = Proposal {
            id,
            subject: subject.clone(),
            evidence: evidence.clone(),
            by: caller.author(),
            at: self.now,
            series: None,
            also_by: Vec::new(),
        };
        self.add_proposal(proposal);
        Ok(Reply::Done)
    }

    pub(crate) fn add_proposal(&mut self, proposal: Proposal) {
        self.changes.push(Change::Proposal { proposal: proposal.id, step: ProposalStep::Proposed });
        self.governance.proposals.insert(proposal.id, proposal);
    }

    /// Whether the subject could be carried out now, and the verdicts that it results in.
    pub(crate) fn check_subject(
        &self,
        caller: Caller,
        subject: &Subject,
    ) -> Result<Vec<(EventIndex, Verdict)>, Reject> {
        match subject {
            Subject::Resolution { event, verdict } => {
                Ok(vec![(self.check_verdict(*event, verdict)?, verdict.clone())])
            }
            Subject::GameResult { game, score } => self.check_game_result(*game, *score),
            Subject::Command(command) => self.check_command(caller, command).map(|()| Vec::new()),
        }
    }

    /// Whether a proposed command could be carried out now, if two persons agreed.
    fn check_command(&self, caller: Caller, command: &Command) -> Result<(), Reject> {
        use Command as C;
        match command {
            C::CreateOperator(CreateOperator { id, name, token_hash, .. }) => {
                self.check_new_operator(*id, name, *token_hash)
            }
            C::ChangeRole(ChangeRole { operator, role }) => self.check_change_role(caller, *operator, *role),
            C::ConfirmOperator(ConfirmOperator { operator })
            | C::SuspendOperator(SuspendOperator { operator, .. }) => {
                self.find_operator(*operator).map(|_| ())
            }
            C::RevokeOperator(RevokeOperator { operator }) => self.check_revoke_operator(caller, *operator),
            C::SetPolicy(policy) => self.check_policy(policy),
            C::SuspendUser(SuspendUser { user, .. }) | C::FreezeUser(FreezeUser { user, .. }) => {
                self.find_account(*user).map(|_| ())
            }
            C::EraseUser(EraseUser { user }) => self.check_erasure(*user).map(|_| ()),
            C::ApprovePasswordReset(ApprovePasswordReset { user, token_hash }) => {
                self.check_password_reset(*user, *token_hash).map(|_| ())
            }
            C::CreditWallet(CreditWallet { user, currency, amount, reference }) => {
                self.check_credit(*user, *currency, *amount, reference).map(|_| ())
            }
            C::DebitWallet(DebitWallet { user, currency, amount, reference }) => {
                self.check_debit(*user, *currency, *amount, reference).map(|_| ())
            }
            C::MoveFees(MoveFees { currency, amount, reference, .. }) => {
                self.check_move_fees(*currency, *amount, reference).map(|_| ())
            }
            C::SeedPool(SeedPool { market, currency, amount, price }) => {
                self.check_seed(*market, *currency, *amount, *price).map(|_| ())
            }
            C::GrowPool(GrowPool { market, currency, amount }) => {
                self.check_growth(*market, *currency, *amount).map(|_| ())
            }
            _ => Err(Reject::NotProposable),
        }
    }

    /// Allows one verdict at a time: the pending proposal must be withdrawn first. A proposal that can no longer be
    /// carried out does not count.
    fn check_first_proposal(&self, caller: Caller, subject: &Subject) -> Result<(), Reject> {
        let mut competing = self.governance.proposals.values().filter(|other| other.competes_with(subject));
        if competing.any(|other| self.check_subject(caller, &other.subject).is_ok()) {
            return Err(Reject::ProposalPending);
        }
        let Subject::Resolution { event, .. } = subject else { return Ok(()) };
        let index = self.catalogue.find_event(*event).ok_or(Reject::EventNotFound)?;
        let event = self.catalogue.event(index);
        let is_full = event.resolutions.len() >= WITHDRAWN_MAX + event.markets.len();
        if is_full { Err(Reject::TooManyProposals) } else { Ok(()) }
    }
}

/// A command can be proposed by the operators who may send it.
fn check_proposer(caller: Caller, subject: &Subject) -> Result<(), Reject> {
    match subject {
        Subject::Command(command) if !command.is_proposable() => Err(Reject::NotProposable),
        Subject::Command(command) if !caller.may(command.authority()) => Err(Reject::NotAllowed),
        _ => Ok(()),
    }
}
