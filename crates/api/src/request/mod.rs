//! Request bodies as typed values, one file per resource. `crate::read::read` deserializes them; `read_plain` of a
//! frequent request first tries one pass.
//!
//! The checks here depend only on the body: types, forms, required fields. The exchange checks the rest.

mod api_key;
mod batch_amend;
mod batch_cancel;
mod batch_place;
mod cancel_after;
mod cancel_all;
mod notifications;
mod place_order;
#[cfg(test)]
mod plain_tests;
mod quote;
#[cfg(feature = "schemas")]
mod schema;
mod schema_of;
mod session;
mod sets;
mod whole;

pub use api_key::CreateApiKey;
pub use batch_amend::{AmendItem, Amendment, BatchAmend};
pub use batch_cancel::BatchCancel;
pub use batch_place::{BatchPlace, PlaceItem};
pub use cancel_after::CancelAfter;
pub use cancel_all::CancelAll;
pub use notifications::{CreatePriceAlert, ReadNotifications, SubscribePush, SubscriptionKeys};
pub use place_order::{PlaceOrder, Sizing};
pub use quote::{Quote, QuotedTerms};
pub use session::{Login, PasswordReset, PasswordResetRequest, read_hexadecimal};
pub use sets::{BurnSets, MintSets};

/// Items of one batch of placements or amendments.
pub const BATCH_ITEMS_MAX: usize = 20;
/// Ids of one batch of cancellations.
pub const BATCH_CANCEL_IDS_MAX: usize = 100;
