//! Requests per second: one bucket per key or network, on this node.
//!
//! Sequenced limits (logins, key management, open orders) are rules of the exchange and are not here.

mod bucket;
mod buckets;
mod budgets;
mod known_networks;
mod network;
mod unread;

pub use bucket::{Allowed, Bucket, Rate, Refused};
pub use buckets::Buckets;
pub use budgets::{
    BucketOwner, Limits, OPERATOR_NETWORK_RATE, OPERATOR_RATE, PASSWORD_WORK, Rates, UPLOAD_TOKENS,
};
pub use known_networks::KnownNetworks;
pub use network::Network;
pub use unread::{AnswerKind, TooMuchUnread, UNREAD_BYTES_MAX, UnreadAnswer, UnreadBytes};
