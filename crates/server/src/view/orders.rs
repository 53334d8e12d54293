//! A user's orders, open and closed, newest first.
//!
//! The exchange has what is open. What is closed is history's, so the caller hands it over; both are filtered
//! here, the same way.

use api::BadRequest;
use api::query::OrdersQuery;
use api::response::{Orders, Pagination};
use exchange::Exchange;
use exchange::index::UserIndex;
use exchange::order::{Order, OrderRecord};

use super::order::{home, outcome_id, record, record_of};
use super::pages::page;
use super::words::ToApi;

/// A page of a user's orders. `closed` may hold more than is asked for, in any order, also what is another's.
///
/// `after` goes on behind an order, wherever new ones have come in since; an unreadable one is refused.
pub fn orders(
    exchange: &Exchange,
    user: UserIndex,
    query: &OrdersQuery,
    closed: &[OrderRecord],
) -> Result<Orders, BadRequest> {
    let after = query.after.as_deref().map(read_cursor).transpose()?;
    let own_id = exchange.directory().user(user).id;
    let open: Vec<OrderRecord> =
        open_orders(exchange, user).map(|order| record_of(exchange, order)).collect();
    let own_closed = closed.iter().filter(|record| record.user == own_id);
    let mut rows: Vec<&OrderRecord> = own_closed.chain(&open).collect();
    // Stable: where an order has closed since, its end stands before what it was, and only that is kept.
    rows.sort_by_key(|record| std::cmp::Reverse(record.terms.serial));
    rows.dedup_by_key(|record| record.terms.serial);
    rows.retain(|record| is_asked_for(exchange, query, record));

    let (shown, pagination, is_last) = match after {
        None => {
            let (shown, pagination) = page(&rows, query.pages());
            (shown, pagination, u64::from(pagination.page) >= pagination.last_page)
        }
        Some(serial) => {
            let behind = &rows[rows.partition_point(|record| record.terms.serial >= serial)..];
            let shown = &behind[..behind.len().min(query.size as usize)];
            (shown, Pagination::new(query.pages(), rows.len() as u64), shown.len() == behind.len())
        }
    };
    let next_cursor = shown.last().filter(|_| !is_last).map(|record| record.terms.serial.to_string());
    let orders = shown.iter().map(|shown| record(exchange, shown)).collect();
    Ok(Orders { orders, pagination, next_cursor })
}

/// All open orders of a user, by listing.
pub fn open_orders(exchange: &Exchange, user: UserIndex) -> impl Iterator<Item = &Order> {
    let listings = exchange.positions_of(user).filter(|position| position.open_orders() > 0);
    listings
        .flat_map(move |position| exchange.open_orders_of(user, position.listing))
        .map(|slot| &exchange.orders()[slot])
}

fn is_asked_for(exchange: &Exchange, query: &OrdersQuery, record: &OrderRecord) -> bool {
    let (event, market) = home(exchange, record);
    let terms = &record.terms;
    query.side.is_none_or(|side| side == terms.side.to_api())
        && query.status.is_none_or(|status| status == record.status.to_api())
        && query.event_id.is_none_or(|id| id == event.id.to_api())
        && query.market_id.is_none_or(|id| id == market.id.to_api())
        && query.outcome_id.is_none_or(|id| id == outcome_id(market, terms.outcome).to_api())
        && query.currency.is_none_or(|currency| currency == record.currency.to_api())
        && query.client_order_id.as_ref().is_none_or(|id| terms.client_order_id.as_deref() == Some(id))
}

/// A cursor is the serial of the last order that was shown.
fn read_cursor(cursor: &str) -> Result<u64, BadRequest> {
    cursor.parse().map_err(|_| BadRequest::at("after", "must be a nextCursor of an earlier page"))
}
