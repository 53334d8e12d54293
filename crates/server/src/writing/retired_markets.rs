//! Distinguishes retired markets from unknown ones in responses.
//!
//! The rules see only what is in memory and report every other outcome, market and event as not found. History has the
//! retired ones, so such a rejection is corrected afterwards: the rules' checks run on the event as it was when it
//! retired, and report that its market is not open. First responses and replays are corrected alike, so that their
//! bytes stay identical. Accepted commands cost nothing extra.
//!
//! A batch has been carried out by then: while history cannot be read, its response is sent uncorrected.

use bytes::Bytes;
use exchange::Shelf;
use exchange::command::{BurnSets, CancelAllOrders, Command, MintSets};
use exchange::id::{MarketId, OutcomeId};
use exchange::numbers::{Currency, Money};
use exchange::order::{Item, NewOrder};
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Writing;
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::respond::batch_answer::BatchAnswer;
use crate::respond::{Shape, respond};
use crate::view;

/// How a command names markets or events that may have retired.
#[derive(Clone, Debug)]
pub enum RetirableSubject {
    None,
    Order(Box<NewOrder>),
    /// The items of a batch in order; `None` for a malformed one.
    Orders(Vec<Option<NewOrder>>),
    Sets {
        market: MarketId,
        currency: Currency,
        amount: Money,
    },
    Cancels(CancelAllOrders),
}

impl RetirableSubject {
    pub fn of(command: &Command) -> RetirableSubject {
        match command {
            Command::PlaceOrder(new) => RetirableSubject::Order(Box::new(new.clone())),
            Command::PlaceOrders(batch) => {
                let order = |item: &Item<NewOrder>| match item {
                    Item::Valid(new) => Some(new.clone()),
                    Item::Malformed(_) => None,
                };
                RetirableSubject::Orders(batch.items.iter().map(order).collect())
            }
            Command::MintSets(MintSets { market, currency, amount, .. })
            | Command::BurnSets(BurnSets { market, currency, amount, .. }) => {
                RetirableSubject::Sets { market: *market, currency: *currency, amount: *amount }
            }
            Command::CancelAllOrders(cancel) => RetirableSubject::Cancels(cancel.clone()),
            _ => RetirableSubject::None,
        }
    }

    fn names(&self) -> Vec<RetiredName> {
        let of_order = |order: &NewOrder| {
            let event = order.path.map(|path| RetiredName::Event(path.event));
            [RetiredName::Outcome(order.outcome)].into_iter().chain(event)
        };
        match self {
            RetirableSubject::None => Vec::new(),
            RetirableSubject::Order(order) => of_order(order).collect(),
            RetirableSubject::Orders(orders) => orders.iter().flatten().flat_map(of_order).collect(),
            RetirableSubject::Sets { market, .. } => vec![RetiredName::Market(*market)],
            RetirableSubject::Cancels(CancelAllOrders { event, market, .. }) => {
                let event = event.map(RetiredName::Event);
                event.into_iter().chain(market.map(RetiredName::Market)).collect()
            }
        }
    }
}

impl Writing {
    /// Corrects a response from history.
    pub(super) async fn correct_retired(
        &self,
        subject: &RetirableSubject,
        shape: Shape,
        status: u16,
        body: Bytes,
    ) -> Result<(u16, Bytes), Failure> {
        let may_be_retired = match subject {
            RetirableSubject::None => false,
            RetirableSubject::Orders(_) => status == 200 && BatchAnswer::may_miss_markets(&body),
            RetirableSubject::Order(_) | RetirableSubject::Sets { .. } | RetirableSubject::Cancels(_) => {
                status == 404
            }
        };
        if !may_be_retired || self.shared.read().catalogue().retired_count() == 0 {
            return Ok((status, body));
        }
        let shelf = match (self.reading.shelf_of(subject.names()).await, subject) {
            (Ok(shelf), _) => shelf,
            (Err(_), RetirableSubject::Orders(_)) => return Ok((status, body)),
            (Err(failure), _) => return Err(failure),
        };
        let has = |outcome: OutcomeId| shelf.catalogue().find_outcome(outcome).is_some();
        match subject {
            RetirableSubject::Order(order) if has(order.outcome) => {
                Ok(written(&shelf, shape, &Err(shelf.refuse_order(order))))
            }
            RetirableSubject::Orders(orders) => {
                let refusals = orders.iter().map(|order| {
                    let order = order.as_ref().filter(|order| has(order.outcome))?;
                    Some(view::refusal::of_item(&shelf.refuse_order(order)))
                });
                let corrected = BatchAnswer::decode(&body).and_then(|mut answer| {
                    answer.correct_retired(refusals.collect())?;
                    answer.encode()
                });
                match corrected {
                    Ok(corrected) => Ok((status, corrected.into())),
                    Err(error) => {
                        tracing::error!(%error, "cannot correct the response to a batch of orders");
                        Ok((status, body))
                    }
                }
            }
            RetirableSubject::Sets { market, currency, amount }
                if shelf.catalogue().find_market(*market).is_some() =>
            {
                let reject = shelf.refuse_sets(*market, *currency, *amount);
                Ok(written(&shelf, shape, &Err(reject)))
            }
            RetirableSubject::Cancels(cancel) if self.has_ended(&shelf, cancel) => {
                Ok(written(&shelf, shape, &Ok(Reply::Orders(Vec::new()))))
            }
            _ => Ok((status, body)),
        }
    }

    /// Whether everything that a cancel names exists, in memory or on the shelf; then there is nothing left to cancel.
    fn has_ended(&self, shelf: &Shelf, cancel: &CancelAllOrders) -> bool {
        let live = self.shared.read();
        let has_event =
            |id| live.catalogue().find_event(id).or_else(|| shelf.catalogue().find_event(id)).is_some();
        let has_market =
            |id| live.catalogue().find_market(id).or_else(|| shelf.catalogue().find_market(id)).is_some();
        cancel.event.is_none_or(has_event) && cancel.market.is_none_or(has_market)
    }
}

fn written(shelf: &Shelf, shape: Shape, result: &Result<Reply, Reject>) -> (u16, Bytes) {
    let (status, body) = respond(shelf, shape, result);
    (status, body.into())
}
