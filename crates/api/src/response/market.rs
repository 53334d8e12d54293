//! Markets inside an event.

use crate::json::{WriteJson, Writer};
use crate::schema::ToSchema;
use uuid::Uuid;

use crate::Timestamp;
use crate::decimal::{AssetPrice, Money, Percent, PropLine, UnitPrice};
use crate::terms::{OutcomeSide, PropDirection, Status};

/// A question with two outcomes.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
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
    #[schema(value_type = String, example = "")]
    pub resolved_outcome: ResolvedOutcome,
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

/// An outcome that may not be decided: then it is the empty string, never null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedOutcome(pub Option<OutcomeSide>);

impl WriteJson for ResolvedOutcome {
    fn write_json(&self, out: &mut Writer) {
        match self.0 {
            Some(outcome) => outcome.write_json(out),
            None => "".write_json(out),
        }
    }
}

/// Terms of a market that will apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncedTerms {
    pub fee_percentage: Percent,
    /// In the currency that is shown.
    pub minimum_order_amount: Money,
    pub from: Timestamp,
}

/// The fee and the minimum of orders to come, in one currency. Always whole: without `announcedTerms`, no other ones are
/// announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketTerms {
    pub fee_percentage: Percent,
    pub minimum_order_amount: Money,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub announced_terms: Option<AnnouncedTerms>,
}

/// The team of a prop market.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
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

/// The reward that a market pays to traders who quote in it.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiquidityReward {
    pub config_id: Uuid,
    pub reward_pool: Money,
    pub max_spread_cents: u32,
    pub min_notional_order_size: Money,
}

/// The part of the fees that a market gives back to makers.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MakerRebate {
    pub config_id: Uuid,
    pub rebate_percentage: Percent,
    pub min_payout_usd: Money,
}
