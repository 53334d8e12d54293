//! The account: wallets, positions, results, history, keys.

use std::fmt;

use api::Timestamp;
use api::signing::SecretKey;
use api::terms::{ActivityStatus, ActivityType, Currency, Engine, MovementType, OutcomeSide};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::number;
use crate::term::{Term, option};

/// The money of one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Wallet {
    /// The wallet's id.
    pub id: Uuid,
    /// The currency.
    pub symbol: Term<Currency>,
    /// Free money.
    #[serde(with = "number")]
    pub available_balance: Decimal,
    /// Held by open orders.
    #[serde(with = "number")]
    pub pending_balance: Decimal,
    /// The payout of one share: 1 for USD, 100 for NGN.
    pub currency_base_multiplier: u16,
    /// The sequence of the exchange's state that the wallet is of.
    #[serde(skip)]
    pub as_of: Option<u64>,
}

/// The event of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PositionEvent {
    /// The event's id.
    pub id: Uuid,
    /// The event's title.
    pub title: String,
    /// Book or pool.
    pub engine: Term<Engine>,
}

/// The market of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PositionMarket {
    /// The market's id.
    pub id: Uuid,
    /// The question.
    pub title: String,
    /// The label of the first outcome.
    #[serde(default)]
    pub outcome1_label: String,
    /// The label of the second outcome.
    #[serde(default)]
    pub outcome2_label: String,
    /// The event.
    pub event: PositionEvent,
}

/// Shares of one outcome in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Position {
    /// The position's id.
    pub id: Uuid,
    /// YES or NO.
    pub outcome: Term<OutcomeSide>,
    /// The outcome's id.
    pub outcome_id: Uuid,
    /// Shares.
    #[serde(with = "number")]
    pub balance: Decimal,
    /// Without the shares that resting sell orders hold.
    #[serde(with = "number")]
    pub available_balance: Decimal,
    /// The average price of its shares.
    #[serde(with = "number")]
    pub average_price: Decimal,
    /// The money paid for its shares.
    #[serde(with = "number")]
    pub cost: Decimal,
    /// The proceeds of a sale now, after the fee.
    #[serde(with = "number")]
    pub current_value: Decimal,
    /// The average price of such a sale.
    #[serde(with = "number")]
    pub sell_price: Decimal,
    /// The payout if the outcome wins.
    #[serde(with = "number")]
    pub payout_if_outcome_wins: Decimal,
    /// The current value against the cost.
    #[serde(with = "number")]
    pub percentage_change: Decimal,
    /// The currency of the numbers.
    pub currency: Term<Currency>,
    /// The market and its event.
    pub market: PositionMarket,
    /// When the position began.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The totals of all positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Portfolio {
    /// The money paid for all shares.
    #[serde(with = "number")]
    pub portfolio_cost: Decimal,
    /// The proceeds of a sale of all shares now, after fees.
    #[serde(with = "number")]
    pub portfolio_current_value: Decimal,
    /// The current value against the cost.
    #[serde(with = "number")]
    pub portfolio_percentage_change: Decimal,
}

/// Profit and loss in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Pnl {
    /// `settlement_pnl` + `trade_pnl`.
    #[serde(with = "number")]
    pub realized_pnl: Decimal,
    /// Of all cost; 0 if there was none.
    #[serde(with = "number")]
    pub realized_pnl_percent: Decimal,
    /// Payouts less the cost of the settled positions.
    #[serde(with = "number")]
    pub settlement_pnl: Decimal,
    /// Proceeds of sales less the cost of the sold shares.
    #[serde(with = "number")]
    pub trade_pnl: Decimal,
    /// Settled positions that paid.
    pub wins: u64,
    /// Settled positions that paid nothing.
    pub losses: u64,
    /// The currency of the numbers.
    pub currency: Term<Currency>,
}

/// One movement of money. `amount` is below 0 where money left the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Movement {
    /// The movement's id.
    pub id: Uuid,
    /// Such as BUY or DEPOSIT.
    #[serde(rename = "type")]
    pub movement_type: Term<MovementType>,
    /// Money that came or left.
    #[serde(with = "number")]
    pub amount: Decimal,
    /// Free and held money after it.
    #[serde(with = "number")]
    pub balance: Decimal,
    /// Part of the amount.
    #[serde(with = "number")]
    pub fee: Decimal,
    /// The currency.
    pub currency: Term<Currency>,
    /// When it happened.
    pub created_at: Timestamp,
    /// The event, if it has one.
    #[serde(default)]
    pub event_id: Option<Uuid>,
    /// The event's title.
    #[serde(default)]
    pub event_title: Option<String>,
    /// The market, if it has one.
    #[serde(default)]
    pub market_id: Option<Uuid>,
    /// The market's title.
    #[serde(default)]
    pub market_title: Option<String>,
    /// The order of a fill.
    #[serde(default)]
    pub order_id: Option<Uuid>,
    /// YES or NO.
    #[serde(default, with = "option")]
    pub outcome: Option<Term<OutcomeSide>>,
    /// The price of a fill.
    #[serde(default, with = "number::option")]
    pub price: Option<Decimal>,
    /// Shares or sets.
    #[serde(default, with = "number::option")]
    pub size: Option<Decimal>,
    /// The operator's reference of a deposit or a withdrawal.
    #[serde(default)]
    pub reference: Option<String>,
}

/// One thing that happened to an order or a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Activity {
    /// The activity's id.
    pub id: Uuid,
    /// Such as BUY_TRADE_FILL.
    #[serde(rename = "type")]
    pub activity_type: Term<ActivityType>,
    /// The state of the order.
    pub status: Term<ActivityStatus>,
    /// The event.
    pub event_id: Uuid,
    /// The event's title.
    pub event_title: String,
    /// The market.
    pub market_id: Uuid,
    /// The market's title.
    pub market_title: String,
    /// YES or NO.
    pub outcome: Term<OutcomeSide>,
    /// The outcome's id.
    pub outcome_id: Uuid,
    /// Not on payouts, mints and burns.
    #[serde(default)]
    pub order_id: Option<Uuid>,
    /// The currency of the numbers.
    pub currency: Term<Currency>,
    /// Money.
    #[serde(with = "number")]
    pub amount: Decimal,
    /// The fee.
    #[serde(with = "number")]
    pub fee: Decimal,
    /// Shares.
    #[serde(with = "number")]
    pub size: Decimal,
    /// The price.
    #[serde(with = "number")]
    pub price: Decimal,
    /// Money and fee.
    #[serde(with = "number")]
    pub total_cost: Decimal,
    /// Shares that filled.
    #[serde(default, with = "number::option")]
    pub filled_size: Option<Decimal>,
    /// Shares that rest.
    #[serde(default, with = "number::option")]
    pub remaining_size: Option<Decimal>,
    /// The payout of a position that won.
    #[serde(default, with = "number::option")]
    pub payout: Option<Decimal>,
    /// When it happened.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The verifier's result for a signed request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuthCheck {
    /// Always true; a wrong signature is an error.
    pub valid: bool,
    /// Unix seconds.
    pub server_time: i64,
    /// How far this machine's clock is ahead.
    pub skew_seconds: i64,
    /// The hash of the body, as the signed text contains it.
    pub body_hash: String,
}

/// A new API key. The exchange shows its secret only once; `Debug` does not show it.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct IssuedKey {
    /// The key's id.
    pub id: Uuid,
    /// The key's name.
    pub name: String,
    /// The public half.
    pub public_key: String,
    /// The secret half: `secret_key.expose()`.
    #[serde(deserialize_with = "secret")]
    pub secret_key: SecretKey,
    /// When it was created.
    pub created_at: Timestamp,
}

fn secret<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<SecretKey, D::Error> {
    String::deserialize(deserializer).map(|text| SecretKey::from_text(&text))
}

impl fmt::Debug for IssuedKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("IssuedKey")
            .field("id", &self.id)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The build of the exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Version {
    /// Such as 0.1.0.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
}
