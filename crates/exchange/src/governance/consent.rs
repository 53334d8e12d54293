//! Who decides an operator's command where two persons are required. `command.rs` has the rule of each command, and does not
//! compile without it; docs/security.md prints them.
//!
//! Rules 4 ask here, before the command itself. Under earlier rules each command asked where its refusals still are.

use super::Policy;
use crate::authority::Caller;
use crate::catalogue::{Engine, Status};
use crate::command::{Command, FreezeUser, GrowPool, SeedPool, SuspendOperator, SuspendUser, Target};
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::numbers::{Currency, Money};
use crate::reject::Reject;

/// The rule of one command of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    pub alone: Alone,
    pub meanwhile: Meanwhile,
}

/// What one operator decides alone where two persons are required. Everything else is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// All of it: it moves no money and decides no verdict, fee or role, or it stops something.
    Always,
    /// Amounts up to the caps, which bind also where one person is enough.
    WithinCaps,
    /// House money up to the caps.
    SeedWithinCaps,
    /// To suspend or to freeze; not to lift it.
    ToRestrain,
    /// Everything about a draft, which has no trades.
    OnDrafts,
    /// Nothing.
    Never,
    /// Nothing, not even where one person is enough.
    NeverAtAll,
}

/// What may change between a proposal and its finalisation, and what refuses it then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    /// It is never proposed.
    Nothing,
    /// The account, operator, market or event that it names: the command is checked again.
    Subject,
    /// Other fields of the same thing: they stay as they are then.
    OtherFields,
    /// The price of the pool: it must lie in the range that the command names.
    Price,
    /// The game and its markets: the score must give the verdicts of the proposal.
    Verdicts,
    /// Other operators: enough approvers must be left.
    Approvers,
}

impl Alone {
    /// For the table of docs/security.md.
    pub const fn describe(self) -> &'static str {
        match self {
            Alone::Always => "everything",
            Alone::WithinCaps => "amounts within the caps, also where one person is enough",
            Alone::SeedWithinCaps => "amounts within the caps",
            Alone::ToRestrain => "to suspend or freeze, not to lift it",
            Alone::OnDrafts => "on what never opened",
            Alone::Never => "nothing",
            Alone::NeverAtAll => "nothing, also where one person is enough",
        }
    }
}

impl Meanwhile {
    pub const fn describe(self) -> &'static str {
        match self {
            Meanwhile::Nothing => "it is never proposed",
            Meanwhile::Subject => "what it names: it is checked again",
            Meanwhile::OtherFields => "fields that it does not give: they stay",
            Meanwhile::Price => "the price: outside the named range it is refused",
            Meanwhile::Verdicts => "game and markets: another verdict than the proposed one is refused",
            Meanwhile::Approvers => "other operators: without enough approvers it is refused",
        }
    }
}

/// What a command would decide.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stake {
    /// Nothing that takes two.
    Nothing,
    /// These amounts at once.
    Amounts(Vec<(Currency, Money)>),
    Everything,
}

impl Exchange {
    /// Refuses an operator's command that takes another person. The node decides alone: it acts by the clock or for the owner
    /// of the machine.
    pub(crate) fn check_consent(&self, caller: Caller, command: &Command) -> Result<(), Reject> {
        let (Some(Consent { alone, .. }), Caller::Operator { operator, .. }) = (command.consent(), caller)
        else {
            return Ok(());
        };
        let stake = self.stake(command, alone);
        if stake != Stake::Nothing && self.is_break_glass(operator) && !command.is_about_operators() {
            return Err(Reject::NotAllowed);
        }
        let Policy { two_required, resolution_delay_seconds, .. } = self.governance.policy;
        let takes_two = match alone {
            Alone::NeverAtAll => true,
            Alone::OnDrafts if command.is_verdict() => two_required || resolution_delay_seconds > 0,
            _ => two_required,
        };
        match stake {
            Stake::Nothing => Ok(()),
            Stake::Amounts(_) if alone == Alone::SeedWithinCaps && !two_required => Ok(()),
            Stake::Amounts(amounts) => amounts
                .into_iter()
                .try_for_each(|(currency, amount)| self.check_caps(caller, currency, amount)),
            Stake::Everything if takes_two => Err(Reject::NeedsProposal),
            Stake::Everything => Ok(()),
        }
    }

    fn stake(&self, command: &Command, alone: Alone) -> Stake {
        use Command as C;
        let unless = |is_light: bool| if is_light { Stake::Nothing } else { Stake::Everything };
        match (alone, command) {
            (Alone::Always, _) => Stake::Nothing,
            (Alone::WithinCaps, C::CreditWallet(credit)) => {
                Stake::Amounts(vec![(credit.currency, credit.amount)])
            }
            (Alone::WithinCaps, C::DebitWallet(debit)) => {
                Stake::Amounts(vec![(debit.currency, debit.amount)])
            }
            (
                Alone::SeedWithinCaps,
                C::SeedPool(SeedPool { currency, amount, .. })
                | C::GrowPool(GrowPool { currency, amount, .. }),
            ) => Stake::Amounts(vec![(*currency, *amount)]),
            (Alone::SeedWithinCaps, C::CreateSeries(new)) => match new.engine {
                Engine::Clob => Stake::Nothing,
                Engine::Amm => {
                    let seed = |currency: &Currency| (*currency, *new.seed.get(*currency));
                    Stake::Amounts(new.currencies.iter().map(seed).collect())
                }
            },
            (
                Alone::ToRestrain,
                C::SuspendUser(SuspendUser { suspended: restrains, .. })
                | C::FreezeUser(FreezeUser { frozen: restrains, .. })
                | C::SuspendOperator(SuspendOperator { suspended: restrains, .. }),
            ) => unless(*restrains),
            (Alone::OnDrafts, C::ResolveMarket(resolve)) => {
                unless(self.is_draft(Target::Market(resolve.market)))
            }
            (Alone::OnDrafts, C::CancelMarkets(cancel)) => unless(self.is_draft(cancel.target)),
            (Alone::OnDrafts, C::SetMarketTerms(terms)) => {
                unless(self.is_draft(Target::Market(terms.market)))
            }
            (Alone::OnDrafts, C::ChangeTerms(terms)) => unless(self.is_draft(Target::Market(terms.market))),
            _ => Stake::Everything,
        }
    }

    /// Whether everything that a target names is a draft. False for what does not exist.
    fn is_draft(&self, target: Target) -> bool {
        match target {
            Target::Event(event) => {
                let event = self.catalogue.find_event(event).map(|index| self.catalogue.event(index));
                event.is_some_and(|event| {
                    event.markets.iter().all(|market| self.catalogue.market(*market).status == Status::Draft)
                })
            }
            Target::Market(market) => {
                let market = self.catalogue.find_market(market).map(|index| self.catalogue.market(index));
                market.is_some_and(|market| market.status == Status::Draft)
            }
        }
    }

    /// Whether an operator was created by break-glass within a day.
    pub(crate) fn is_break_glass(&self, operator: OperatorId) -> bool {
        self.directory.operator(operator).is_some_and(|record| record.is_break_glass(self.now))
    }
}

impl Command {
    /// Whether it ends markets and pays at once.
    const fn is_verdict(&self) -> bool {
        matches!(self, Command::ResolveMarket(_) | Command::CancelMarkets(_) | Command::RecordGameResult(_))
    }
}

impl Reject {
    /// Whether the command may be done if another person agrees.
    pub(crate) const fn needs_another_person(&self) -> bool {
        matches!(self, Reject::NeedsProposal | Reject::OverEntryCap { .. } | Reject::OverDayCap { .. })
    }
}
