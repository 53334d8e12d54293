//! What the exchange knows, as the contract writes it, and what a request asks, as the exchange reads it.
//!
//! Pure functions over `&Exchange`: no HTTP, no clock, no history. One file for each resource; `words.rs` has
//! the words and numbers of both sides, `command.rs` the way in, `refusal.rs` the one table from a `Reject` to
//! its status.

pub mod api_key;
pub mod batch;
pub mod command;
pub mod event;
mod market;
pub mod order;
pub mod orders;
mod pages;
pub mod portfolio;
pub mod quote;
pub mod refusal;
pub mod sets;
pub mod wallet;
pub mod words;

pub use api_key::api_key;
pub use orders::orders;
pub use portfolio::portfolio;
pub use quote::quote;
pub use refusal::refusal;
pub use wallet::wallet;
