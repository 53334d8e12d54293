//! Complete sets: mint and burn.

use api::request::{BurnSets, MintSets};
use api::response::{BurnResult, MintResult};
use exchange::id::OperationId;

use super::paths::market_id;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::identifiers::new_id;
use crate::view;

pub(super) struct SetEndpoints;

fn new_operation_id() -> OperationId {
    OperationId::new(new_id().as_u128())
}

impl SetEndpoints {
    pub(super) fn mint_sets(&self, call: &Call<'_>, mint: MintSets) -> Result<Next<MintResult>, Failure> {
        let market = market_id(call.path(0))?;
        Ok(Next::Write(1, view::command::mint_sets(new_operation_id(), market, &mint)))
    }

    pub(super) fn burn_sets(&self, call: &Call<'_>, burn: BurnSets) -> Result<Next<BurnResult>, Failure> {
        let market = market_id(call.path(0))?;
        Ok(Next::Write(1, view::command::burn_sets(new_operation_id(), market, &burn)))
    }
}
