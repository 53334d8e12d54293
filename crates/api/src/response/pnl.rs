//! Profit and loss in one currency.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Money, Percent};
use crate::json::WriteJson;
use crate::terms::Currency;
use crate::timestamp::Timestamp;

/// Profit and loss over a span.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pnl {
    /// `settlementPnl` + `tradePnl`.
    pub realized_pnl: Money,
    /// Of all cost; 0 if there was none.
    pub realized_pnl_percent: Percent,
    /// Payouts less what the settled positions cost.
    pub settlement_pnl: Money,
    /// Proceeds of sales less what was sold had cost.
    pub trade_pnl: Money,
    /// Settled positions that paid.
    pub wins: u64,
    /// Settled positions that paid nothing.
    pub losses: u64,
    pub currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub breakdown: Option<Vec<EventPnl>>,
}

/// Profit and loss of one event.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventPnl {
    pub event_id: Uuid,
    pub event_title: String,
    pub realized_pnl: Money,
    pub currency: Currency,
    pub last_activity: Timestamp,
}
