//! Streams that resume: a market's book, an account, and the channels without changes.
//!
//! `connection.rs` keeps a WebSocket open in a task of its own. `room.rs` applies the messages of the channel `changes`
//! to a local copy and notices gaps, without a socket. `following.rs` joins both; `market.rs` and `account.rs` are the
//! two kinds of copies. `listener.rs` has the other channels.
//!
//! All `next` methods are safe to cancel: a message that was not returned is returned by the next call.

mod account;
mod connection;
mod following;
#[cfg(test)]
mod following_tests;
mod listener;
mod market;
mod room;
#[cfg(test)]
mod room_tests;

pub use account::AccountStream;
pub use listener::{Endpoint, Listener, ListenerEvent, Message, Subscription};
pub use market::MarketStream;
pub(crate) use room::{Details, LocalCopy};
pub use room::{Update, UpdateKind};
