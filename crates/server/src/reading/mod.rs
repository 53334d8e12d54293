//! Reads that combine memory and history, in an order that lets every client see its own writes.
//!
//! The sequence is read from memory first. History is then awaited until it reaches that sequence. Orders that history
//! reports as open are looked up in memory, and once more in history if they have closed in between. `retired` finds
//! events and markets, `account` reads all positions of a user, `events` lists events, and `sequence` notes the
//! sequence that a response was made from.

mod account;
mod events;
mod retired;
mod sequence;

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::OrdersQuery;
use api::response::{Order, Orders};
use exchange::Exchange;
use exchange::catalogue::Sports;
use exchange::id::{MarketId, OrderId, UserId};
use exchange::index::UserIndex;
use exchange::order::OrderRecord;

use crate::failure::Failure;
use crate::history::{
    History, HistoryError, NoticeSubject, RetiredName, StoredActivity, StoredNotice, StoredOrder,
};
use crate::measured_lock::ReadGuard;
use crate::pipeline::proofs::Proofs;
use crate::pipeline::state::Shared;
use crate::view;
use crate::view::live_and_retired::LiveAndRetired;
use crate::view::orders::OrdersSource;
use crate::view::words::ToExchange;

pub(crate) use sequence::{note_own_write, note_sequence, run_noting_sequence, with_noted_sequence};

/// Reads of a node: the live state, history and the published proofs.
#[derive(Debug)]
pub struct Reading {
    shared: Arc<Shared>,
    history: History,
    proofs: Arc<Proofs>,
}

/// The response when history cannot be read. Overload and lag are expected and not logged.
pub(crate) fn history_failure(error: HistoryError) -> Failure {
    if !matches!(error, HistoryError::Busy | HistoryError::Behind { .. }) {
        tracing::error!(%error, "cannot read history");
    }
    ErrorBody::unavailable("History cannot be read right now", error.retry_after()).into()
}

/// The markets of closed orders; that of an open order is in memory.
fn markets_of_closed(stored: &[StoredOrder]) -> Vec<RetiredName> {
    let market = |order: &StoredOrder| match order {
        StoredOrder::Closed(record) => Some(RetiredName::Market(record.market)),
        StoredOrder::Open(_) => None,
    };
    stored.iter().filter_map(market).collect()
}

impl Reading {
    pub(crate) fn new(shared: Arc<Shared>, history: History, proofs: Arc<Proofs>) -> Reading {
        // A history that is complete at the start has caught up, whatever the first minute of traffic does to it.
        history.has_caught_up(shared.read().seq());
        Reading { shared, history, proofs }
    }

    /// The live state, with its indexes and versions.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Locks the state for reading, without noting its sequence. Keep it short, and never across an await.
    pub fn state(&self) -> ReadGuard<'_, Exchange> {
        self.shared.read()
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn proofs(&self) -> &Proofs {
        &self.proofs
    }

    /// Locks the state for reading and notes its sequence for the response's `x-sequence` header. Keep it short, and
    /// never across an await.
    pub(crate) fn read_state(&self) -> ReadGuard<'_, Exchange> {
        let exchange = self.state();
        note_sequence(exchange.seq());
        exchange
    }

    /// All leagues, teams and games, shared with the state.
    pub(crate) fn sports(&self) -> Arc<Sports> {
        self.read_state().catalogue().sports().clone()
    }

    /// History, once it has everything that memory has now.
    pub(crate) async fn history_now(&self) -> Result<&History, Failure> {
        let seq = self.read_state().seq();
        self.history.wait_for(seq).await.map_err(history_failure)?;
        Ok(&self.history)
    }

    /// Returns 404 for a market that is neither in memory nor in history, or whose event is a draft.
    pub(crate) async fn require_public_market(&self, market: MarketId) -> Result<(), Failure> {
        let known = self.with_retired(vec![RetiredName::Market(market)]).await?;
        let is_public = known.first(|exchange| view::event::is_public_market(exchange, market).then_some(()));
        is_public.map(drop).ok_or_else(|| ErrorBody::not_found("Market not found").into())
    }

    /// An order of a user, open or closed.
    pub(crate) async fn find_order(&self, user: UserIndex, id: OrderId) -> Result<Order<'static>, Failure> {
        let (open, user) = {
            let exchange = self.read_state();
            (view::order::find_open(&exchange, user, id), exchange.directory().user(user).id)
        };
        if let Some(open) = open {
            return Ok(Order::Clob(open));
        }
        let closed =
            self.history_now().await?.closed_orders(user, vec![id]).await.map_err(history_failure)?;
        match closed.first() {
            Some(record) => {
                let known = self.with_retired(vec![RetiredName::Market(record.market)]).await?;
                let instrument = view::order::instrument(known.exchange_of(record.market), record);
                Ok(view::order::owned_record(instrument, record))
            }
            None => Err(ErrorBody::not_found("Order not found").into()),
        }
    }

    /// A page of a user's orders.
    pub(crate) async fn find_orders(
        &self,
        user: UserIndex,
        query: &OrdersQuery,
    ) -> Result<Orders<'static>, Failure> {
        let event = query.event_id.map(|id| RetiredName::Event(id.to_exchange()));
        let outcome = query.outcome_id.map(|id| RetiredName::Outcome(id.to_exchange()));
        let (sought, seq) = {
            let known = self.with_retired(event.into_iter().chain(outcome).collect()).await?;
            (view::orders::seek(&known, user, query)?, known.live.seq())
        };
        let page = match sought {
            OrdersSource::Memory(page) => page,
            OrdersSource::History(question) => {
                let user = question.user;
                self.history.wait_for(seq).await.map_err(history_failure)?;
                let mut page = self.history.orders(question).await.map_err(history_failure)?;
                let stored = std::mem::take(&mut page.rows);
                let (records, known) = self.records(user, stored, markets_of_closed).await?;
                view::orders::reported(&known, page.with(records))
            }
        };
        Ok(view::orders(&page, query))
    }

    /// The records of stored orders of a user, open ones in their current state, and a view of memory that has the markets
    /// that `named` finds among them.
    async fn records(
        &self,
        user: UserId,
        mut stored: Vec<StoredOrder>,
        named: fn(&[StoredOrder]) -> Vec<RetiredName>,
    ) -> Result<(Vec<OrderRecord>, LiveAndRetired<'_>), Failure> {
        loop {
            let seq = {
                let known = self.with_retired(named(&stored)).await?;
                match view::orders::records(&known.live, user, &stored) {
                    Some(records) => return Ok((records, known)),
                    None => known.live.seq(),
                }
            };
            // An order has closed since history was read. History has it once it has everything that memory had.
            self.history.wait_for(seq).await.map_err(history_failure)?;
            let serials = stored.iter().map(StoredOrder::serial).collect();
            let again = self.history.orders_by_serial(serials).await.map_err(history_failure)?;
            let open = |orders: &[StoredOrder]| orders.iter().filter(|order| order.is_open()).count();
            if open(&again) >= open(&stored) {
                return Err(history_failure(HistoryError::Missing("a listed order")));
            }
            stored = again;
        }
    }

    /// Fills in the current record of every order among `notices`.
    pub(crate) async fn with_orders(
        &self,
        user: UserId,
        notices: Vec<StoredNotice>,
    ) -> Result<Vec<StoredNotice<OrderRecord>>, Failure> {
        let named = |notice: &StoredNotice| match &notice.subject {
            NoticeSubject::Filled(order) => Some(order.clone()),
            NoticeSubject::Made(_) | NoticeSubject::Settled(_) => None,
        };
        let orders: Vec<StoredOrder> = notices.iter().filter_map(named).collect();
        let mut records = self.records(user, orders, |_| Vec::new()).await?.0.into_iter();
        let filled = notices.into_iter().map(|StoredNotice { number, seq, at, subject }| {
            let subject = match subject {
                NoticeSubject::Filled(_) => NoticeSubject::Filled(records.next()?),
                NoticeSubject::Made(fills) => NoticeSubject::Made(fills),
                NoticeSubject::Settled(settlement) => NoticeSubject::Settled(settlement),
            };
            Some(StoredNotice { number, seq, at, subject })
        });
        let filled: Option<Vec<_>> = filled.collect();
        filled.ok_or_else(|| history_failure(HistoryError::Missing("an order of a notice")))
    }

    /// Fills in the current record of every order among `activities`.
    pub(crate) async fn with_records(
        &self,
        user: UserId,
        activities: Vec<StoredActivity>,
    ) -> Result<Vec<StoredActivity<OrderRecord>>, Failure> {
        let named = |entry: &StoredActivity| match entry {
            StoredActivity::Created(order)
            | StoredActivity::Cancelled(order)
            | StoredActivity::Expired(order) => Some(order.clone()),
            StoredActivity::Took(_)
            | StoredActivity::Made(_)
            | StoredActivity::Sets(_)
            | StoredActivity::PaidOut { .. } => None,
        };
        let orders: Vec<StoredOrder> = activities.iter().filter_map(named).collect();
        let mut records = self.records(user, orders, |_| Vec::new()).await?.0.into_iter();
        let filled = activities.into_iter().map(|entry| {
            Some(match entry {
                StoredActivity::Created(_) => StoredActivity::Created(records.next()?),
                StoredActivity::Cancelled(_) => StoredActivity::Cancelled(records.next()?),
                StoredActivity::Expired(_) => StoredActivity::Expired(records.next()?),
                StoredActivity::Took(trade) => StoredActivity::Took(trade),
                StoredActivity::Made(trade) => StoredActivity::Made(trade),
                StoredActivity::Sets(sets) => StoredActivity::Sets(sets),
                StoredActivity::PaidOut { settlement, outcome } => {
                    StoredActivity::PaidOut { settlement, outcome }
                }
            })
        });
        let filled: Option<Vec<_>> = filled.collect();
        filled.ok_or_else(|| history_failure(HistoryError::Missing("an order of an activity")))
    }
}
