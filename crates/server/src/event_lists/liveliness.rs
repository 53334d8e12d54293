//! How active an event was, by which lists are sorted: in the last 24 hours, or since it opened. Volume is measured in
//! hundredths of a share's payout, 1 USD or 100 NGN, so that currencies compare. A query that names a currency counts only
//! that one.

use exchange::Exchange;
use exchange::activity::Activity;
use exchange::catalogue::{Event, Listing};
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::{Currency, Money};
use exchange::time::Time;

/// The activity of an event in the last 24 hours: volume, then number of orders.
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
    let (mut total, mut orders) = (0, 0);
    for (listing, currency) in listings(exchange, event, asked) {
        let recent = listing.activity.recent(now);
        total += hundredths(recent.volume, currency);
        orders += recent.orders;
    }
    (total, orders)
}

/// The volume of an event since it opened.
pub(super) fn volume(exchange: &Exchange, index: EventIndex, asked: Option<Currency>) -> i128 {
    let listings = listings(exchange, exchange.catalogue().event(index), asked);
    listings.map(|(listing, currency)| hundredths(listing.volume, currency)).sum()
}

fn listings<'a>(
    exchange: &'a Exchange,
    event: &'a Event,
    asked: Option<Currency>,
) -> impl Iterator<Item = (&'a Listing, Currency)> {
    let of_market = move |market: &MarketIndex| {
        let market = *market;
        let currencies =
            Currency::ALL.into_iter().filter(move |currency| asked.is_none_or(|asked| asked == *currency));
        currencies.map(move |currency| {
            (exchange.catalogue().listing(ListingIndex::new(market, currency)), currency)
        })
    };
    event.markets.iter().flat_map(of_market)
}

fn hundredths(volume: Money, currency: Currency) -> i128 {
    i128::from(volume.units()) * i128::from(100 / currency.base())
}
