//! Events in the life of a user's orders and positions. All numbers are decimal strings.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::DecimalString;
use crate::json::WriteJson;
use crate::terms::{ActivityEventType, ActivityStatus, ActivityType, Currency, OutcomeSide};
use crate::timestamp::Timestamp;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    pub id: Uuid,
    #[serde(rename = "type")]
    pub activity_type: ActivityType,
    pub event_id: Uuid,
    pub market_id: Uuid,
    /// On a mint or a burn, which are about both outcomes: the first.
    pub outcome_id: Uuid,
    /// Not on payouts, mints and burns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_id: Option<Uuid>,
    /// On payouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub settlement_id: Option<Uuid>,
    /// On fills: the trade. On a mint or a burn: the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub transaction_id: Option<Uuid>,
    pub event_type: ActivityEventType,
    pub image_url: String,
    pub event_title: String,
    pub market_title: String,
    pub outcome: OutcomeSide,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved_outcome: Option<OutcomeSide>,
    pub currency: Currency,
    pub amount: DecimalString,
    pub fee: DecimalString,
    pub size: DecimalString,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub filled_size: Option<DecimalString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub remaining_size: Option<DecimalString>,
    pub price: DecimalString,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub avg_fill_price: Option<DecimalString>,
    pub total_cost: DecimalString,
    pub currency_base_multiplier: DecimalString,
    pub status: ActivityStatus,
    /// On GTD orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<Timestamp>,
    /// On a payout that won.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub payout: Option<DecimalString>,
    /// On a buy that was cancelled or expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub amount_spent: Option<DecimalString>,
    /// On a buy that was cancelled or expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub amount_refunded: Option<DecimalString>,
    /// On a sell that was cancelled or expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub amount_earned: Option<DecimalString>,
    /// On a sell that was cancelled or expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub shares_returned: Option<DecimalString>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A page of activities, newest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activities {
    pub activities: Vec<Activity>,
    pub pagination: Pagination,
    /// Give it as `after` to go on behind the last activity; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
