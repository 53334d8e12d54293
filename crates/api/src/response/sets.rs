//! Results of minting and burning complete sets.

use crate::schema::ToSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::json_object;

/// Pairs of shares that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MintResult {
    pub operation_id: Uuid,
    pub market_id: Uuid,
    /// Pairs.
    pub quantity: Shares,
    pub outcome1_price: UnitPrice,
    pub outcome2_price: UnitPrice,
}

json_object! {
    MintResult {
        operation_id: "operationId",
        market_id: "marketId",
        quantity: "quantity",
        outcome1_price: "outcome1Price",
        outcome2_price: "outcome2Price",
    }
}

/// Pairs of shares that were given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
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

json_object! {
    BurnResult {
        operation_id: "operationId",
        market_id: "marketId",
        quantity: "quantity",
        outcome1_price: "outcome1Price",
        outcome2_price: "outcome2Price",
        proceeds: "proceeds",
    }
}
