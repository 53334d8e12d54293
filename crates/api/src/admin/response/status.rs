//! The status of the venue.

use crate::schema::ToSchema;
use serde::Deserialize;

use super::{PolicyState, Wallet};
use crate::admin::Sum;
use crate::json::WriteJson;
use crate::terms;

/// How the venue is.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueStatus {
    pub version: String,
    pub can_write: bool,
    /// The last sequence that was applied.
    pub sequence: u64,
    /// Requests that wait for the writer.
    pub waiting: usize,
    pub history_lag: u64,
    pub users: usize,
    pub events: u64,
    pub open_orders: usize,
    pub pending_proposals: usize,
    /// Why nothing can be placed; empty as a rule.
    pub cancel_only: Vec<terms::CancelOnlyCause>,
    pub policy: PolicyState,
    pub house: Vec<Wallet>,
    pub deposited: Vec<Sum>,
    /// Fees that were collected and not moved yet.
    pub fees: Vec<Sum>,
    /// Names of approvers whom the machine's owner made in the last 24 hours, past all others.
    pub break_glass: Vec<String>,
}
