//! How active an event was in the last 24 hours, by which trending lists are sorted.

use exchange::Exchange;
use exchange::activity::Activity;
use exchange::index::{EventIndex, ListingIndex};
use exchange::numbers::Currency;
use exchange::time::Time;

/// The activity of an event in the last 24 hours: volume, then number of orders. Volume is measured in units of a share's
/// payout, 1 USD or 100 NGN, so that currencies compare. A query that names a currency counts only that one.
pub(super) fn liveliness(
    exchange: &Exchange,
    index: EventIndex,
    asked: Option<Currency>,
    now: Time,
) -> (i128, u64) {
    let catalogue = exchange.catalogue();
    let event = catalogue.event(index);
    // An ended event has no recent activity. A venue with series has thousands of ended events for each open one; visiting
    // their listings would dominate the response time and block the writer meanwhile.
    if event.resolved_at.is_some_and(|ended| !Activity::is_recent(ended, now)) {
        return (0, 0);
    }
    let (mut hundredths, mut orders) = (0, 0);
    for market in &event.markets {
        for currency in
            Currency::ALL.into_iter().filter(|currency| asked.is_none_or(|asked| asked == *currency))
        {
            let recent = catalogue.listing(ListingIndex::new(*market, currency)).activity.recent(now);
            hundredths += i128::from(recent.volume.units()) * i128::from(100 / currency.base());
            orders += recent.orders;
        }
    }
    (hundredths, orders)
}
