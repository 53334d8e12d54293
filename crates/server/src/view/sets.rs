//! Minted and burned sets.

use api::response::{BurnResult, MintResult};
use exchange::id::MarketId;
use exchange::reply::SetsReply;

use super::words::ToApi;

pub fn minted(market: MarketId, reply: &SetsReply) -> MintResult {
    MintResult {
        operation_id: reply.id.to_api(),
        market_id: market.to_api(),
        quantity: reply.sets.to_api(),
        outcome1_price: reply.yes_price.to_api(),
        outcome2_price: reply.yes_price.complement().to_api(),
    }
}

pub fn burned(market: MarketId, reply: &SetsReply) -> BurnResult {
    BurnResult {
        operation_id: reply.id.to_api(),
        market_id: market.to_api(),
        quantity: reply.sets.to_api(),
        outcome1_price: reply.yes_price.to_api(),
        outcome2_price: reply.yes_price.complement().to_api(),
        proceeds: reply.cash.to_api(),
    }
}
