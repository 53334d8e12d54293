//! A user's holdings.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Percent, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Currency, Engine, EventType, OutcomeSide};
use crate::timestamp::Timestamp;

/// Shares of one outcome in one currency.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeBalance {
    pub id: Uuid,
    pub outcome: OutcomeSide,
    pub outcome_id: Uuid,
    /// The wallet that paid.
    pub asset_id: Uuid,
    pub user_id: Uuid,
    pub balance: Shares,
    /// Without what resting sell orders hold.
    pub available_balance: Shares,
    pub average_price: UnitPrice,
    pub cost: Money,
    /// The proceeds of a sale now, after the fee.
    pub current_value: Money,
    pub sell_price: UnitPrice,
    pub payout_if_outcome_wins: Money,
    pub percentage_change: Percent,
    pub currency: Currency,
    pub market: PortfolioMarket,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The market of a position.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PortfolioMarket {
    pub id: Uuid,
    pub title: String,
    pub image_url: String,
    pub outcome1_id: Uuid,
    pub outcome2_id: Uuid,
    pub outcome1_label: String,
    pub outcome2_label: String,
    /// The displayed prices in the currency of the position.
    pub outcome1_price: UnitPrice,
    pub outcome2_price: UnitPrice,
    pub event: PortfolioEvent,
}

/// The event of a position.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct PortfolioEvent {
    pub id: Uuid,
    pub title: String,
    #[serde(rename = "type")]
    pub event_type: EventType,
    pub engine: Engine,
}

/// A page of positions. The totals cover all of them.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Portfolio {
    pub outcome_balances: Vec<OutcomeBalance>,
    pub portfolio_cost: Money,
    pub portfolio_current_value: Money,
    pub portfolio_percentage_change: Percent,
    pub pagination: Pagination,
}
