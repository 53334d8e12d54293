//! Rewards for liquidity and rebates for makers, per epoch.

use crate::schema::ToSchema;
use uuid::Uuid;

use super::pagination::Pagination;
use crate::decimal::{Money, Shares};
use crate::json::WriteJson;
use crate::timestamp::Timestamp;
use crate::words::words;

words! {
    /// Whether an epoch of liquidity rewards still runs.
    LiquidityRewardStatus { Active = "active", Completed = "completed", }

    /// Whether an epoch of maker rebates still runs.
    MakerRebateStatus { Active = "ACTIVE", Finalized = "FINALIZED", }
}

/// A market's reward in one epoch.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiquidityRewardRecord {
    pub epoch_id: Uuid,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub accumulated_shares: Shares,
    pub sample_count: u64,
    pub payout: Money,
    pub is_paid: bool,
    pub epoch_start: Timestamp,
    pub epoch_end: Timestamp,
    pub status: LiquidityRewardStatus,
}

/// A market's reward so far in the epoch that runs.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActiveLiquidityReward {
    pub epoch_id: Uuid,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub accumulated_shares: Shares,
    pub sample_count: u64,
    pub estimated_payout: Money,
    pub epoch_start: Timestamp,
    pub epoch_end: Timestamp,
}

/// A market's rebate in one epoch.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MakerRebateRecord {
    pub epoch_id: Uuid,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub maker_volume: Money,
    pub trade_count: u64,
    pub rebate_amount: Money,
    pub is_paid: bool,
    pub epoch_start: Timestamp,
    pub epoch_end: Timestamp,
    pub status: MakerRebateStatus,
}

/// A market's rebate so far in the epoch that runs.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActiveMakerRebate {
    pub epoch_id: Uuid,
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub maker_volume: Money,
    pub trade_count: u64,
    pub rebate_amount: Money,
    pub epoch_start: Timestamp,
    pub epoch_end: Timestamp,
}

/// A page of rewards.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct LiquidityRewards {
    pub data: Vec<LiquidityRewardRecord>,
    pub pagination: Pagination,
}

/// Rewards that run.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct ActiveLiquidityRewards {
    pub data: Vec<ActiveLiquidityReward>,
}

/// A page of rebates.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct MakerRebates {
    pub data: Vec<MakerRebateRecord>,
    pub pagination: Pagination,
}

/// Rebates that run.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct ActiveMakerRebates {
    pub data: Vec<ActiveMakerRebate>,
}
