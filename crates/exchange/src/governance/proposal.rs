//! The subjects of proposals, which another operator finalises: the resolution of an event, the result of a game, or
//! a command that one person may not send alone.

use minicbor::{Decode, Encode};

use super::{Author, Score, Verdict};
use crate::catalogue::checks::{check_prose, check_url, require};
use crate::command::{Command, FreezeUser, SuspendOperator, SuspendUser};
use crate::exchange::Exchange;
use crate::id::{EventId, GameId, OperatorId, ProposalId, SeriesId};
use crate::reject::Reject;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Subject {
    #[n(0)]
    Resolution {
        #[n(0)]
        event: EventId,
        #[n(1)]
        verdict: Verdict,
    },
    #[n(1)]
    GameResult {
        #[n(0)]
        game: GameId,
        #[n(1)]
        score: Score,
    },
    /// A command for which `Exchange::is_proposable` holds.
    #[n(2)]
    Command(#[cbor(n(0), with = "boxed_command")] Box<Command>),
}

impl Subject {
    /// Whether it resolves events and so must be public for a while first.
    pub const fn is_verdict(&self) -> bool {
        matches!(self, Subject::Resolution { .. } | Subject::GameResult { .. })
    }

    /// The event that it resolves.
    pub const fn event(&self) -> Option<EventId> {
        match self {
            Subject::Resolution { event, .. } => Some(*event),
            Subject::GameResult { .. } | Subject::Command(_) => None,
        }
    }
}

impl Command {
    /// Whether it decides how the venue is run: who may do what, and by which rules.
    pub const fn is_governance(&self) -> bool {
        use Command as C;
        self.is_about_operators() || matches!(self, C::SetPolicy(_) | C::ChangePolicy(_) | C::UpgradeRules(_))
    }

    /// Whether a break-glass approver may finalise the command.
    pub const fn is_about_operators(&self) -> bool {
        use Command as C;
        matches!(
            self,
            C::CreateOperator(_)
                | C::ChangeRole(_)
                | C::ConfirmOperator(_)
                | C::SuspendOperator(SuspendOperator { suspended: false, .. })
                | C::RevokeOperator(_)
        )
    }
}

impl Exchange {
    /// Whether a command can be proposed under the log's rules, because one person may not always send it alone. Rules 4
    /// added those of the last lines; a policy is proposed by the fields that change from then on.
    pub fn is_proposable(&self, command: &Command) -> bool {
        use Command as C;
        let is_newer = self.since(4);
        match command {
            C::SuspendUser(SuspendUser { suspended: false, .. })
            | C::FreezeUser(FreezeUser { frozen: false, .. })
            | C::EraseUser(_)
            | C::ApprovePasswordReset(_)
            | C::CreditWallet(_)
            | C::DebitWallet(_)
            | C::MoveFees(_)
            | C::SeedPool(_)
            | C::GrowPool(_) => true,
            C::SetPolicy(_) => !is_newer,
            C::ChangePolicy(_) | C::ChangeTerms(_) | C::CreateSeries(_) | C::UpgradeRules(_) => is_newer,
            command => command.is_about_operators(),
        }
    }
}

/// Encodes a command inside a command. Decoding refuses a second level before it reads the fields, because deep nesting
/// would overflow the stack. Other commands that cannot be proposed are refused by the rule itself: the
/// journal also contains refused requests and must decode all of them.
pub(crate) mod boxed_command {
    use minicbor::decode::Error;
    use minicbor::encode::{self, Write};
    use minicbor::{Decode, Decoder, Encode, Encoder};

    use super::Command;

    /// The numbers of `Command::Propose` and `Command::DoOrPropose`.
    const WITH_A_COMMAND: [u32; 2] = [101, 109];

    #[allow(clippy::borrowed_box, reason = "the derive macro passes the field as it is")]
    pub(crate) fn encode<C, W: Write>(
        command: &Box<Command>,
        e: &mut Encoder<W>,
        context: &mut C,
    ) -> Result<(), encode::Error<W::Error>> {
        command.as_ref().encode(e, context)
    }

    pub(crate) fn decode<'b, C>(d: &mut Decoder<'b>, context: &mut C) -> Result<Box<Command>, Error> {
        let mut ahead = d.probe();
        ahead.array()?;
        if WITH_A_COMMAND.contains(&ahead.u32()?) {
            return Err(Error::message("a proposal is not of a proposal"));
        }
        Command::decode(d, context).map(Box::new)
    }
}

/// The public justification of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Evidence {
    #[n(0)]
    pub text: Text,
    #[n(1)]
    pub link: Text,
}

impl Evidence {
    /// Requires a text, a link, or both.
    pub(crate) fn check(&self) -> Result<(), Reject> {
        require(!self.text.is_empty() || !self.link.is_empty(), "evidence", "has a text or a link")?;
        check_prose("evidence", &self.text)?;
        check_url("evidence link", &self.link)?;
        let is_web = ["https://", "http://"].iter().any(|scheme| self.link.starts_with(scheme));
        require(self.link.is_empty() || is_web, "evidence link", "begins with https:// or http://")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Proposal {
    #[n(0)]
    pub id: ProposalId,
    #[n(1)]
    pub subject: Subject,
    #[n(2)]
    pub evidence: Evidence,
    #[n(3)]
    pub by: Author,
    #[n(4)]
    pub at: Time,
    /// Set if the proposal was created automatically for a series event, from prices that operators had pushed.
    #[n(5)]
    pub series: Option<SeriesId>,
    /// Operators who proposed it together with `by`.
    #[n(6)]
    pub also_by: Vec<OperatorId>,
    /// What the result of a game decides, as it was proposed. Only under rules 4.
    #[n(7)]
    pub verdicts: Option<Vec<ProposedVerdict>>,
}

/// The verdict on one event.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ProposedVerdict {
    #[n(0)]
    pub event: EventId,
    #[n(1)]
    pub verdict: Verdict,
}

impl Proposal {
    /// The operators who proposed it. The node is not one.
    pub fn proposers(&self) -> impl Iterator<Item = OperatorId> {
        let first = match self.by {
            Author::Operator { operator, .. } => Some(operator),
            Author::Node => None,
        };
        first.into_iter().chain(self.also_by.iter().copied())
    }
}
