//! Programmes for market makers.

use api::response::*;

use super::{at, id, money, pagination, shares};

pub fn liquidity_rewards() -> LiquidityRewards {
    let record = LiquidityRewardRecord {
        epoch_id: id(110),
        event_id: id(1),
        market_id: id(2),
        accumulated_shares: shares(12_345),
        sample_count: 1440,
        payout: money(1_500_000),
        is_paid: true,
        epoch_start: at(0),
        epoch_end: at(86_400),
        status: LiquidityRewardStatus::Completed,
    };
    LiquidityRewards { data: vec![record], pagination: pagination() }
}

pub fn active_liquidity_rewards() -> ActiveLiquidityRewards {
    let reward = ActiveLiquidityReward {
        epoch_id: id(110),
        event_id: id(1),
        market_id: id(2),
        accumulated_shares: shares(12_345),
        sample_count: 10,
        estimated_payout: money(1_500_000),
        epoch_start: at(0),
        epoch_end: at(86_400),
    };
    ActiveLiquidityRewards { data: vec![reward] }
}

pub fn maker_rebates() -> MakerRebates {
    let record = MakerRebateRecord {
        epoch_id: id(111),
        event_id: id(1),
        market_id: id(2),
        maker_volume: money(12_000_000),
        trade_count: 7,
        rebate_amount: money(500_000),
        is_paid: false,
        epoch_start: at(0),
        epoch_end: at(86_400),
        status: MakerRebateStatus::Finalized,
    };
    MakerRebates { data: vec![record], pagination: pagination() }
}

pub fn active_maker_rebates() -> ActiveMakerRebates {
    let rebate = ActiveMakerRebate {
        epoch_id: id(111),
        event_id: id(1),
        market_id: id(2),
        maker_volume: money(12_000_000),
        trade_count: 7,
        rebate_amount: money(500_000),
        epoch_start: at(0),
        epoch_end: at(86_400),
    };
    ActiveMakerRebates { data: vec![rebate] }
}
