//! Conversions from the exchange's state to the contract's types, and from requests to the exchange's commands.
//!
//! Pure functions over `&Exchange` and rows of history: no HTTP, no clock, no queries. One file per resource. `words.rs`
//! converts terms and numbers, `command.rs` converts requests, and `refusal.rs` is the one table from a `Reject` to its
//! status.

pub mod account_value;
pub mod activity;
pub mod admin;
pub mod api_key;
pub mod asset_price;
pub mod batch;
pub mod book;
pub mod candle;
pub mod changes;
pub mod command;
pub mod event;
pub mod live_and_retired;
mod market;
pub mod news;
pub mod notification;
pub mod order;
pub mod orders;
pub mod pages;
pub mod pnl;
pub mod portfolio;
pub mod price_history;
pub mod quote;
pub mod refusal;
pub mod resolution;
pub mod series;
pub mod sets;
pub mod shared_event;
pub mod solvency;
pub mod sport;
#[cfg(test)]
pub(crate) mod stage;
pub mod statement;
pub mod stream;
pub mod ticker;
pub mod trade;
pub mod user;
pub mod wallet;
pub mod words;

pub use api_key::api_key;
pub use book::books;
pub use orders::orders;
pub use portfolio::portfolio;
pub use quote::quote;
pub use refusal::refusal;
pub use ticker::ticker;
pub use wallet::wallet;
