//! Events with their markets.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::market::Market;
use super::pagination::Pagination;
use crate::decimal::{AssetPrice, Money};
use crate::json::WriteJson;
use crate::terms::{Currency, Engine, EventType, SportMarketType, Status};
use crate::timestamp::{OptionalDate, Timestamp};

/// A headline question with its markets.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub id: Uuid,
    #[schema(example = "rain-in-lagos")]
    pub slug: String,
    #[schema(example = "Rain in Lagos")]
    pub title: String,
    #[schema(example = "sports")]
    pub category: String,
    #[serde(rename = "type")]
    pub event_type: EventType,
    pub engine: Engine,
    pub status: Status,
    /// When the outcome is determined.
    pub resolution_date: OptionalDate,
    /// When trading closes.
    pub closing_date: OptionalDate,
    pub liquidity: Money,
    pub total_volume: Money,
    #[schema(example = 843)]
    pub total_orders: u64,
    pub supported_currencies: Vec<Currency>,
    /// Whether the caller watches it; false without `X-Public-Key`.
    pub user_watchlisted: bool,
    pub markets: Vec<Market>,
    /// Links the events of one match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "bm-game-20260524-mci-avl")]
    pub sport_game_slug: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sport_market_type: Option<SportMarketType>,

    pub description: String,
    pub subcategory: String,
    pub created_at: Timestamp,
    /// When trading opens by itself.
    pub opening_date: OptionalDate,
    pub resolved_at: OptionalDate,
    pub resolution_source: String,
    pub additional_context: String,
    pub countdown_type: String,
    pub display_countdown: bool,
    pub image_url: String,
    pub image128_url: String,
    pub hashtags: Vec<String>,
    pub country_codes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "crypto-btc-1h")]
    pub series_slug: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "BTCUSDT")]
    pub asset_symbol_pair: Option<String>,
    /// The asset's price when the event of a series opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub event_threshold: Option<AssetPrice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "100-200")]
    pub event_threshold_range: Option<String>,
    /// The asset's price when it closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub event_close_value: Option<AssetPrice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sport_game_id: Option<Uuid>,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Events {
    pub events: Vec<Event>,
    pub pagination: Pagination,
}

/// Whether the caller watches an event now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Watched {
    pub event_id: Uuid,
    pub user_watchlisted: bool,
}
