//! The apply thread's side: notes touched prices and persons to notify, without ever blocking.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_channel::Sender;
use exchange::change::{Change, OrderCause, Settled, Trade};
use exchange::id::{MarketId, UserId};
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, Outcome, Side};
use exchange::time::Time;

use super::{Input, Listing, Waiting, Watched};
use crate::applied::{Applied, Observer};

/// The kinds of pushed notices, as the people store notes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PushedKind {
    Fill = 1,
    Result = 2,
    Alert = 3,
}

/// A person to notify.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notice {
    pub(super) user: UserId,
    pub(super) seq: u64,
    pub(super) at: Time,
    pub(super) market: MarketId,
    pub(super) currency: Currency,
    pub(super) subject: NoticeSubject,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum NoticeSubject {
    Fill { side: Side, outcome: Outcome, shares: Shares, price: Ppm },
    Result { paid: Money, is_refund: bool },
    Alert { outcome: Outcome, price: Ppm },
}

impl NoticeSubject {
    pub(super) const fn kind(&self) -> PushedKind {
        match self {
            NoticeSubject::Fill { .. } => PushedKind::Fill,
            NoticeSubject::Result { .. } => PushedKind::Result,
            NoticeSubject::Alert { .. } => PushedKind::Alert,
        }
    }
}

/// The notes of one group.
#[derive(Debug, Default)]
pub(super) struct TouchedBatch {
    /// Listings with alerts whose displayed price may have changed.
    pub(super) listings: BTreeSet<Listing>,
    pub(super) notices: Vec<Notice>,
}

#[derive(Debug)]
pub struct NoticeTap {
    waiting: Arc<Waiting>,
    input: Sender<Input>,
    batch: TouchedBatch,
}

impl NoticeTap {
    pub(super) fn new(waiting: Arc<Waiting>, input: Sender<Input>) -> NoticeTap {
        NoticeTap { waiting, input, batch: TouchedBatch::default() }
    }
}

impl TouchedBatch {
    /// Notes the listings of a change that have alerts.
    fn touch(&mut self, change: &Change, watched: &HashSet<Listing>) {
        let mut note = |listing: Listing| {
            if watched.contains(&listing) {
                self.listings.insert(listing);
            }
        };
        match change {
            Change::Order { record, .. } => note((record.market, record.currency)),
            Change::PoolMoved { market, currency, .. } | Change::PoolSeeded { market, currency, .. } => {
                note((*market, *currency));
            }
            Change::MarketStatus { market, .. } => {
                Currency::ALL.into_iter().for_each(|currency| note((*market, currency)));
            }
            _ => {}
        }
    }
}

impl Observer for NoticeTap {
    fn applied(&mut self, applied: &Applied<'_>) {
        let Watched { listings, subscribers } = &*self.waiting.watched.read();
        if !listings.is_empty() {
            applied.changes.iter().for_each(|change| self.batch.touch(change, listings));
        }
        if subscribers.is_empty() {
            return;
        }
        for change in applied.changes {
            let Some((user, market, currency, subject)) = notice(change) else { continue };
            if subscribers.contains(&user) {
                let (seq, at) = (applied.seq, applied.at);
                self.batch.notices.push(Notice { user, seq, at, market, currency, subject });
            }
        }
    }

    fn group_ended(&mut self) {
        if self.batch.listings.is_empty() && self.batch.notices.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.batch);
        if self.input.try_send(Input::Applied(batch)).is_err() {
            self.waiting.missed.store(true, Ordering::Release);
        }
    }
}

/// The person whom a change concerns, and how. History has the same notices (`history/notices.rs`).
fn notice(change: &Change) -> Option<(UserId, MarketId, Currency, NoticeSubject)> {
    match change {
        Change::Order { record, cause: OrderCause::Placed } => of_order(record),
        Change::Trade(trade) => Some(of_maker(trade)),
        Change::Settled(settled) => Some(of_result(settled)),
        _ => None,
    }
}

fn of_order(record: &OrderRecord) -> Option<(UserId, MarketId, Currency, NoticeSubject)> {
    let terms = &record.terms;
    let subject = NoticeSubject::Fill {
        side: terms.side,
        outcome: terms.outcome,
        shares: terms.filled,
        price: record.average_price(),
    };
    (terms.filled > Shares::ZERO).then_some((record.user, record.market, record.currency, subject))
}

fn of_maker(trade: &Trade) -> (UserId, MarketId, Currency, NoticeSubject) {
    let maker = &trade.maker;
    let subject = NoticeSubject::Fill {
        side: maker.side,
        outcome: maker.outcome,
        shares: trade.size,
        price: maker.price.into(),
    };
    (maker.user, trade.market, trade.currency, subject)
}

fn of_result(settled: &Settled) -> (UserId, MarketId, Currency, NoticeSubject) {
    let subject = NoticeSubject::Result { paid: settled.payout, is_refund: settled.is_refund };
    (settled.user, settled.market, settled.currency, subject)
}

#[cfg(test)]
mod tests {
    use exchange::catalogue::Status;

    use super::*;

    #[test]
    fn only_listings_with_alerts_are_noted() {
        let (watched, other) = (MarketId::new(1), MarketId::new(2));
        let listings = HashSet::from([(watched, Currency::Usd)]);
        let mut batch = TouchedBatch::default();
        for market in [other, watched] {
            batch.touch(&Change::MarketStatus { market, status: Status::Open }, &listings);
        }
        assert_eq!(batch.listings, BTreeSet::from([(watched, Currency::Usd)]));
    }
}
