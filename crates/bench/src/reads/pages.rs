//! The cost of one page: every list without a filter and with each single filter, at its first and last page.

use std::time::Instant;

use exchange::id::{EventId, UserId};
use exchange::numbers::Currency;
use exchange::order::{OrderStatus, Outcome, Side};
use exchange::time::Time;
use server::history::{
    ActivityFilter, EventMarkets, History, HistoryError, OrderFilter, StoredOrdersQuery, TradeFilter, Window,
};
use tokio::runtime::Runtime;

use crate::feed::Feed;
use load::venue::{START, market};

const SIZE: u64 = 10;
const REPEATS: usize = 201;

/// One list with one filter.
#[derive(Clone, Debug)]
enum Read {
    Trades(TradeFilter),
    Orders(OrderFilter),
    Activities(Option<ActivityFilter>),
}

/// Microseconds for the first and the last page.
#[derive(Clone, Debug)]
pub struct Cost {
    pub name: &'static str,
    pub rows: u64,
    pub first: f64,
    pub last: f64,
}

pub fn measure(runtime: &Runtime, history: &History, feed: &Feed) -> Result<Vec<Cost>, HistoryError> {
    let placed_before = feed.exchange.next_order_serial();
    reads(feed)
        .into_iter()
        .map(|(name, read)| {
            let total = ask(runtime, history, &read, 1, placed_before)?;
            let last = total.div_ceil(SIZE).max(1);
            let cost = |page| median(runtime, history, &read, page, placed_before);
            Ok(Cost { name, rows: total, first: cost(1)?, last: cost(last)? })
        })
        .collect()
}

fn median(
    runtime: &Runtime,
    history: &History,
    read: &Read,
    page: u64,
    placed_before: u64,
) -> Result<f64, HistoryError> {
    let mut times = Vec::with_capacity(REPEATS);
    for _ in 0..REPEATS {
        let start = Instant::now();
        ask(runtime, history, read, page, placed_before)?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[REPEATS / 2])
}

/// Reads a page and returns the number of rows of the whole list.
fn ask(
    runtime: &Runtime,
    history: &History,
    read: &Read,
    page: u64,
    placed_before: u64,
) -> Result<u64, HistoryError> {
    let window = Window::Page { page, size: SIZE };
    match read {
        Read::Trades(filter) => Ok(runtime.block_on(history.trades(*filter, window))?.total),
        Read::Orders(filter) => {
            let question = StoredOrdersQuery {
                user: user(),
                filter: filter.clone(),
                placed_before,
                open: Default::default(),
                window,
            };
            Ok(runtime.block_on(history.orders(question))?.total)
        }
        Read::Activities(group) => Ok(runtime.block_on(history.activities(user(), *group, window))?.total),
    }
}

/// The user whose lists are read.
fn user() -> UserId {
    UserId::new(1)
}

fn reads(feed: &Feed) -> Vec<(&'static str, Read)> {
    let (id, order) = feed.last.unzip();
    let trades = TradeFilter::default();
    let orders = OrderFilter::default();
    // All but the first and last tenth of the time.
    let tenth = (feed.now().micros() - START.micros()) / 10;
    let (from, to) = (START.micros() + tenth, feed.now().micros() - tenth);
    let event = EventMarkets { id: EventId::new(3_000_003), markets: vec![market(3)] };
    vec![
        ("trades", Read::Trades(trades)),
        ("trades by market", Read::Trades(TradeFilter { market: Some(market(3)), ..trades })),
        (
            "trades by outcome",
            Read::Trades(TradeFilter { outcome: Some((market(3), Outcome::No)), ..trades }),
        ),
        ("trades by user", Read::Trades(TradeFilter { user: Some(user()), ..trades })),
        ("trades by order", Read::Trades(TradeFilter { order, ..trades })),
        ("trade by id", Read::Trades(TradeFilter { id, ..trades })),
        ("trades from a date", Read::Trades(TradeFilter { from: Some(Time::from_micros(from)), ..trades })),
        ("trades to a date", Read::Trades(TradeFilter { to: Some(Time::from_micros(to)), ..trades })),
        ("orders", Read::Orders(orders.clone())),
        ("orders by side", Read::Orders(OrderFilter { side: Some(Side::Sell), ..orders.clone() })),
        (
            "orders by status",
            Read::Orders(OrderFilter { status: Some(OrderStatus::Filled), ..orders.clone() }),
        ),
        ("orders by event", Read::Orders(OrderFilter { event: Some(event), ..orders.clone() })),
        ("orders by market", Read::Orders(OrderFilter { market: Some(market(3)), ..orders.clone() })),
        (
            "orders by outcome",
            Read::Orders(OrderFilter { outcome: Some((market(3), Outcome::Yes)), ..orders.clone() }),
        ),
        ("orders by currency", Read::Orders(OrderFilter { currency: Some(Currency::Usd), ..orders })),
        ("activities", Read::Activities(None)),
        ("activities: buys", Read::Activities(Some(ActivityFilter::Buys))),
        ("activities: sells", Read::Activities(Some(ActivityFilter::Sells))),
        ("activities: limits", Read::Activities(Some(ActivityFilter::Limits))),
    ]
}
