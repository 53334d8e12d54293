//! The minimum order, computed independently: an order is refused as too small exactly when it is.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::command::{AmendOrders, Command, PlaceOrders, Request};
use exchange::index::MarketIndex;
use exchange::numbers::Currency;
use exchange::order::{Amendment, Item, NewOrder, OrderKind, Side, Sizing, TimeInForce};
use exchange::reject::Reject;
use exchange::reply::{ItemResult, Reply};

use super::{Open, base};
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};

const RULE: &str = "an order is refused as too small exactly when it is below the minimum";

/// Checks every item of a placement or an amend. `orders` are the open orders before the command.
pub fn check_minimums(
    exchange: &Exchange,
    orders: &BTreeMap<u128, Open>,
    request: &Request,
    result: &Result<Reply, Reject>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    match (&request.command, result) {
        (_, Ok(Reply::Replayed { .. })) => Ok(()),
        (Command::PlaceOrder(new), result) => judge_placement(exchange, new, result.as_ref().err(), counts),
        (Command::PlaceOrders(PlaceOrders { items }), Ok(Reply::Results(results))) => {
            let mut pairs = valid(items, results);
            pairs.try_for_each(|(new, refusal)| judge_placement(exchange, new, refusal, counts))
        }
        (Command::AmendOrders(AmendOrders { items }), Ok(Reply::Results(results))) => {
            let mut pairs = valid(items, results);
            pairs.try_for_each(|(amendment, refusal)| {
                judge_amend(exchange, orders, amendment, refusal, counts)
            })
        }
        _ => Ok(()),
    }
}

/// The parsed items, each with its refusal.
fn valid<'a, T>(
    items: &'a [Item<T>],
    results: &'a [ItemResult],
) -> impl Iterator<Item = (&'a T, Option<&'a Reject>)> {
    items.iter().zip(results).filter_map(|(item, result)| match item {
        Item::Valid(item) => Some((item, result.outcome.as_ref().err())),
        Item::Malformed(_) => None,
    })
}

fn judge_placement(
    exchange: &Exchange,
    new: &NewOrder,
    refusal: Option<&Reject>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let is_refused = matches!(refusal, Some(Reject::BelowMinimum { .. }));
    let Some((market, _)) = exchange.catalogue().find_outcome(new.outcome) else { return Ok(()) };
    // A BUY by quantity without a limit is checked at the price it meets; the comparison with quotes covers that.
    let is_by_price_met = new.kind == OrderKind::Market && matches!(new.sizing, Sizing::Quantity(_));
    if is_by_price_met && new.side == Side::Buy {
        return Ok(());
    }
    let is_below =
        asked(exchange, market, new).is_some_and(|asked| asked < least(exchange, market, new.currency));
    ensure(is_below || !is_refused, RULE, || format!("refused, though it is not: {new:?}"))?;
    ensure(!is_below || refusal.is_some(), RULE, || format!("taken: {new:?}"))?;
    let is_sale_by_quantity = new.side == Side::Sell && matches!(new.sizing, Sizing::Quantity(_));
    counts.note_if(is_refused && is_sale_by_quantity, Rare::DustRefused);
    Ok(())
}

/// The value that must reach the minimum, in units of money; `None` if there is no minimum.
fn asked(exchange: &Exchange, market: MarketIndex, new: &NewOrder) -> Option<i64> {
    let shares = match new.sizing {
        Sizing::Amount(amount) => return Some(amount.units()),
        Sizing::Quantity(shares) => shares.units(),
    };
    let price = new.price.filter(|_| new.kind == OrderKind::Limit)?;
    let is_immediate = matches!(new.time_in_force, Some(TimeInForce::Fak | TimeInForce::Fok));
    let event = exchange.catalogue().event(exchange.catalogue().market(market).event);
    let may_rest = event.engine == Engine::Clob && !is_immediate;
    let counts = new.side == Side::Buy || may_rest && exchange.rules_version() > 1;
    counts.then(|| shares * i64::from(price.cents()) * base(new.currency))
}

fn judge_amend(
    exchange: &Exchange,
    orders: &BTreeMap<u128, Open>,
    amendment: &Amendment,
    refusal: Option<&Reject>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let is_refused = matches!(refusal, Some(Reject::BelowMinimum { .. }));
    let Some(old) = orders.get(&amendment.order.as_u128()) else {
        return ensure(!is_refused, RULE, || format!("of an order that is not open: {amendment:?}"));
    };
    let price = amendment.new_price.map_or(old.price, |price| i64::from(price.cents()));
    let size = amendment.new_size.map_or(old.size, |size| size.units());
    let unit = price * base(old.listing.currency());
    let least = least(exchange, old.listing.market(), old.listing.currency());
    let is_small = size * unit < least;
    let leaves_dust =
        price != old.price && exchange.rules_version() > 1 && (size - old.filled) * unit < least;
    ensure(is_small || leaves_dust || !is_refused, RULE, || {
        format!("refused, though it is not: {amendment:?}")
    })?;
    ensure(!is_small && !leaves_dust || refusal.is_some(), RULE, || format!("taken: {amendment:?}"))?;
    counts.note_if(is_refused && !is_small, Rare::AmendLeavesDust);
    Ok(())
}

fn least(exchange: &Exchange, market: MarketIndex, currency: Currency) -> i64 {
    exchange.catalogue().market(market).details.order_min.get(currency).units()
}
