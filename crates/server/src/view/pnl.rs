//! A user's profit and loss in one currency.

use std::collections::BTreeMap;

use api::query::PnlQuery;
use api::response::{EventPnl, Pnl};
use api::terms::PnlPeriod;
use api::timestamp::Timestamp;
use exchange::id::{EventId, UserId};
use exchange::numbers::{Money, half_up, narrow};
use exchange::text::Text;

use super::words::{ToApi, ToExchange, percent};
use crate::history::{EventResult, FoundResults, ResultSpan, Sums};
use crate::view::live_and_retired::LiveAndRetired;

const HOUR: i64 = 3_600_000_000;

/// The time span of a query, both ends included.
pub fn span(user: UserId, query: &PnlQuery, now: Timestamp) -> ResultSpan {
    let (from, to) = query.start.zip(query.end).unwrap_or_else(|| (start(query.time_period, now), now));
    ResultSpan {
        user,
        currency: query.currency.to_exchange(),
        from: from.to_exchange(),
        to: to.to_exchange(),
    }
}

/// The start of a period that ends now.
pub(super) fn start(period: PnlPeriod, now: Timestamp) -> Timestamp {
    let hours_ago = |hours: i64| Timestamp::from_micros(now.micros() - hours * HOUR);
    match period {
        PnlPeriod::TwelveHours => hours_ago(12),
        PnlPeriod::TwentyFourHours => hours_ago(24),
        PnlPeriod::OneWeek => hours_ago(7 * 24),
        PnlPeriod::OneMonth => hours_ago(30 * 24),
        PnlPeriod::OneYear => hours_ago(365 * 24),
        PnlPeriod::ThisWeek => now.start_of_week(),
        PnlPeriod::ThisMonth => now.start_of_month(),
        PnlPeriod::ThisYear => now.start_of_year(),
        PnlPeriod::All => Timestamp::from_micros(0),
    }
}

/// The titles of the events of a breakdown, by id.
pub type Titles = BTreeMap<EventId, Text>;

/// The titles of those of the events that are known.
pub fn titles(known: &LiveAndRetired<'_>, events: &[EventId]) -> Titles {
    let title = |id: &EventId| {
        let (exchange, index) = known.event(*id)?;
        Some((*id, exchange.catalogue().event(index).details.title.clone()))
    };
    events.iter().filter_map(title).collect()
}

pub fn pnl(titles: &Titles, found: &FoundResults, query: &PnlQuery) -> Pnl {
    let all = found.all;
    Pnl {
        realized_pnl: realized(all).to_api(),
        realized_pnl_percent: percent(change(all)),
        settlement_pnl: money(all.settlement).to_api(),
        trade_pnl: money(all.trade).to_api(),
        wins: all.wins,
        losses: all.losses,
        currency: query.currency,
        breakdown: query
            .breakdown
            .then(|| found.events.iter().map(|result| of_event(titles, result, query)).collect()),
    }
}

fn of_event(titles: &Titles, result: &EventResult, query: &PnlQuery) -> EventPnl {
    EventPnl {
        event_id: result.event.to_api(),
        event_title: titles.get(&result.event).map_or_else(String::new, ToString::to_string),
        realized_pnl: realized(result.sums).to_api(),
        currency: query.currency,
        last_activity: result.last.to_api(),
    }
}

fn realized(sums: Sums) -> Money {
    money(sums.trade + sums.settlement)
}

/// A result never exceeds the money in existence, so it fits into `Money` even though the sums of cost may not.
fn money(units: i128) -> Money {
    Money::new(narrow(units))
}

/// In hundredths of a percent of the total cost; zero without cost.
fn change(sums: Sums) -> i64 {
    if sums.cost <= 0 { 0 } else { narrow(half_up(10_000 * (sums.trade + sums.settlement), sums.cost)) }
}
