//! Rule 10: a pool's product never decreases, and only trades and the house change its reserves.

use exchange::Exchange;
use exchange::command::{Command, Request};
use exchange::pool::Pool;
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;
use super::deeds::deed;
use crate::failure::{Failure, ensure};

pub const PRODUCT: &str = "10 a pool's product never falls";
pub const MOVERS: &str = "10 only trades and the house move a pool";

pub fn check_pools(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    result: &Result<Reply, Reject>,
) -> Result<(), Failure> {
    let may_move = matches!(
        deed(before, request, result),
        Some(Command::PlaceOrder(_) | Command::GrowPool(_) | Command::SeedPool(_))
    );
    for (index, listing) in exchange.catalogue().listings() {
        let (Some(old), Some(new)) = (before.pools.get(&index), listing.pool()) else { continue };
        if old == new {
            continue;
        }
        ensure(may_move, MOVERS, || format!("{index:?}: {old:?} to {new:?}"))?;
        ensure(product(new) >= product(old), PRODUCT, || format!("{index:?}: {old:?} to {new:?}"))?;
    }
    Ok(())
}

fn product(pool: &Pool) -> i128 {
    i128::from(pool.yes.units()) * i128::from(pool.no.units())
}
