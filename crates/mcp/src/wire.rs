//! The parts of the exchange's answers that the tools use. Numbers are exact decimals.

use api::decimal::{Money, Percent, PriceChange, Shares, UnitPrice};
use api::terms::{OrderStatus, Side};
use api::{Timestamp, Word};
use serde::Deserialize;
use uuid::Uuid;

use crate::cost::{FeeRate, Report};

/// A word of a closed set; `unknown` if this version does not know it. Other text cannot pass.
pub(crate) fn known<W: Word>(text: &str) -> &'static str {
    W::find(text).map_or("unknown", Word::as_str)
}

/// A date as it is; empty if it is none. Other text cannot pass.
pub(crate) fn date(text: &str) -> &str {
    if Timestamp::parse(text).is_ok() { text } else { "" }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Event {
    pub(crate) id: Uuid,
    pub(crate) slug: String,
    pub(crate) title: String,
    pub(crate) category: String,
    #[serde(rename = "type")]
    pub(crate) event_type: String,
    pub(crate) engine: String,
    pub(crate) status: String,
    pub(crate) closing_date: String,
    pub(crate) resolution_date: String,
    pub(crate) liquidity: Money,
    pub(crate) total_volume: Money,
    pub(crate) supported_currencies: Vec<String>,
    pub(crate) markets: Vec<Market>,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) resolution_source: String,
    #[serde(default)]
    pub(crate) additional_context: String,
    #[serde(default)]
    pub(crate) series_slug: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Market {
    pub(crate) id: Uuid,
    pub(crate) title: String,
    pub(crate) status: String,
    pub(crate) outcome1_id: Uuid,
    pub(crate) outcome2_id: Uuid,
    pub(crate) outcome1_label: String,
    pub(crate) outcome2_label: String,
    pub(crate) outcome1_price: UnitPrice,
    pub(crate) outcome2_price: UnitPrice,
    pub(crate) yes_buy_price: UnitPrice,
    pub(crate) no_buy_price: UnitPrice,
    pub(crate) minimum_order_amount: Money,
    pub(crate) fee_percentage: Percent,
    #[serde(default)]
    pub(crate) announced_terms: Option<AnnouncedTerms>,
    #[serde(default)]
    pub(crate) rules: String,
    #[serde(default)]
    pub(crate) resolved_outcome: String,
}

/// The fee and the minimum that will apply to orders to come.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnnouncedTerms {
    pub(crate) fee_percentage: Percent,
    pub(crate) minimum_order_amount: Money,
    pub(crate) from: Timestamp,
}

impl Market {
    /// Whether the fee is one that the rules of the exchange accept.
    pub(crate) fn has_permitted_fee(&self) -> bool {
        u32::try_from(self.fee_percentage.units()).is_ok_and(|basis_points| basis_points <= FeeRate::MOST.0)
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pagination {
    pub(crate) page: u64,
    pub(crate) last_page: u64,
    pub(crate) total_count: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Events {
    pub(crate) events: Vec<Event>,
    pub(crate) pagination: Pagination,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SeriesList {
    pub(crate) series: Vec<Series>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Series {
    pub(crate) slug: String,
    pub(crate) display_name: String,
    pub(crate) asset_symbol: String,
    pub(crate) interval_type: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Book {
    pub(crate) bids: Vec<Level>,
    pub(crate) asks: Vec<Level>,
}

/// All orders at one price.
#[derive(Debug, Deserialize)]
pub(crate) struct Level {
    pub(crate) price: UnitPrice,
    pub(crate) quantity: Shares,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ticker {
    pub(crate) last_price: UnitPrice,
    pub(crate) mid_price: UnitPrice,
    pub(crate) volume24h: Shares,
    pub(crate) high24h: UnitPrice,
    pub(crate) low24h: UnitPrice,
    pub(crate) price_change24h: PriceChange,
    pub(crate) trade_count24h: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Trades {
    pub(crate) data: Vec<Trade>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trade {
    pub(crate) outcome: String,
    pub(crate) price: UnitPrice,
    pub(crate) size: Shares,
    pub(crate) currency: String,
    pub(crate) taker_side: String,
    pub(crate) created_at: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Candles {
    pub(crate) candles: Vec<Candle>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Candle {
    pub(crate) start: String,
    pub(crate) open: UnitPrice,
    pub(crate) high: UnitPrice,
    pub(crate) low: UnitPrice,
    pub(crate) close: UnitPrice,
    pub(crate) volume: Shares,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Quote {
    pub(crate) price: UnitPrice,
    pub(crate) current_market_price: UnitPrice,
    pub(crate) quantity: Shares,
    pub(crate) amount: Money,
    pub(crate) fee: Money,
    pub(crate) price_impact_absolute: UnitPrice,
    pub(crate) complete_fill: bool,
    pub(crate) trade_goes_over_max_liability: bool,
    pub(crate) order: Option<QuotedOrder>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuotedOrder {
    pub(crate) resting_size: Shares,
    pub(crate) cancelled_size: Shares,
    pub(crate) hold: Money,
    pub(crate) status: Option<String>,
    pub(crate) refusal: Option<QuotedRefusal>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct QuotedRefusal {
    pub(crate) code: String,
}

/// An order of either engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Order {
    pub(crate) id: Uuid,
    pub(crate) event_id: Uuid,
    pub(crate) market_id: Uuid,
    pub(crate) outcome: String,
    pub(crate) outcome_label: String,
    pub(crate) side: String,
    pub(crate) order_type: String,
    pub(crate) status: String,
    pub(crate) amount: Money,
    pub(crate) price: UnitPrice,
    pub(crate) size: Shares,
    pub(crate) filled_size: Shares,
    pub(crate) remaining_size: Shares,
    pub(crate) avg_fill_price: UnitPrice,
    pub(crate) fee: Money,
    pub(crate) currency: String,
    pub(crate) created_at: String,
    #[serde(default)]
    pub(crate) client_order_id: Option<String>,
}

impl Order {
    /// Whether this is the BUY that was sent under a key.
    pub(crate) fn is_buy_named(&self, key: &str) -> bool {
        self.client_order_id.as_deref() == Some(key) && Side::find(&self.side) == Some(Side::Buy)
    }

    /// Time of placement; the oldest time if it cannot be read.
    pub(crate) fn placed_at(&self) -> Timestamp {
        Timestamp::parse(&self.created_at).unwrap_or_default()
    }

    pub(crate) fn report(&self) -> Report {
        Report {
            status: OrderStatus::find(&self.status),
            filled: self.filled_size,
            average: self.avg_fill_price,
            fee: self.fee,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Placed {
    pub(crate) order: Order,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Orders {
    pub(crate) orders: Vec<Order>,
    /// None on the last page.
    #[serde(default)]
    pub(crate) next_cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Portfolio {
    pub(crate) outcome_balances: Vec<Position>,
    pub(crate) pagination: Pagination,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Position {
    pub(crate) outcome: String,
    pub(crate) balance: Shares,
    pub(crate) available_balance: Shares,
    pub(crate) average_price: UnitPrice,
    pub(crate) cost: Money,
    pub(crate) current_value: Money,
    pub(crate) payout_if_outcome_wins: Money,
    pub(crate) currency: String,
    pub(crate) market: PositionMarket,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionMarket {
    pub(crate) title: String,
    pub(crate) outcome1_label: String,
    pub(crate) outcome2_label: String,
    pub(crate) event: PositionEvent,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PositionEvent {
    pub(crate) id: Uuid,
    pub(crate) title: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Wallets {
    pub(crate) assets: Vec<Wallet>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Wallet {
    pub(crate) symbol: String,
    pub(crate) available_balance: Money,
    pub(crate) pending_balance: Money,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Activities {
    pub(crate) activities: Vec<Activity>,
}

/// Its numbers are strings already.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Activity {
    #[serde(rename = "type")]
    pub(crate) activity_type: String,
    pub(crate) event_title: String,
    pub(crate) market_title: String,
    pub(crate) outcome: String,
    pub(crate) currency: String,
    pub(crate) amount: String,
    pub(crate) fee: String,
    pub(crate) size: String,
    pub(crate) price: String,
    pub(crate) created_at: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Minted {
    /// Pairs.
    pub(crate) quantity: Shares,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Burned {
    /// Pairs.
    pub(crate) quantity: Shares,
    pub(crate) proceeds: Money,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Cancelled {
    pub(crate) order: Order,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CancelledAll {
    pub(crate) orders: Vec<Order>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Solvency {
    pub(crate) sequence: u64,
    pub(crate) at: String,
    pub(crate) frame_hash: String,
    pub(crate) state_digest: String,
    pub(crate) solvent: bool,
    pub(crate) currencies: Vec<CurrencyAccounts>,
    pub(crate) markets: Vec<Backing>,
    pub(crate) proof: ProofRoot,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CurrencyAccounts {
    pub(crate) currency: String,
    pub(crate) users_free: Money,
    pub(crate) users_held: Money,
    pub(crate) house_free: Money,
    pub(crate) house_held: Money,
    pub(crate) fees: Money,
    pub(crate) collateral: Money,
    pub(crate) external: Money,
    pub(crate) sum: Money,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Backing {
    pub(crate) backed: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ProofRoot {
    pub(crate) root: String,
    pub(crate) leaves: u64,
}
