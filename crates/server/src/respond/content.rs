//! The content of a response to a write: complete without the state, so that any thread can render it.
//!
//! The exchange keeps only open orders and events in memory and reports all others as not found. History has the closed
//! orders and the retired events, so `writing` replaces those errors before the content is rendered.

use api::error::{ErrorBody, ItemErrorCode};
use api::response::ItemError;
use bytes::Bytes;
use exchange::command::{BurnSets, Command, MintSets, SetWatchlist};
use exchange::id::{EventId, MarketId, OrderId};
use exchange::order::ReportedOrder;
use exchange::reject::Reject;
use exchange::reply::{ItemResult, Reply, SetsReply};
use exchange::text::Text;
use exchange::time::Time;

use super::encode_refusal;
use crate::view;

/// Reasons of orders whose outcome, market or event is not in memory.
const MISSING_MARKET: [&str; 3] = ["OUTCOME_NOT_FOUND", "MARKET_NOT_FOUND", "EVENT_NOT_FOUND"];

/// The shape of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    PlaceOrder,
    PlaceOrders,
    CancelOrder,
    CancelOrders,
    CancelAllOrders,
    CancelAfter,
    AmendOrders,
    MintSets(MarketId),
    BurnSets(MarketId),
    SetWatchlist(EventId, bool),
    /// Encoded by its own handler.
    Other,
}

impl Shape {
    pub const fn of(command: &Command) -> Shape {
        match command {
            Command::PlaceOrder(_) => Shape::PlaceOrder,
            Command::PlaceOrders(_) => Shape::PlaceOrders,
            Command::CancelOrder(_) => Shape::CancelOrder,
            Command::CancelOrders(_) => Shape::CancelOrders,
            Command::CancelAllOrders(_) => Shape::CancelAllOrders,
            Command::CancelAfter(_) => Shape::CancelAfter,
            Command::AmendOrders(_) => Shape::AmendOrders,
            Command::MintSets(MintSets { market, .. }) => Shape::MintSets(*market),
            Command::BurnSets(BurnSets { market, .. }) => Shape::BurnSets(*market),
            Command::SetWatchlist(SetWatchlist { event, watched, .. }) => {
                Shape::SetWatchlist(*event, *watched)
            }
            _ => Shape::Other,
        }
    }
}

#[allow(
    clippy::large_enum_variant,
    reason = "an order is the common content, and boxing it would cost every placement"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    PlaceOrder(ReportedOrder),
    CancelOrder(ReportedOrder),
    CancelAllOrders(Vec<ReportedOrder>),
    /// When all orders are cancelled; `None` if the switch is off.
    CancelAfter(Option<Time>),
    PlaceOrders(Vec<ItemContent>),
    AmendOrders(Vec<ItemContent>),
    CancelOrders(Vec<CancelledItem>),
    MintSets(MarketId, SetsReply),
    BurnSets(MarketId, SetsReply),
    SetWatchlist(EventId, bool),
    /// Status and encoded body.
    Refusal(u16, Bytes),
}

/// An item of a batch of new orders or amendments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemContent {
    pub order: Option<OrderId>,
    /// The order id of an unreadable amendment.
    pub order_as_sent: Option<Text>,
    pub client_order_id: Option<Text>,
    pub outcome: Result<ReportedOrder, ItemError>,
}

/// An item of a batch of cancels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelledItem {
    pub order: OrderId,
    pub outcome: Result<(), ItemError>,
}

impl Content {
    /// The content of the response to a decided command. `at` is the time of the decision.
    pub fn of(shape: Shape, result: Result<Reply, Reject>, at: Time) -> Content {
        let reply = match result {
            Ok(reply) => reply,
            Err(reject) => return Content::refusal(&view::refusal(&reject, at.micros())),
        };
        match (shape, reply) {
            (Shape::PlaceOrder, Reply::Order(order)) => Content::PlaceOrder(order),
            (Shape::CancelOrder, Reply::Order(order)) => Content::CancelOrder(order),
            (Shape::CancelAllOrders, Reply::Orders(orders)) => Content::CancelAllOrders(orders),
            (Shape::CancelAfter, Reply::CancelAt(at)) => Content::CancelAfter(at),
            (Shape::PlaceOrders, Reply::Results(results)) => {
                Content::PlaceOrders(results.into_iter().map(ItemContent::of).collect())
            }
            (Shape::AmendOrders, Reply::Results(results)) => {
                Content::AmendOrders(results.into_iter().map(ItemContent::of).collect())
            }
            (Shape::CancelOrders, Reply::Results(results)) => {
                Content::CancelOrders(results.iter().map(CancelledItem::of).collect())
            }
            (Shape::MintSets(market), Reply::Sets(sets)) => Content::MintSets(market, sets),
            (Shape::BurnSets(market), Reply::Sets(sets)) => Content::BurnSets(market, sets),
            (Shape::SetWatchlist(event, watched), Reply::Done) => Content::SetWatchlist(event, watched),
            (shape, _) => {
                tracing::error!(?shape, "the reply does not match its command");
                Content::refusal(&ErrorBody::internal())
            }
        }
    }

    pub fn refusal(body: &ErrorBody) -> Content {
        let (status, body) = encode_refusal(body);
        Content::Refusal(status, body.into())
    }

    /// Whether something was not found that history may have.
    pub fn may_be_corrected(&self) -> bool {
        let misses = |outcome: Result<&ReportedOrder, &ItemError>| {
            outcome.is_err_and(|error| misses_order(error) || misses_market(error))
        };
        match self {
            Content::PlaceOrders(items) | Content::AmendOrders(items) => {
                items.iter().any(|item| misses(item.outcome.as_ref()))
            }
            Content::CancelOrders(items) => items.iter().any(|item| item.missing_order().is_some()),
            _ => self.is_not_found(),
        }
    }

    /// Whether the whole request was refused because something was not found.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Content::Refusal(404, _))
    }

    /// The orders of a batch that were not found.
    pub fn missing_orders(&self) -> Vec<OrderId> {
        match self {
            Content::AmendOrders(items) => items.iter().filter_map(ItemContent::missing_order).collect(),
            Content::CancelOrders(items) => items.iter().filter_map(CancelledItem::missing_order).collect(),
            _ => Vec::new(),
        }
    }

    /// Replaces the errors of missing orders. `error` returns `None` for an order that does not exist.
    pub fn correct_orders(&mut self, error: impl Fn(OrderId) -> Option<ItemError>) {
        match self {
            Content::AmendOrders(items) => {
                for item in items {
                    if let Some(error) = item.missing_order().and_then(&error) {
                        item.outcome = Err(error);
                    }
                }
            }
            Content::CancelOrders(items) => {
                for item in items {
                    if let Some(error) = item.missing_order().and_then(&error) {
                        item.outcome = Err(error);
                    }
                }
            }
            _ => {}
        }
    }

    /// The new orders of a batch whose outcome, market or event was not found: their errors, to be replaced, by place.
    pub fn missing_markets(&mut self) -> impl Iterator<Item = (usize, &mut ItemError)> {
        let items = match self {
            Content::PlaceOrders(items) => items.as_mut_slice(),
            _ => &mut [],
        };
        let errors = items.iter_mut().map(|item| item.outcome.as_mut().err()).enumerate();
        errors.filter_map(|(place, error)| Some((place, error.filter(|error| misses_market(error))?)))
    }
}

impl ItemContent {
    fn of(result: ItemResult) -> ItemContent {
        let ItemResult { order, order_as_sent, client_order_id, outcome } = result;
        match outcome {
            Ok(order) => ItemContent::success(order),
            Err(reject) => {
                let outcome = Err(view::refusal::of_item(&reject));
                ItemContent { order, order_as_sent, client_order_id, outcome }
            }
        }
    }

    pub(super) fn success(order: ReportedOrder) -> ItemContent {
        ItemContent {
            order: Some(order.terms.id),
            order_as_sent: None,
            client_order_id: order.terms.client_order_id.clone(),
            outcome: Ok(order),
        }
    }

    fn missing_order(&self) -> Option<OrderId> {
        self.order.filter(|_| self.outcome.as_ref().is_err_and(misses_order))
    }
}

impl CancelledItem {
    fn of(result: &ItemResult) -> CancelledItem {
        CancelledItem {
            order: result.order.unwrap_or(OrderId::new(0)),
            outcome: result.outcome.as_ref().map(drop).map_err(view::refusal::of_item),
        }
    }

    fn missing_order(&self) -> Option<OrderId> {
        self.outcome.as_ref().is_err_and(misses_order).then_some(self.order)
    }
}

fn misses_order(error: &ItemError) -> bool {
    error.code == ItemErrorCode::OrderNotFound
}

fn misses_market(error: &ItemError) -> bool {
    error.reason.as_ref().is_some_and(|reason| MISSING_MARKET.contains(&&**reason))
}
