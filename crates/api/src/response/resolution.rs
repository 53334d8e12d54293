//! How an event ends or ended, publicly verifiable: its rules and their hash, the proposal, every verdict with its
//! evidence. People appear by role, never by name or id.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::decimal::{AssetPrice, UnitPrice};
use crate::json::WriteJson;
use crate::terms::{Author, OutcomeSide, Status, VerdictEnding, VerdictType};
use crate::timestamp::{OptionalDate, Timestamp};

/// How an event ends or ended.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventResolution {
    pub event_id: Uuid,
    pub status: Status,
    /// Everything that decides the event, in one text: title, description, source, context, and each market's rules.
    pub rules: String,
    /// SHA-256 of `rules` as UTF-8, in lower-case hex. It changes when a word of the rules does.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub rules_sha256: String,
    pub markets: Vec<MarketResolution>,
    /// The verdict that waits to be finalised or withdrawn, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposedVerdict>,
    /// Every verdict that was carried out or withdrawn, the oldest first.
    pub verdicts: Vec<PastVerdict>,
    /// For an event of a series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesValues>,
}

/// How one market ended.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketResolution {
    pub market_id: Uuid,
    pub title: String,
    pub rules: String,
    pub status: Status,
    /// The payout of a YES share, as a part of the most that a share can pay; NO was paid the rest. Once settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_payout: Option<UnitPrice>,
    pub settled_at: OptionalDate,
}

/// How an event is to end.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    #[serde(rename = "type")]
    pub verdict_type: VerdictType,
    /// Markets that are not named stay as they are; in a combined event one YES makes the others NO.
    pub outcomes: Vec<Ruling>,
    /// Called off: what a share of YES pays; NO pays the rest to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_price: Option<UnitPrice>,
    /// By the score of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

/// One market's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ruling {
    pub market_id: Uuid,
    pub outcome: OutcomeSide,
}

/// Goals of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Score {
    #[schema(maximum = 1000)]
    pub home: u16,
    #[schema(maximum = 1000)]
    pub away: u16,
}

/// Why a verdict is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Evidence {
    #[serde(default)]
    pub text: String,
    /// Where to look; empty if there is nothing to look at.
    #[serde(default)]
    pub link: String,
}

/// A verdict that waits.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedVerdict {
    pub verdict: Verdict,
    pub evidence: Evidence,
    pub proposed_by: Author,
    pub proposed_at: Timestamp,
    /// It can be finalised from then on.
    pub final_from: Timestamp,
}

/// A verdict that was carried out or withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastVerdict {
    pub verdict: Verdict,
    pub evidence: Evidence,
    pub proposed_by: Author,
    pub proposed_at: Timestamp,
    pub ending: VerdictEnding,
    /// Why it was withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub ended_by: Author,
    pub ended_at: Timestamp,
}

/// The values that decide an event of a series.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesValues {
    pub series_slug: String,
    #[schema(example = "BTC")]
    pub asset_symbol: String,
    /// The asset's price when the event opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<AssetPrice>,
    /// The asset's price when it closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_value: Option<AssetPrice>,
    /// The samples behind `threshold`: one of each source that counts, the leading one first.
    pub open_samples: Vec<PriceSample>,
    /// The samples behind `closeValue`.
    pub close_samples: Vec<PriceSample>,
}

/// A price from one source.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceSample {
    pub source: String,
    pub value: AssetPrice,
    /// When the source saw it.
    pub source_time: Timestamp,
    /// When the journal stamped it.
    pub recorded_at: Timestamp,
}
