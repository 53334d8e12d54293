//! All commands of the exchange. Each has one variant, one file in `commands` and one test file in `tests/rules`.
//!
//! The numbers in the table of commands and in `#[n(…)]` are part of the journal format: they never change and are
//! never reused.

use minicbor::decode::Error;
use minicbor::{Decode, Decoder, Encode};

use crate::authority::{Authority, Caller};
use crate::catalogue::{Interval, MarketDetails, NewEvent, NewSeries};
#[cfg(any(test, feature = "next"))]
pub use crate::commands::DrillUpgrade;
pub use crate::commands::create_soccer_events::NewSoccerEvents;
pub use crate::commands::{
    AmendOrders, ApprovePasswordReset, BreakGlass, BurnSets, CancelAfter, CancelAllOrders, CancelMarkets,
    CancelOnDisconnect, CancelOrder, CancelOrders, CancelOrdersOf, ChangeRole, ChangeTerms, CloseTrading,
    ConfirmOperator, CreateApiKey, CreateOperator, CreateUser, CreditWallet, DebitWallet, DoOrPropose,
    EditEvent, EndConnection, EndOperatorSession, EraseUser, Finalise, FinaliseSeries, FreezeUser, GrowPool,
    ImportSports, MintSets, MoveFees, NewsNote, OpenEvent, OpenOperatorSession, OpenSession, PauseSeries,
    PauseTrading, PlaceOrders, PolicyChange, PriceRange, Propose, RecordGameResult, RecordMasterKey,
    RecordNews, RecordPicture, RecordPrice, RecordSkip, ReplaceMasterKey, RequestPasswordReset,
    ResetPassword, ResolveMarket, ResumeTrading, RevokeApiKey, RevokeOperator, RotateApiKey, SeedPool,
    SetCancelOnly, SetMarketTerms, SetWatchlist, StartLogin, SuspendOperator, SuspendUser, UpgradeRules,
    Withdraw,
};
use crate::exchange::Exchange;
use crate::governance::{Alone, Consent, Meanwhile, Policy, Subject};
use crate::id::{EventId, MarketId};
use crate::idempotency::IdempotencyKey;
use crate::identity::Actor;
#[cfg(any(test, feature = "next"))]
use crate::next::is_next;
use crate::order::NewOrder;
use crate::reject::Reject;
use crate::reply::Reply;

/// A command with its sender: the unit that the journal stores.
#[derive(Clone, Debug, PartialEq, Eq, Encode)]
pub struct Request {
    #[n(0)]
    pub actor: Actor,
    #[n(1)]
    pub idempotency: Option<IdempotencyKey>,
    #[n(2)]
    pub command: Command,
}

impl Request {
    /// The first rules that include the request: its command and every field that later rules added.
    #[inline]
    pub fn rules(&self) -> u32 {
        let has_window = self.idempotency.is_some_and(|key| key.window.is_some());
        let is_quick =
            matches!(&self.command, Command::CreateSeries(new) if new.interval == Interval::FiveMinute);
        let of_fields = if has_window || is_quick { 3 } else { 1 };
        self.command.rules().max(of_fields).max(self.command.rules_of_fields())
    }
}

impl Command {
    /// The first rules that include its fields, and those of the command inside it. Older nodes would read past a field that
    /// they do not know.
    fn rules_of_fields(&self) -> u32 {
        match self {
            Command::GrowPool(GrowPool { between: Some(_), .. })
            | Command::EditEvent(EditEvent { over: Some(_), .. })
            | Command::SuspendOperator(SuspendOperator { until: Some(_), .. })
            | Command::RequestPasswordReset(RequestPasswordReset { address: Some(_), .. }) => 4,
            Command::Propose(Propose { subject: Subject::Command(command), .. })
            | Command::DoOrPropose(DoOrPropose { command, .. }) => {
                command.rules().max(command.rules_of_fields())
            }
            _ => 1,
        }
    }

    /// The command inside a proposal of it; otherwise the command itself.
    pub(crate) fn innermost(&self) -> &Command {
        match self {
            Command::Propose(Propose { subject: Subject::Command(command), .. })
            | Command::DoOrPropose(DoOrPropose { command, .. }) => command.innermost(),
            command => command,
        }
    }
}

// Written by hand, like that of `Command`: the derived decoders copy each large value through an option.
impl<'b, C> Decode<'b, C> for Request {
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Request, Error> {
        expect_length(d, 3)?;
        Ok(Request {
            actor: Decode::decode(d, context)?,
            idempotency: Decode::decode(d, context)?,
            command: Decode::decode(d, context)?,
        })
    }
}

fn expect_length(d: &mut Decoder<'_>, length: u64) -> Result<(), Error> {
    match d.array()? {
        Some(found) if found == length => Ok(()),
        _ => Err(Error::message("another number of fields")),
    }
}

/// The target of a lifecycle command: an event with all its markets, or one market.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Target {
    #[n(0)]
    Event(#[n(0)] EventId),
    #[n(1)]
    Market(#[n(0)] MarketId),
}

/// The version of the rules that introduced a command.
macro_rules! rules_of {
    () => {
        1
    };
    ($rules:expr) => {
        $rules
    };
}

/// The authority of a row.
macro_rules! authority_of {
    (Operator [$alone:ident $meanwhile:ident]) => {
        Authority::Operator
    };
    (Approver [$alone:ident $meanwhile:ident]) => {
        Authority::Approver
    };
    (System) => {
        Authority::System
    };
    (Viewer) => {
        Authority::Viewer
    };
    (User) => {
        Authority::User
    };
    (Session) => {
        Authority::Session
    };
}

/// Who decides a command where two persons are required. A row of operators without it does not compile.
macro_rules! consent_of {
    () => {
        None
    };
    ($alone:ident $meanwhile:ident) => {
        Some(Consent { alone: Alone::$alone, meanwhile: Meanwhile::$meanwhile })
    };
}

/// Converts the caller to what the rule takes: a user, or a user with a session.
macro_rules! caller_of {
    (User, $caller:ident) => {
        $caller.user()?
    };
    (Session, $caller:ident) => {
        $caller.session()?
    };
    ($other:ident, $caller:ident) => {
        $caller
    };
}

/// The number of fields in a command's encoding.
macro_rules! fields_of {
    () => {
        0
    };
    ($payload:ty) => {
        1
    };
}

/// The payload's name in a pattern or an expression, if the command has a payload.
macro_rules! payload {
    ($name:ident of $payload:ty) => {
        $name
    };
}

/// Declares the commands and their dispatch from one table: `Variant(Payload) = (number in the journal, name,
/// authority)`. `Exchange` has a method of that name, which takes the caller and the payload. A command of operators names
/// who decides it where two persons are required: `Operator [alone meanwhile]` (`governance/consent.rs`). A command
/// introduced by later rules names them: `(number, name, authority, rules)`.
macro_rules! commands {
    ($(#[$meta:meta])* pub enum Command {
        $(
            $(#[cfg($cfg:meta)])?
            $variant:ident $(($payload:ty))? = ($number:tt, $name:ident, $authority:ident $([$alone:ident $meanwhile:ident])? $(, $rules:expr)?)
        ),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Encode)]
        pub enum Command {
            $($(#[cfg($cfg)])? #[n($number)] $variant $((#[n(0)] $payload))?),*
        }

        impl<'b, C> Decode<'b, C> for Command {
            fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Command, Error> {
                expect_length(d, 2)?;
                let number = d.i64()?;
                // A build of the drill of an upgrade can decode it, but a process of this version must not.
                #[cfg(any(test, feature = "next"))]
                if number == NEXT_NUMBER && !is_next() {
                    return Err(Error::unknown_variant(number));
                }
                match number {
                    $($(#[cfg($cfg)])? $number => {
                        expect_length(d, fields_of!($($payload)?))?;
                        Ok(Command::$variant $((<$payload as Decode<'b, C>>::decode(d, context)?))?)
                    })*
                    unknown => Err(Error::unknown_variant(unknown)),
                }
            }
        }

        impl Command {
            /// The names of all commands of this version.
            pub const NAMES: &[&str] = &[$($(#[cfg(all($cfg, test))])? stringify!($name)),*];

            /// The rule of every command, by name, with its least authority.
            pub const CONSENTS: &[(&str, Authority, Option<Consent>)] = &[
                $($(#[cfg(all($cfg, test))])? (
                    stringify!($name),
                    authority_of!($authority $([$alone $meanwhile])?),
                    consent_of!($($alone $meanwhile)?),
                )),*
            ];

            /// The command's name in logs, which is that of its file in `commands`.
            pub const fn name(&self) -> &'static str {
                match self { $($(#[cfg($cfg)])? Command::$variant { .. } => stringify!($name)),* }
            }

            /// The first rules that include the command.
            pub const fn rules(&self) -> u32 {
                match self { $($(#[cfg($cfg)])? Command::$variant { .. } => rules_of!($($rules)?)),* }
            }

            /// The callers that may send the command.
            pub const fn authority(&self) -> Authority {
                match self {
                    $($(#[cfg($cfg)])? Command::$variant { .. } => {
                        authority_of!($authority $([$alone $meanwhile])?)
                    }),*
                }
            }

            /// Who decides the command where two persons are required; `None` if operators do not send it.
            pub const fn consent(&self) -> Option<Consent> {
                match self { $($(#[cfg($cfg)])? Command::$variant { .. } => consent_of!($($alone $meanwhile)?)),* }
            }
        }

        impl Exchange {
            /// Calls the command's rule. `authority` has already checked the caller.
            pub(crate) fn dispatch(&mut self, caller: Caller, command: &Command) -> Result<Reply, Reject> {
                if self.governance.is_cancel_only() && command.adds_risk() {
                    return Err(Reject::CancelOnly);
                }
                if self.since(4) {
                    if let Some(seq) = self.find_same_movement(command)? {
                        return Ok(Reply::Repeated { seq });
                    }
                    self.check_consent(caller, command)?;
                }
                match command {
                    $($(#[cfg($cfg)])? Command::$variant { $(0: payload!(found of $payload))? } => {
                        self.$name(caller_of!($authority, caller) $(, payload!(found of $payload))?)
                    }),*
                }
            }
        }
    };
}

commands! {
    /// A request without its sender.
    pub enum Command {
        // Time and rules.
        Tick = (0, tick, System),
        UpgradeRules(UpgradeRules) = (1, upgrade_rules, Approver [Never Subject]),

        // People.
        CreateUser(CreateUser) = (10, create_user, Operator [Always Nothing]),
        SuspendUser(SuspendUser) = (11, suspend_user, Operator [ToRestrain Subject]),
        StartLogin(StartLogin) = (12, start_login, System),
        OpenSession(OpenSession) = (13, open_session, System),
        EndSession = (14, end_session, Session),
        RequestPasswordReset(RequestPasswordReset) = (15, request_password_reset, System),
        ResetPassword(ResetPassword) = (16, reset_password, System),
        CreateApiKey(CreateApiKey) = (17, create_api_key, Session),
        RevokeApiKey(RevokeApiKey) = (18, revoke_api_key, Session),
        RotateApiKey(RotateApiKey) = (19, rotate_api_key, Session),
        SetWatchlist(SetWatchlist) = (20, set_watchlist, User),
        CreateOperator(CreateOperator) = (21, create_operator, Approver [Never Subject]),
        RevokeOperator(RevokeOperator) = (22, revoke_operator, Approver [Never Approvers]),
        OpenOperatorSession(OpenOperatorSession) = (23, open_operator_session, Viewer),
        EndOperatorSession(EndOperatorSession) = (24, end_operator_session, Viewer),
        ApprovePasswordReset(ApprovePasswordReset) = (25, approve_password_reset, Operator [Never Subject]),
        ChangeRole(ChangeRole) = (26, change_role, Approver [Never Approvers]),
        ConfirmOperator(ConfirmOperator) = (27, confirm_operator, Approver [NeverAtAll Subject]),
        SuspendOperator(SuspendOperator) = (28, suspend_operator, Approver [ToRestrain Subject]),
        BreakGlass(BreakGlass) = (29, break_glass, System),

        // Money in and out. The house is the user with the nil id.
        CreditWallet(CreditWallet) = (30, credit_wallet, Operator [WithinCaps Subject]),
        DebitWallet(DebitWallet) = (31, debit_wallet, Operator [WithinCaps Subject]),
        MoveFees(MoveFees) = (32, move_fees, Operator [NeverAtAll Subject]),
        FreezeUser(FreezeUser) = (33, freeze_user, Operator [ToRestrain Subject]),
        RecordMasterKey(RecordMasterKey) = (34, record_master_key, System),
        ReplaceMasterKey(ReplaceMasterKey) = (35, replace_master_key, System),
        RecordSkip(RecordSkip) = (36, record_skip, System),
        EraseUser(EraseUser) = (37, erase_user, Operator [Never Subject]),

        // Events and markets.
        CreateEvent(NewEvent) = (40, create_event, Operator [Always Nothing]),
        EditEvent(EditEvent) = (41, edit_event, Operator [Always Nothing]),
        OpenEvent(OpenEvent) = (42, open_event, Operator [Always Nothing]),
        PauseTrading(PauseTrading) = (43, pause_trading, Operator [Always Nothing]),
        ResumeTrading(ResumeTrading) = (44, resume_trading, Operator [Always Nothing]),
        CloseTrading(CloseTrading) = (45, close_trading, Operator [Always Nothing]),
        ResolveMarket(ResolveMarket) = (46, resolve_market, Operator [OnDrafts Verdicts]),
        CancelMarkets(CancelMarkets) = (47, cancel_markets, Operator [OnDrafts Verdicts]),
        SeedPool(SeedPool) = (48, seed_pool, Operator [SeedWithinCaps Subject]),
        GrowPool(GrowPool) = (49, grow_pool, Operator [SeedWithinCaps Price]),
        SetMarketTerms(SetMarketTerms) = (50, set_market_terms, Operator [OnDrafts OtherFields]),
        ChangeTerms(ChangeTerms) = (51, change_terms, Operator [OnDrafts OtherFields], 4),

        // Series, assets, sports.
        CreateSeries(NewSeries) = (60, create_series, Operator [SeedWithinCaps Subject]),
        PauseSeries(PauseSeries) = (61, pause_series, Operator [Always Nothing]),
        RecordPrice(RecordPrice) = (62, record_price, Operator [Always Nothing]),
        ImportSports(ImportSports) = (63, import_sports, Operator [Always Nothing]),
        CreateSoccerEvents(NewSoccerEvents) = (64, create_soccer_events, Operator [Always Nothing]),
        RecordGameResult(RecordGameResult) = (65, record_game_result, Operator [OnDrafts Verdicts]),

        // Trading.
        PlaceOrder(NewOrder) = (80, place_order, User),
        PlaceOrders(PlaceOrders) = (81, place_orders, User),
        CancelOrder(CancelOrder) = (82, cancel_order, User),
        CancelOrders(CancelOrders) = (83, cancel_orders, User),
        CancelAllOrders(CancelAllOrders) = (84, cancel_all_orders, User),
        AmendOrders(AmendOrders) = (85, amend_orders, User),
        MintSets(MintSets) = (86, mint_sets, User),
        BurnSets(BurnSets) = (87, burn_sets, User),
        CancelAfter(CancelAfter) = (88, cancel_after, User),
        CancelOnDisconnect(CancelOnDisconnect) = (89, cancel_on_disconnect, User),
        EndConnection(EndConnection) = (90, end_connection, System),
        CancelOrdersOf(CancelOrdersOf) = (91, cancel_orders_of, Operator [Always Nothing]),

        // How the venue is run.
        SetPolicy(Policy) = (100, set_policy, Approver [Never OtherFields]),
        Propose(Propose) = (101, propose, Operator [Always Nothing]),
        Finalise(Finalise) = (102, finalise, Operator [Always Nothing]),
        Withdraw(Withdraw) = (103, withdraw, Operator [Always Nothing]),
        SetCancelOnly(SetCancelOnly) = (104, set_cancel_only, Operator [Always Nothing]),
        FinaliseSeries(FinaliseSeries) = (105, finalise_series, Operator [Always Nothing]),
        RecordPicture(RecordPicture) = (106, record_picture, Operator [Always Nothing], 2),
        RecordNews(RecordNews) = (107, record_news, Operator [Always Nothing], 2),
        ChangePolicy(PolicyChange) = (108, change_policy, Approver [Never OtherFields], 4),
        DoOrPropose(DoOrPropose) = (109, do_or_propose, Operator [Always Nothing], 4),

        // The command that the next version adds; only for upgrade drills.
        #[cfg(any(test, feature = "next"))]
        DrillUpgrade(DrillUpgrade) = (250, drill_upgrade, Operator [Always Nothing], Exchange::RULES_VERSION + 1),
    }
}

/// The number of the command that the next version adds.
#[cfg(any(test, feature = "next"))]
const NEXT_NUMBER: i64 = 250;

/// The destination of fees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum FeesTo {
    /// The house's wallet.
    #[n(0)]
    House,
    /// Out of the exchange.
    #[n(1)]
    Outside,
}

/// New details for one market of a draft event.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct MarketEdit {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub details: MarketDetails,
}
