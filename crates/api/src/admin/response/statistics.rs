//! Totals of the venue over time.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::decimal::Money;
use crate::json::WriteJson;
use crate::terms::{Currency, StatisticsInterval};

/// Totals of the venue in one currency, oldest bucket first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    pub currency: Currency,
    pub interval: StatisticsInterval,
    pub buckets: Vec<StatisticsBucket>,
    /// The pools whose results changed last in these buckets, ten at most.
    pub pools: Vec<PoolStatistics>,
}

/// An hour or a day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatisticsBucket {
    pub start: Timestamp,
    /// The value of the trades, before fees.
    pub volume: Money,
    pub fees: Money,
    pub trades: u64,
    /// Users with at least one trade.
    pub traders: u64,
    /// What all pools gained or lost, valued at their own prices until they are settled. Fees are not part of it.
    pub pool_result: Money,
}

/// A pool over time.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolStatistics {
    pub market_id: Uuid,
    pub market_title: String,
    pub event_id: Uuid,
    pub event_slug: String,
    pub event_title: String,
    /// The gain or loss in all buckets together.
    pub result: Money,
    /// The gain or loss in each bucket.
    pub results: Vec<Money>,
}
