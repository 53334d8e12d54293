//! Everything that can be asked of the exchange. One variant, one file in `commands`, one test file in `tests/rules`.
//!
//! Numbers in `#[n(…)]` are the journal's: they are never changed or used again.

use minicbor::{Decode, Encode};

use crate::catalogue::{AssetPrice, EventDetails, Game, League, MarketDetails, NewEvent, NewSeries, Team};
use crate::commands::create_soccer_events::NewSoccerEvents;
use crate::governance::{CancelOnlyCause, Evidence, Policy, Score, Subject};
use crate::id::{
    ConnectionId, EventId, GameId, Hash32, KeyId, MarketId, OperationId, OperatorId, OrderId, ProposalId,
    SeriesId, SessionId, UserId,
};
use crate::idempotency::IdempotencyKey;
use crate::identity::{Actor, LoginScope, Role};
use crate::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Price};
use crate::order::{Amendment, Item, NewOrder, Outcome};
use crate::text::Text;
use crate::time::Time;

/// A command with its sender: what the journal keeps.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Request {
    #[n(0)]
    pub actor: Actor,
    #[n(1)]
    pub idempotency: Option<IdempotencyKey>,
    #[n(2)]
    pub command: Command,
}

/// What a lifecycle command acts on: an event with all its markets, or one market.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Target {
    #[n(0)]
    Event(#[n(0)] EventId),
    #[n(1)]
    Market(#[n(0)] MarketId),
}

#[rustfmt::skip]
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Command {
    // Time and rules.
    #[n(0)] Tick,
    #[n(1)] UpgradeRules { #[n(0)] version: u32 },

    // People.
    #[n(10)] CreateUser { #[n(0)] id: UserId, #[n(1)] email: Text, #[n(2)] tag: Text, #[n(3)] password_hash: Option<Text> },
    #[n(11)] SuspendUser { #[n(0)] user: UserId, #[n(1)] suspended: bool, #[n(2)] keep_orders: bool },
    #[n(12)] StartLogin { #[n(0)] scope: LoginScope },
    #[n(13)] OpenSession { #[n(0)] user: UserId, #[n(1)] password_version: u32, #[n(2)] id: SessionId, #[n(3)] token_hash: Hash32, #[n(4)] device: Text },
    #[n(14)] EndSession,
    #[n(15)] RequestPasswordReset { #[n(0)] user: UserId, #[n(1)] token_hash: Hash32, #[n(2)] code: Text, #[n(3)] network: Hash32 },
    #[n(16)] ResetPassword { #[n(0)] token_hash: Hash32, #[n(1)] password_hash: Text, #[n(2)] keep_keys: bool },
    #[n(17)] CreateApiKey { #[n(0)] id: KeyId, #[n(1)] name: Text, #[n(2)] public_key: Text },
    #[n(18)] RevokeApiKey { #[n(0)] key: KeyId },
    #[n(19)] RotateApiKey { #[n(0)] key: KeyId },
    #[n(20)] SetWatchlist { #[n(0)] event: EventId, #[n(1)] watched: bool },
    #[n(21)] CreateOperator { #[n(0)] id: OperatorId, #[n(1)] name: Text, #[n(2)] role: Role, #[n(3)] token_hash: Hash32 },
    #[n(22)] RevokeOperator { #[n(0)] operator: OperatorId },
    #[n(23)] OpenOperatorSession { #[n(0)] token_hash: Hash32 },
    #[n(24)] EndOperatorSession { #[n(0)] token_hash: Hash32 },
    #[n(25)] ApprovePasswordReset { #[n(0)] user: UserId, #[n(1)] token_hash: Hash32 },
    #[n(26)] ChangeRole { #[n(0)] operator: OperatorId, #[n(1)] role: Role },
    #[n(27)] ConfirmOperator { #[n(0)] operator: OperatorId },
    #[n(28)] SuspendOperator { #[n(0)] operator: OperatorId, #[n(1)] suspended: bool },
    #[n(29)] BreakGlass { #[n(0)] id: OperatorId, #[n(1)] name: Text, #[n(2)] token_hash: Hash32 },

    // Money in and out. The house is the user with the nil id.
    #[n(30)] CreditWallet { #[n(0)] user: UserId, #[n(1)] currency: Currency, #[n(2)] amount: Money, #[n(3)] reference: Text },
    #[n(31)] DebitWallet { #[n(0)] user: UserId, #[n(1)] currency: Currency, #[n(2)] amount: Money, #[n(3)] reference: Text },
    #[n(32)] MoveFees { #[n(0)] currency: Currency, #[n(1)] amount: Money, #[n(2)] to: FeesTo, #[n(3)] reference: Text },
    #[n(33)] FreezeUser { #[n(0)] user: UserId, #[n(1)] frozen: bool },
    #[n(34)] RecordMasterKey { #[n(0)] fingerprint: Hash32 },
    #[n(35)] ReplaceMasterKey { #[n(0)] fingerprint: Hash32 },

    // Events and markets.
    #[n(40)] CreateEvent(#[n(0)] NewEvent),
    #[n(41)] EditEvent { #[n(0)] event: EventId, #[n(1)] details: EventDetails, #[n(2)] markets: Vec<MarketEdit> },
    #[n(42)] OpenEvent { #[n(0)] event: EventId },
    #[n(43)] PauseTrading { #[n(0)] target: Target },
    #[n(44)] ResumeTrading { #[n(0)] target: Target },
    #[n(45)] CloseTrading { #[n(0)] target: Target },
    #[n(46)] ResolveMarket { #[n(0)] market: MarketId, #[n(1)] outcome: Outcome },
    #[n(47)] CancelMarkets { #[n(0)] target: Target, #[n(1)] yes: Cents },
    #[n(48)] SeedPool { #[n(0)] market: MarketId, #[n(1)] currency: Currency, #[n(2)] amount: Money, #[n(3)] price: Price },
    #[n(49)] GrowPool { #[n(0)] market: MarketId, #[n(1)] currency: Currency, #[n(2)] amount: Money },
    #[n(50)] SetMarketTerms { #[n(0)] market: MarketId, #[n(1)] fee_rate: FeeRate, #[n(2)] order_min: PerCurrency<Money> },

    // Series, assets, sports.
    #[n(60)] CreateSeries(#[n(0)] NewSeries),
    #[n(61)] PauseSeries { #[n(0)] series: SeriesId, #[n(1)] paused: bool },
    #[n(62)] RecordPrice { #[n(0)] symbol: Text, #[n(1)] value: AssetPrice, #[n(2)] source: Text, #[n(3)] source_time: Time },
    #[n(63)] ImportSports { #[n(0)] leagues: Vec<League>, #[n(1)] teams: Vec<Team>, #[n(2)] games: Vec<Game> },
    #[n(64)] CreateSoccerEvents(#[n(0)] NewSoccerEvents),
    #[n(65)] RecordGameResult { #[n(0)] game: GameId, #[n(1)] score: Score },

    // Trading.
    #[n(80)] PlaceOrder(#[n(0)] NewOrder),
    #[n(81)] PlaceOrders { #[n(0)] items: Vec<Item<NewOrder>> },
    #[n(82)] CancelOrder { #[n(0)] order: OrderId },
    #[n(83)] CancelOrders { #[n(0)] orders: Vec<OrderId> },
    #[n(84)] CancelAllOrders { #[n(0)] event: Option<EventId>, #[n(1)] market: Option<MarketId>, #[n(2)] currency: Option<Currency> },
    #[n(85)] AmendOrders { #[n(0)] items: Vec<Item<Amendment>> },
    #[n(86)] MintSets { #[n(0)] id: OperationId, #[n(1)] market: MarketId, #[n(2)] currency: Currency, #[n(3)] amount: Money },
    #[n(87)] BurnSets { #[n(0)] id: OperationId, #[n(1)] market: MarketId, #[n(2)] currency: Currency, #[n(3)] amount: Money },
    #[n(88)] CancelAfter { #[n(0)] seconds: u32 },
    #[n(89)] CancelOnDisconnect { #[n(0)] connection: ConnectionId, #[n(1)] enabled: bool },
    #[n(90)] EndConnection { #[n(0)] user: UserId, #[n(1)] connection: ConnectionId },
    #[n(91)] CancelOrdersOf { #[n(0)] user: UserId, #[n(1)] event: Option<EventId>, #[n(2)] market: Option<MarketId>, #[n(3)] currency: Option<Currency> },

    // How the venue is run.
    #[n(100)] SetPolicy(#[n(0)] Policy),
    #[n(101)] Propose { #[n(0)] id: ProposalId, #[n(1)] subject: Subject, #[n(2)] evidence: Evidence },
    #[n(102)] Finalise { #[n(0)] proposal: ProposalId },
    #[n(103)] Withdraw { #[n(0)] proposal: ProposalId, #[n(1)] reason: Text },
    #[n(104)] SetCancelOnly { #[n(0)] cause: CancelOnlyCause, #[n(1)] on: bool },
    #[n(105)] FinaliseSeries { #[n(0)] series: SeriesId },
}

/// Where fees go.
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
