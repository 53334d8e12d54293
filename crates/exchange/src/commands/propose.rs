//! `Propose`: records a proposal with its evidence. It has no effect until an operator finalises it.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::command::{
    ApprovePasswordReset, ChangeRole, Command, ConfirmOperator, CreateOperator, CreditWallet, DebitWallet,
    EraseUser, FreezeUser, MoveFees, RevokeOperator, SeedPool, SuspendOperator, SuspendUser,
};
use crate::exchange::Exchange;
use crate::governance::{
    Evidence, PROPOSALS_MAX, PROPOSALS_PER_OPERATOR_MAX, Proposal, ProposedVerdict, Subject, Verdict,
};
use crate::id::{OperatorId, ProposalId};
use crate::index::EventIndex;
use crate::reject::Reject;
use crate::reply::Reply;

/// Recorded verdicts per event, besides one per market, before further proposals for it are refused. Until rules 4.
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
        self.check_proposer(caller, subject)?;
        if subject.is_verdict() || *evidence != Evidence::default() {
            evidence.check()?;
        }
        let verdicts = self.check_subject(caller, subject)?;
        if self.governance.proposal(id).is_some() {
            return Err(Reject::DuplicateId);
        }
        self.check_first_proposal(caller, subject)?;
        self.check_room(caller, subject)?;

        self.end_overtaken(caller, subject);
        let proposal = Proposal {
            id,
            subject: subject.clone(),
            evidence: evidence.clone(),
            by: caller.author(),
            at: self.now,
            series: None,
            also_by: Vec::new(),
            verdicts: self.proposed_verdicts(subject, &verdicts),
        };
        self.add_proposal(proposal);
        if let Subject::GameResult { game, .. } = subject
            && self.since(4)
        {
            self.close_game(*game);
        }
        Ok(Reply::Done)
    }

    /// Refuses a proposal beyond what may wait. A proposal that can no longer be carried out makes room.
    fn check_room(&self, caller: Caller, subject: &Subject) -> Result<(), Reject> {
        let is_full = match (self.since(4), subject) {
            // One verdict waits for each event and game.
            (true, Subject::Resolution { .. } | Subject::GameResult { .. }) => false,
            (true, Subject::Command(command)) => {
                let kind = command.is_governance();
                let is_of_kind = |proposal: &&Proposal| matches!(&proposal.subject, Subject::Command(other) if other.is_governance() == kind);
                let of_kind = || self.governance.proposals().filter(is_of_kind);
                let own = |operator: OperatorId| {
                    of_kind().filter(|other| other.proposers().any(|by| by == operator)).count()
                };
                let is_own_full = caller.operator().is_ok_and(|by| own(by) >= PROPOSALS_PER_OPERATOR_MAX);
                is_own_full || (!kind && of_kind().count() >= PROPOSALS_MAX)
            }
            (false, _) => self.governance.is_full(PROPOSALS_MAX) && !self.has_overtaken(caller),
        };
        if is_full { Err(Reject::TooManyProposals) } else { Ok(()) }
    }

    /// What the result of a game decides now, for the proposal to carry.
    fn proposed_verdicts(
        &self,
        subject: &Subject,
        verdicts: &[(EventIndex, Verdict)],
    ) -> Option<Vec<ProposedVerdict>> {
        let is_carried = self.since(4) && matches!(subject, Subject::GameResult { .. });
        is_carried.then(|| self.name_events(verdicts))
    }

    pub(crate) fn name_events(&self, verdicts: &[(EventIndex, Verdict)]) -> Vec<ProposedVerdict> {
        let named = |(event, verdict): &(EventIndex, Verdict)| ProposedVerdict {
            event: self.catalogue.event(*event).id,
            verdict: verdict.clone(),
        };
        verdicts.iter().map(named).collect()
    }

    pub(crate) fn add_proposal(&mut self, proposal: Proposal) {
        self.changes.push(Change::Proposal { proposal: proposal.id, step: ProposalStep::Proposed });
        self.governance.proposals.insert(proposal);
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
            C::ChangePolicy(change) => self.check_policy_change(change),
            C::ChangeTerms(change) => self.check_terms_change(change).map(|_| ()),
            C::CreateSeries(new) => self.check_new_series(new),
            C::UpgradeRules(upgrade) => self.check_upgrade(upgrade),
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
            C::GrowPool(growth) => self.check_growth(caller, growth).map(|_| ()),
            _ => Err(Reject::NotProposable),
        }
    }

    /// Allows one verdict at a time: the pending proposal must be withdrawn first. A proposal that can no longer be
    /// carried out does not count.
    fn check_first_proposal(&self, caller: Caller, subject: &Subject) -> Result<(), Reject> {
        let mut competing = self.governance.proposals.competing(subject);
        if competing.any(|other| self.check_subject(caller, &other.subject).is_ok()) {
            return Err(Reject::ProposalPending);
        }
        let Subject::Resolution { event, .. } = subject else { return Ok(()) };
        let index = self.catalogue.find_event(*event).ok_or(Reject::EventNotFound)?;
        let event = self.catalogue.event(index);
        let is_full = !self.since(4) && event.resolutions.len() >= WITHDRAWN_MAX + event.markets.len();
        if is_full { Err(Reject::TooManyProposals) } else { Ok(()) }
    }

    /// A command can be proposed by the operators who may send it; for a day, one who was created by break-glass proposes only
    /// operators.
    fn check_proposer(&self, caller: Caller, subject: &Subject) -> Result<(), Reject> {
        match subject {
            Subject::Command(command) if !self.is_proposable(command) => Err(Reject::NotProposable),
            Subject::Command(command) if !caller.may(command.authority()) => Err(Reject::NotAllowed),
            Subject::Command(command) if command.is_about_operators() => Ok(()),
            _ if self.since(4) && caller.operator().is_ok_and(|by| self.is_break_glass(by)) => {
                Err(Reject::NotAllowed)
            }
            _ => Ok(()),
        }
    }
}
