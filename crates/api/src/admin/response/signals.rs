//! The signals of a node: whether it is ready, and what happened in the last hour.

use crate::json::WriteJson;
use crate::schema::ToSchema;

use crate::Timestamp;
use crate::decimal::Money;
use crate::response::NotReady;
use crate::terms;

/// Whether a node is ready, and an hour of samples that it keeps.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeSignals {
    pub ready: bool,
    /// Why the node is not ready; empty if it is.
    pub reasons: Vec<NotReady>,
    /// The last sequence that was applied.
    pub sequence: u64,
    /// Seconds from one sample to the next.
    pub sample_seconds: i64,
    /// Oldest first, 60 at most. A node that has just started has none.
    pub samples: Vec<SignalSample>,
}

/// What happened in an interval on this node.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignalSample {
    /// The end of the interval.
    pub at: Timestamp,
    /// Its length.
    pub seconds: i64,
    /// Responses of both listeners, without probes and scrapes of metrics.
    pub requests: u64,
    /// Responses with a status of 500 or more.
    pub errors: u64,
    /// Commands applied, those of other nodes included.
    pub commands: u64,
    /// Half of the responses were quicker; absent without responses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_micros: Option<u64>,
    /// 99 % of the responses were quicker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_micros: Option<u64>,
    pub currencies: Vec<CurrencySample>,
}

/// Business of one currency in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct CurrencySample {
    pub currency: terms::Currency,
    /// The value of all trades.
    pub volume: Money,
    pub fees: Money,
    pub trades: u64,
    /// Users who traded.
    pub traders: u64,
}
