//! Responses to operators. They contain both ids and slugs, either of which can be used in the next request.

mod audit;
mod events;
mod governance;
mod people;
mod series;
mod sports;

pub use audit::AuditLog;
pub use events::{EventDetail, EventList, EventRow, EventState, EventStates};
pub use governance::{
    CancelOnly, FinalisedSeries, NodeRules, PayoutPreview, PolicyState, Proposals, Proposed, RulesState,
    proposal_of,
};
pub use people::{
    ApprovedReset, CancelledOrders, CreatedOperator, CreatedUser, OperatorState, Operators, PasswordResetRow,
    PasswordResets, UserDetail, UserList, UserState, Wallet,
};
pub use series::{Assets, SeriesRows, SeriesState};
pub use sports::{ImportedCounts, SportsData};

use api::decimal::Money;
use api::terms;
use serde::Serialize;
use utoipa::ToSchema;

use governance::PolicyState as Policy;

/// How the venue is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueStatus {
    pub version: &'static str,
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
    pub policy: Policy,
    pub house: Vec<Wallet>,
    pub deposited: Vec<Sum>,
    /// Fees that were collected and not moved yet.
    pub fees: Vec<Sum>,
    /// Names of approvers whom the machine's owner made in the last 24 hours, past all others.
    pub break_glass: Vec<String>,
}

/// An amount of one currency.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Sum {
    pub currency: terms::Currency,
    pub amount: Money,
}
