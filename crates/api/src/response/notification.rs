//! Notifications, price alerts and push subscriptions.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{AlertDirection, Currency, NotificationType, OutcomeSide, Side};
use crate::timestamp::Timestamp;

/// A fill, a payout, a resolution or a fired price alert.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    pub id: Uuid,
    #[serde(rename = "type")]
    pub notification_type: NotificationType,
    /// Read marks name it.
    pub sequence: u64,
    pub is_read: bool,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub event_title: String,
    pub market_title: String,
    pub currency: Currency,
    /// Not on a payout of both outcomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub outcome: Option<OutcomeSide>,
    /// On a payout or a resolution: the outcome that won.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved_outcome: Option<OutcomeSide>,
    /// On a fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side: Option<Side>,
    /// On a fill: what was filled. On a payout: the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub size: Option<Shares>,
    /// On a fill: the average price. On a price alert: the price that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub price: Option<UnitPrice>,
    /// On a payout, a resolution or a refund: what was paid. On a fill: price × size, without the fee.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub amount: Option<Money>,
    /// How many fills of resting orders it gathers: those on one side of an outcome, within a minute of the first one.
    /// Size, price and amount are those of all of them, `sequence` and `createdAt` those of the newest one. Not on an
    /// order that filled when it was placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub fills: Option<u64>,
    /// On a fill, unless it gathers those of several orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_id: Option<Uuid>,
    pub created_at: Timestamp,
}

/// The latest notifications, newest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notifications {
    pub notifications: Vec<Notification>,
    /// How many are not read; counted up to 100 fills and payouts.
    pub unread: u64,
    /// The sequence up to which they are read.
    pub read_until: u64,
}

/// An alert that fires once, when the shown price reaches a price.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceAlert {
    pub id: Uuid,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub event_title: String,
    pub market_title: String,
    pub outcome: OutcomeSide,
    pub currency: Currency,
    pub price: UnitPrice,
    pub direction: AlertDirection,
    pub created_at: Timestamp,
    /// Set once it has fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub fired_at: Option<Timestamp>,
}

/// All alerts of a user, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct PriceAlerts {
    pub alerts: Vec<PriceAlert>,
}

/// A browser that receives push messages.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSubscription {
    pub id: Uuid,
    pub endpoint: String,
    pub created_at: Timestamp,
}

/// The key that signs push messages, and a user's subscriptions.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSubscriptions {
    /// For `PushManager.subscribe`: `applicationServerKey`, in base64url.
    pub public_key: String,
    pub subscriptions: Vec<PushSubscription>,
}
