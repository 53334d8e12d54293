//! The exchange's answers as typed data. Fields that this version does not know are ignored.
//!
//! `Event`, `Market` and `Order` of the crate's root have these fields, and methods.

mod account;
mod changes;
mod data;
mod market;
mod order;

pub use account::{
    Activity, AuthCheck, IssuedKey, Movement, Pnl, Portfolio, Position, PositionEvent, PositionMarket,
    Version, Wallet,
};
pub use changes::{
    AccountChanges, BookLevel, ChangedOrder, ChangedWallet, Fill, LastTrade, MarketChanges, MarketPrices,
    SharePosition,
};
pub use data::{Book, Candle, Level, PricePoint, Quote, QuotedOrder, QuotedRefusal, Ticker, Trade};
pub use market::{AnnouncedTerms, EventData, LeanEvent, MarketData, MarketTerms, Series};
pub use order::{BatchCancel, BatchCancelItem, ItemError, Minted, OrderData, Summary};
