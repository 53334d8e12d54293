//! Rewards for liquidity and rebates for makers. The exchange pays neither yet, so all four lists are empty.

use api::query::RewardsQuery;
use api::response::{ActiveLiquidityRewards, ActiveMakerRebates, LiquidityRewards, MakerRebates, Pagination};

use crate::edge::answer::Json;
use crate::edge::{Call, Next};
use crate::failure::Failure;

pub(super) struct RewardEndpoints;

impl RewardEndpoints {
    pub(super) fn list_liquidity_rewards(
        &self,
        _: &Call<'_>,
        query: RewardsQuery,
    ) -> Result<Next<Json<LiquidityRewards>>, Failure> {
        let pagination = Pagination::new(query.pages(), 0);
        Ok(Json(LiquidityRewards { data: Vec::new(), pagination }).into())
    }

    pub(super) fn list_active_liquidity_rewards(
        &self,
        _: &Call<'_>,
    ) -> Result<Next<Json<ActiveLiquidityRewards>>, Failure> {
        Ok(Json(ActiveLiquidityRewards { data: Vec::new() }).into())
    }

    pub(super) fn list_maker_rebates(
        &self,
        _: &Call<'_>,
        query: RewardsQuery,
    ) -> Result<Next<Json<MakerRebates>>, Failure> {
        let pagination = Pagination::new(query.pages(), 0);
        Ok(Json(MakerRebates { data: Vec::new(), pagination }).into())
    }

    pub(super) fn list_active_maker_rebates(
        &self,
        _: &Call<'_>,
    ) -> Result<Next<Json<ActiveMakerRebates>>, Failure> {
        Ok(Json(ActiveMakerRebates { data: Vec::new() }).into())
    }
}
