//! The rules of the exchange: ledger, order books, pools, catalogue, lifecycle, identity, idempotency records.
//!
//! A pure state machine over integers: `Exchange::apply(at, request)` decides every command. No clock, randomness,
//! input, output or floats, and no dependence on the iteration order of a hash map. Start reading at `exchange.rs`,
//! then `command.rs`, then any file of `commands/`.

#![deny(
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::string_slice
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod activity;
pub mod authority;
pub mod book;
pub mod branches;
pub mod catalogue;
pub mod change;
pub mod codec;
pub mod command;
pub mod commands;
mod exchange;
pub mod governance;
mod gradual;
mod hashing;
pub mod id;
pub mod idempotency;
pub mod identity;
pub mod index;
pub mod invariants;
pub mod ledger;
mod lifecycle;
pub mod limits;
pub mod next;
pub mod numbers;
pub mod order;
mod pages;
pub mod pool;
pub mod position;
mod queue;
pub mod quote;
mod references;
pub mod reject;
pub mod reply;
mod shelf;
pub mod solvency;
pub mod sparse;
pub mod stats;
pub mod text;
pub mod time;
mod timers;
mod trading;
mod undecidable;

pub use command::{Command, Request};
pub use exchange::{Decision, Exchange};
pub use shelf::Shelf;
pub use undecidable::Undecidable;
