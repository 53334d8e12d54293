//! A statement of a user's money, and the account's value over time.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, MovementType, OutcomeSide};
use crate::timestamp::Timestamp;

/// One movement of money.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Movement {
    pub id: Uuid,
    #[serde(rename = "type")]
    pub movement_type: MovementType,
    pub currency: Currency,
    /// Below 0 where money left the account. 0 on a payout of a lost position.
    pub amount: Money,
    /// Free and held money after it.
    pub balance: Money,
    /// Part of the amount.
    pub fee: Money,
    /// This key and the following: not on a deposit or a withdrawal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub event_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub market_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub event_title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub market_title: Option<String>,
    /// On a fill, and on a payout of a position in one outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub outcome: Option<OutcomeSide>,
    /// Shares or sets. Not on a payout of both outcomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub size: Option<Shares>,
    /// On a fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub price: Option<UnitPrice>,
    /// On a fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_id: Option<Uuid>,
    /// On a deposit or a withdrawal: the operator's reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reference: Option<String>,
    pub created_at: Timestamp,
}

/// A page of movements of one currency, newest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    pub movements: Vec<Movement>,
    pub pagination: Pagination,
    /// Give it as `after` to go on behind the last movement; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// What an account was worth at one time.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValuePoint {
    pub timestamp: Timestamp,
    /// Free and held money.
    pub cash: Money,
    /// Shares at the last prices of their markets then.
    pub positions: Money,
    /// `cash` + `positions`.
    pub value: Money,
}

/// An account's value over time in one currency, oldest first. It begins later than asked for where the account was too
/// busy to go back as far.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountValue {
    pub currency: Currency,
    pub points: Vec<ValuePoint>,
}
