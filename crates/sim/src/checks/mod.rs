//! Checks that need the states before and after a command, and its changes.

mod before;
mod cash;
mod closed_price;
mod deeds;
mod erased;
mod fills;
mod frozen;
mod governance;
mod idempotency;
mod last_trade;
mod lifecycle;
mod money;
mod operators;
mod pool_trade;
mod pools;
mod replies;
mod retirement;
mod series;

pub use before::Before;
pub use cash::CashBook;
pub use closed_price::check_closed_prices;
pub(crate) use deeds::deed;
pub use erased::ErasedBook;
pub use fills::check_fills;
pub use frozen::FrozenBook;
pub use governance::check_governance;
pub use idempotency::KeyBook;
pub use last_trade::check_last_trade;
pub use lifecycle::check_lifecycle;
pub use money::{Totals, check_money, check_sets, check_settlements};
pub use operators::OperatorBook;
pub use pool_trade::check_pool_trade;
pub use pools::check_pools;
pub use replies::check_replies;
pub use retirement::{Catalogued, LEAVES_IN_TIME, LEAVES_NOTHING, READS_AS_BEFORE, check_retirement};
pub use series::PriceBook;

use exchange::Exchange;
use exchange::command::Request;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::failure::Failure;
use crate::shadow::Shadow;

/// Runs all of them. `shadow` must still have the orders from before the command.
pub fn check_transition(
    before: &Before,
    exchange: &Exchange,
    shadow: &Shadow,
    request: &Request,
    result: &Result<Reply, Reject>,
) -> Result<(), Failure> {
    let changes = exchange.changes();
    check_fills(&shadow.orders, changes)?;
    check_replies(result, changes)?;
    check_last_trade(exchange, changes)?;
    check_lifecycle(before, exchange, changes)?;
    check_retirement(before, exchange, changes)?;
    check_closed_prices(before, exchange, changes)?;
    check_money(before, exchange, changes)?;
    check_settlements(before, exchange, request, changes)?;
    check_governance(before, exchange, request, changes)?;
    check_sets(before, exchange, request, result)?;
    check_pools(before, exchange, request, result)?;
    check_pool_trade(before, exchange, request, result)
}
