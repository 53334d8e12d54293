//! Notifications of a user: notices of history and fired price alerts, newest first; alerts and push subscriptions.

use api::response;
use api::terms::{AlertDirection, NotificationType};
use exchange::Exchange;
use exchange::change::Settled;
use exchange::id::{MarketId, UserId};
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, Money, Ppm};
use exchange::order::{OrderRecord, Outcome};
use exchange::time::Time;
use uuid::Uuid;

use super::market::price;
use super::order::event_and_market_of;
use super::statement::held_outcome;
use super::wallet::derived_id;
use super::words::ToApi;
use crate::history::{NoticeSubject, StoredFills, StoredNotice};
use crate::view::live_and_retired::LiveAndRetired;

/// The displayed prices of a market.
#[derive(Clone, Copy, Debug)]
pub struct ShownPrices {
    /// Of YES and NO.
    pub prices: [Ppm; 2],
    /// The market is settled, so the prices are final.
    pub is_final: bool,
}

/// The displayed prices of a market; `None` if it is not in memory.
pub fn shown_prices(exchange: &Exchange, market: MarketId, currency: Currency) -> Option<ShownPrices> {
    let catalogue = exchange.catalogue();
    let index = catalogue.find_market(market)?;
    let (market, listing) = (catalogue.market(index), catalogue.listing(ListingIndex::new(index, currency)));
    let prices = Outcome::BOTH.map(|outcome| price(market, listing, outcome));
    Some(ShownPrices { prices, is_final: market.settlement.is_some() })
}

/// A fired alert, as a notification shows it.
#[derive(Clone, Copy, Debug)]
pub struct ShownAlert {
    pub id: u128,
    pub market: MarketId,
    pub outcome: Outcome,
    pub currency: Currency,
    pub seq: u64,
    pub at: Time,
    pub price: Ppm,
}

/// The market of a notice.
pub fn market_of(notice: &StoredNotice<OrderRecord>) -> MarketId {
    match &notice.subject {
        NoticeSubject::Filled(order) => order.market,
        NoticeSubject::Made(fills) => fills.newest.trade.market,
        NoticeSubject::Settled(settlement) => settlement.settled.market,
    }
}

/// The latest notifications. `read` is the sequence up to which they are read, `unread` the number of unread notices.
pub fn notifications(
    known: &LiveAndRetired<'_>,
    user: UserId,
    (notices, unread): (&[StoredNotice<OrderRecord>], u64),
    alerts: &[ShownAlert],
    (read, size): (u64, usize),
) -> response::Notifications {
    let of_notices = notices.iter().map(|notice| of_notice(known, user, notice, read));
    let of_alerts = alerts.iter().map(|alert| of_alert(known, alert, read));
    let mut shown: Vec<_> = of_notices.chain(of_alerts).collect();
    // Stable: notices of one request stay in their order.
    shown.sort_by_key(|notification| std::cmp::Reverse(notification.sequence));
    shown.truncate(size);
    let unread_alerts = alerts.iter().filter(|alert| alert.seq > read).count() as u64;
    response::Notifications { notifications: shown, unread: unread + unread_alerts, read_until: read }
}

/// A notification without its particulars.
fn bare(
    known: &LiveAndRetired<'_>,
    id: Uuid,
    (market, currency): (MarketId, Currency),
    (seq, at, read): (u64, Time, u64),
) -> response::Notification {
    let (event, market) = event_and_market_of(known.exchange_of(market), market);
    response::Notification {
        id,
        notification_type: NotificationType::Fill,
        sequence: seq,
        is_read: seq <= read,
        event_id: event.id.to_api(),
        market_id: market.id.to_api(),
        event_title: event.details.title.to_string(),
        market_title: market.details.title.to_string(),
        currency: currency.to_api(),
        outcome: None,
        resolved_outcome: None,
        side: None,
        size: None,
        price: None,
        amount: None,
        fills: None,
        order_id: None,
        created_at: at.to_api(),
    }
}

fn of_notice(
    known: &LiveAndRetired<'_>,
    user: UserId,
    notice: &StoredNotice<OrderRecord>,
    read: u64,
) -> response::Notification {
    let id = derived_id("notification", user.as_u128(), &notice.number.to_string());
    let when = (notice.seq, notice.at, read);
    match &notice.subject {
        NoticeSubject::Filled(order) => {
            of_order(bare(known, id, (order.market, order.currency), when), order)
        }
        NoticeSubject::Made(fills) => {
            let trade = &fills.newest.trade;
            of_fills(bare(known, id, (trade.market, trade.currency), when), fills)
        }
        NoticeSubject::Settled(settlement) => {
            let settled = &settlement.settled;
            let (_, market) = event_and_market_of(known.exchange_of(settled.market), settled.market);
            let resolved = market.resolved_outcome();
            of_settled(bare(known, id, (settled.market, settled.currency), when), settled, resolved)
        }
    }
}

/// An order may have filled further since; the notification shows its current state.
fn of_order(bare: response::Notification, order: &OrderRecord) -> response::Notification {
    response::Notification {
        outcome: Some(order.terms.outcome.to_api()),
        side: Some(order.terms.side.to_api()),
        size: Some(order.terms.filled.to_api()),
        price: Some(order.average_price().to_api()),
        amount: Some(order.terms.value.to_api()),
        order_id: Some(order.terms.id.to_api()),
        ..bare
    }
}

fn of_fills(bare: response::Notification, stored: &StoredFills) -> response::Notification {
    let (maker, sums) = (&stored.newest.trade.maker, &stored.sums);
    response::Notification {
        outcome: Some(maker.outcome.to_api()),
        side: Some(maker.side.to_api()),
        size: Some(sums.shares.to_api()),
        price: Some(Ppm::average(sums.value, sums.shares, stored.newest.trade.currency).to_api()),
        amount: Some(sums.value.to_api()),
        fills: Some(sums.fills),
        order_id: sums.is_of_one_order.then(|| maker.order.to_api()),
        ..bare
    }
}

fn of_settled(
    bare: response::Notification,
    settled: &Settled,
    resolved: Option<Outcome>,
) -> response::Notification {
    let outcome = held_outcome(settled);
    response::Notification {
        notification_type: match (settled.is_refund, settled.payout > Money::ZERO) {
            (true, _) => NotificationType::Refund,
            (false, true) => NotificationType::Payout,
            (false, false) => NotificationType::Resolution,
        },
        outcome: outcome.map(ToApi::to_api),
        resolved_outcome: resolved.map(ToApi::to_api),
        size: outcome.map(|outcome| settled.shares(outcome).to_api()),
        amount: Some(settled.payout.to_api()),
        ..bare
    }
}

fn of_alert(known: &LiveAndRetired<'_>, alert: &ShownAlert, read: u64) -> response::Notification {
    let id = Uuid::from_u128(alert.id);
    response::Notification {
        notification_type: NotificationType::PriceAlert,
        outcome: Some(alert.outcome.to_api()),
        price: Some(alert.price.to_api()),
        ..bare(known, id, (alert.market, alert.currency), (alert.seq, alert.at, read))
    }
}

/// The direction of an alert.
pub const fn direction(rises: bool) -> AlertDirection {
    if rises { AlertDirection::Rises } else { AlertDirection::Falls }
}
