//! Results of minting and burning complete sets.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;

/// Pairs of shares that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MintResult {
    pub operation_id: Uuid,
    pub market_id: Uuid,
    /// Pairs.
    pub quantity: Shares,
    pub outcome1_price: UnitPrice,
    pub outcome2_price: UnitPrice,
}

/// Pairs of shares that were given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BurnResult {
    pub operation_id: Uuid,
    pub market_id: Uuid,
    /// Pairs.
    pub quantity: Shares,
    pub outcome1_price: UnitPrice,
    pub outcome2_price: UnitPrice,
    /// The money paid for them.
    pub proceeds: Money,
}
