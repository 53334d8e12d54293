//! Markets inside an event.

use crate::schema::ToSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::decimal::{AssetPrice, Money, Percent, PropLine, UnitPrice};
use crate::json::json_object;
use crate::terms::{OutcomeSide, PropDirection, Status};

/// A question with two outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Market {
    pub id: Uuid,
    #[schema(example = "Will it rain in Lagos on Friday?")]
    pub title: String,
    pub status: Status,
    pub outcome1_id: Uuid,
    pub outcome2_id: Uuid,
    #[schema(example = "YES")]
    pub outcome1_label: String,
    #[schema(example = "NO")]
    pub outcome2_label: String,
    pub outcome1_price: UnitPrice,
    /// 1 less `outcome1Price`.
    pub outcome2_price: UnitPrice,
    /// The price of one YES share now; 0 if none is offered.
    pub yes_buy_price: UnitPrice,
    /// The price of one NO share now; 0 if none is offered.
    pub no_buy_price: UnitPrice,
    /// In the currency that is shown.
    pub minimum_order_amount: Money,
    pub fee_percentage: Percent,
    /// The fee and the minimum that will apply to orders to come. A raise is announced at least an hour before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub announced_terms: Option<AnnouncedTerms>,
    #[schema(example = 843)]
    pub total_orders: u64,
    /// How the market is decided.
    pub rules: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub prop_line: Option<PropLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub prop_direction: Option<PropDirection>,
    /// The team of a prop market; null when it is about the whole game.
    pub prop_team: Option<PropTeam>,

    pub image_url: String,
    pub image128_url: String,
    /// The payout of a YES share: 1, 0, or between them when the market was cancelled. 0 until then.
    pub resolution_price: UnitPrice,
    /// `YES` or `NO`, empty until resolved.
    #[serde(serialize_with = "serialize_resolved")]
    #[schema(value_type = String, example = "")]
    pub resolved_outcome: Option<OutcomeSide>,
    pub resolved_outcome_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub market_threshold: Option<AssetPrice>,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub market_threshold_range: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub market_close_value: Option<AssetPrice>,
    pub liquidity_reward: Option<LiquidityReward>,
    pub maker_rebate: Option<MakerRebate>,
}

json_object! {
    Market {
        id: "id",
        title: "title",
        status: "status",
        outcome1_id: "outcome1Id",
        outcome2_id: "outcome2Id",
        outcome1_label: "outcome1Label",
        outcome2_label: "outcome2Label",
        outcome1_price: "outcome1Price",
        outcome2_price: "outcome2Price",
        yes_buy_price: "yesBuyPrice",
        no_buy_price: "noBuyPrice",
        minimum_order_amount: "minimumOrderAmount",
        fee_percentage: "feePercentage",
        announced_terms: "announcedTerms" [if some],
        total_orders: "totalOrders",
        rules: "rules",
        prop_line: "propLine" [if some],
        prop_direction: "propDirection" [if some],
        prop_team: "propTeam",
        image_url: "imageUrl",
        image128_url: "image128Url",
        resolution_price: "resolutionPrice",
        resolved_outcome: "resolvedOutcome" [or empty],
        resolved_outcome_id: "resolvedOutcomeId",
        market_threshold: "marketThreshold" [if some],
        market_threshold_range: "marketThresholdRange" [if not empty],
        market_close_value: "marketCloseValue" [if some],
        liquidity_reward: "liquidityReward",
        maker_rebate: "makerRebate",
    }
}

fn serialize_resolved<S: serde::Serializer>(
    outcome: &Option<OutcomeSide>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match outcome {
        Some(outcome) => outcome.serialize(serializer),
        None => serializer.serialize_str(""),
    }
}

/// Terms of a market that will apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncedTerms {
    pub fee_percentage: Percent,
    /// In the currency that is shown.
    pub minimum_order_amount: Money,
    pub from: Timestamp,
}

json_object! {
    AnnouncedTerms {
        fee_percentage: "feePercentage",
        minimum_order_amount: "minimumOrderAmount",
        from: "from",
    }
}

/// The fee and the minimum of orders to come, in one currency. Always whole: without `announcedTerms`, no other ones are
/// announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketTerms {
    pub fee_percentage: Percent,
    pub minimum_order_amount: Money,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub announced_terms: Option<AnnouncedTerms>,
}

/// The team of a prop market.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PropTeam {
    pub id: Uuid,
    #[schema(example = "Seattle Sounders FC")]
    pub name: String,
    #[schema(example = "bm-mls-seattle-sounders-fc")]
    pub slug: String,
    pub league: String,
    #[schema(example = "SOCCER")]
    pub sport: String,
}

json_object! {
    PropTeam {
        id: "id",
        name: "name",
        slug: "slug",
        league: "league",
        sport: "sport",
    }
}

/// The reward that a market pays to traders who quote in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiquidityReward {
    pub config_id: Uuid,
    pub reward_pool: Money,
    pub max_spread_cents: u32,
    pub min_notional_order_size: Money,
}

json_object! {
    LiquidityReward {
        config_id: "configId",
        reward_pool: "rewardPool",
        max_spread_cents: "maxSpreadCents",
        min_notional_order_size: "minNotionalOrderSize",
    }
}

/// The part of the fees that a market gives back to makers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MakerRebate {
    pub config_id: Uuid,
    pub rebate_percentage: Percent,
    pub min_payout_usd: Money,
}

json_object! {
    MakerRebate {
        config_id: "configId",
        rebate_percentage: "rebatePercentage",
        min_payout_usd: "minPayoutUsd",
    }
}
