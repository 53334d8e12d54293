//! All responses, one file per resource. Keys are in the order of the specification's tables, followed by additional
//! ones that clients need.
//!
//! A number is never null, an unset date is `""`. Keys that do not apply are omitted unless a client needs null.

mod activity;
mod api_key;
mod asset_price;
mod batch;
mod book;
mod candle;
mod changes;
mod event;
mod market;
mod news;
mod notification;
mod order;
mod pagination;
mod pnl;
mod portfolio;
mod price_history;
#[cfg(feature = "schemas")]
mod price_history_schema;
mod quote;
mod resolution;
mod reward;
mod series;
mod session;
mod sets;
mod solvency;
mod sport;
mod statement;
mod system;
mod ticker;
mod trade;
mod user;
mod wallet;

pub use activity::{Activities, Activity};
pub use api_key::{ApiKey, ApiKeys, IssuedApiKey, ShownSecret, SigningInstructions};
pub use asset_price::{AssetPrices, RecordedPrice};
pub use batch::{
    BatchAmendResponse, BatchAmendResult, BatchCancelResponse, BatchCancelResult, BatchPlaceResponse,
    BatchPlaceResult, ItemError, SentId, Summary,
};
pub use book::{Book, BookLevel};
pub use candle::{Candle, Candles};
pub use changes::{
    AccountChangeList, AccountChanges, AccountFill, ChangeKind, ChangeMessage, ChangedLevel, ChangedOrder,
    ChangedPosition, ChangedResolution, ChangedThing, ChangedWallet, FillRole, LastTrade, MarketChangeList,
    MarketChanges, MarketPrices,
};
pub use event::{Event, Events, Watched};
pub use market::{
    AnnouncedTerms, LiquidityReward, MakerRebate, Market, MarketTerms, PropTeam, ResolvedOutcome,
};
pub use news::{News, NewsList};
pub use notification::{
    Notification, Notifications, PriceAlert, PriceAlerts, PushSubscription, PushSubscriptions,
};
pub use order::{
    AmmOrder, CancelAfterResponse, CancelAllResponse, CancelOrderResponse, ClobOrder, Order, Orders,
    PlaceOrderResponse,
};
pub use pagination::Pagination;
pub use pnl::{EventPnl, Pnl};
pub use portfolio::{OutcomeBalance, Portfolio, PortfolioEvent, PortfolioMarket};
pub use price_history::{MarketHistory, PriceHistory, PricePoint, SeriesPoint};
pub use quote::{Quote, QuotedOrder, QuotedRefusal};
pub use resolution::{
    EventResolution, Evidence, MarketResolution, PastVerdict, PriceSample, ProposedVerdict, Ruling, Score,
    SeriesValues, Verdict,
};
pub use reward::{
    ActiveLiquidityReward, ActiveLiquidityRewards, ActiveMakerRebate, ActiveMakerRebates,
    LiquidityRewardRecord, LiquidityRewardStatus, LiquidityRewards, MakerRebateRecord, MakerRebateStatus,
    MakerRebates,
};
pub use series::{LeanEvent, Series, SeriesList};
pub use session::Session;
pub use sets::{BurnResult, MintResult};
pub use solvency::{CurrencyAccounts, MarketBacking, ProofRoot, Solvency};
pub use sport::{Game, Games, League, Leagues, Team, Teams};
pub use statement::{AccountValue, Movement, Statement, ValuePoint};
pub use system::{
    AuthCheck, Health, HealthStatus, Message, NotReady, NotReadyCode, PasswordResetRequested, Ready, Version,
};
pub use ticker::Ticker;
pub use trade::{Trade, Trades};
pub use user::UserProfile;
pub use wallet::{WalletAddress, WalletAsset, WalletAssets};
