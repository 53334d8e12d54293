//! Requests per second: one bucket per key or network, on this node.
//!
//! Sequenced limits (logins, key management, open orders) are rules of the exchange and are not here.

mod bucket;
mod buckets;
mod budgets;
mod network;

pub use bucket::{Allowed, Bucket, Rate, Refused};
pub use buckets::Buckets;
pub use budgets::{
    BucketOwner, Limits, OPERATOR_NETWORK_RATE, OPERATOR_RATE, PASSWORD_WORK, Rates, UPLOAD_TOKENS,
};
pub use network::Network;
