//! A client of an exchange.
//!
//! `Client` sends requests and makes the objects that you trade with: `Event`, `Market`, `Outcome` and `Order`. Every
//! price, size and amount of a typed field is a `Decimal`. Orders, batches, mints and burns carry an idempotency key by
//! themselves, and a request is repeated only where that is safe (`retry.rs`). `MarketStream` and `AccountStream` keep a
//! local copy that says when it is not to be trusted (`stream`).
//!
//! Nothing here knows the rules of the exchange: types of the contract and signatures come from `api`.

mod batch;
mod book;
mod builder;
mod calls;
mod client;
mod credentials;
mod error;
mod event;
mod ledger;
mod market;
pub mod models;
mod new_order;
mod number;
mod order;
mod outcome;
mod pager;
mod query;
mod request;
mod retry;
pub mod sandbox;
mod settings;
mod stream;
mod term;
mod transport;
mod trust;
mod wire;

pub use api::Timestamp;
pub use api::terms::{
    ActivityGroup, CandleInterval, Currency, Engine, EventType, HistoryPeriod, OrderStatus, OrderType,
    OutcomeSide, PnlPeriod, Side, Status, StpMode, TimeInForce, TradesEngine,
};
pub use batch::{Batch, BatchItem};
pub use book::LocalBook;
pub use builder::{ClientBuilder, http_builder};
pub use calls::{
    ActivityFilters, EventFilters, OrderFilters, PnlSpan, PositionFilters, StatementFilters, TradeFilters,
};
pub use client::Client;
pub use credentials::Credentials;
pub use error::{Error, Refusal, Result};
pub use event::Event;
pub use ledger::{LocalAccount, LocalWallet};
pub use market::{CandleSpan, Market};
pub use models::{BookLevel, SharePosition};
pub use new_order::{Amendment, CancelConditions, NewOrder, Size};
pub use order::Order;
pub use outcome::{Outcome, Placement};
pub use pager::Pager;
pub use request::{Access, Repeat, Request};
pub use retry::{KEY_SECONDS, RETRY_MAX};
pub use rust_decimal::Decimal;
pub use stream::{
    AccountStream, Endpoint, Listener, ListenerEvent, MarketStream, Message, Subscription, Update, UpdateKind,
};
pub use term::Term;
pub use trust::Trust;
pub use uuid::Uuid;
pub use wire::Answer;
