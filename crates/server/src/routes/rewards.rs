//! Rewards for liquidity and rebates for makers. The exchange pays neither yet, so all four lists are empty.

use api::query::RewardsQuery;
use api::response::{ActiveLiquidityRewards, ActiveMakerRebates, LiquidityRewards, MakerRebates, Pagination};

use crate::edge::{Call, Next};
use crate::failure::Failure;

pub(super) struct RewardEndpoints;

impl RewardEndpoints {
    pub(super) fn list_liquidity_rewards(
        &self,
        _: &Call<'_>,
        query: RewardsQuery,
    ) -> Result<Next<LiquidityRewards>, Failure> {
        let pagination = Pagination::new(query.pages(), 0);
        Ok(LiquidityRewards { data: Vec::new(), pagination }.into())
    }

    pub(super) fn list_active_liquidity_rewards(
        &self,
        _: &Call<'_>,
    ) -> Result<Next<ActiveLiquidityRewards>, Failure> {
        Ok(ActiveLiquidityRewards { data: Vec::new() }.into())
    }

    pub(super) fn list_maker_rebates(
        &self,
        _: &Call<'_>,
        query: RewardsQuery,
    ) -> Result<Next<MakerRebates>, Failure> {
        let pagination = Pagination::new(query.pages(), 0);
        Ok(MakerRebates { data: Vec::new(), pagination }.into())
    }

    pub(super) fn list_active_maker_rebates(
        &self,
        _: &Call<'_>,
    ) -> Result<Next<ActiveMakerRebates>, Failure> {
        Ok(ActiveMakerRebates { data: Vec::new() }.into())
    }
}
