//! Converts requests to commands. Ids are passed in by the caller.

use api::request::{BatchAmend, BatchCancel, BatchPlace, BurnSets, CancelAll, MintSets, PlaceOrder, Quote};
use api::{BadRequest, request};
use exchange::Command;
use exchange::command::{
    self, AmendOrders, CancelAllOrders, CancelOrder, CancelOrders, CreateApiKey, CreateUser, PlaceOrders,
};
use exchange::id::{MarketId, OperationId, OrderId};
use exchange::index::UserIndex;
use exchange::order::{Amendment, Item, Malformed, NewOrder, OrderPath};
use exchange::quote::{QuoteRequest, QuotedTerms};
use exchange::text::Text;
use uuid::Uuid;

use super::words::ToExchange;

/// The event and the market of a path.
pub fn path(event: Uuid, market: Uuid) -> OrderPath {
    OrderPath { event: event.to_exchange(), market: market.to_exchange() }
}

pub fn place_order(id: OrderId, path: OrderPath, request: &PlaceOrder) -> Command {
    Command::PlaceOrder(new_order(id, Some(path), request))
}

/// Items are routed by their outcome alone. A malformed item keeps its place.
pub fn place_orders(request: &BatchPlace, mut next_id: impl FnMut() -> OrderId) -> Command {
    let item = |item: &request::PlaceItem| match &item.order {
        Ok(order) => Item::Valid(new_order(next_id(), None, order)),
        Err(fault) => Item::Malformed(Malformed {
            client_order_id: item.client_order_id.as_deref().map(Text::from),
            ..malformed(fault)
        }),
    };
    Command::PlaceOrders(PlaceOrders { items: request.items.iter().map(item).collect() })
}

pub fn amend_orders(request: &BatchAmend) -> Command {
    let item = |item: &request::AmendItem| match &item.amendment {
        Ok(amendment) => Item::Valid(Amendment {
            order: amendment.order_id.to_exchange(),
            new_price: amendment.new_price.map(ToExchange::to_exchange),
            new_size: amendment.new_size.map(ToExchange::to_exchange),
        }),
        Err(fault) => Item::Malformed(Malformed {
            order: Some(item.order_id.as_str()).filter(|id| !id.is_empty()).map(Text::from),
            ..malformed(fault)
        }),
    };
    Command::AmendOrders(AmendOrders { items: request.items.iter().map(item).collect() })
}

pub fn cancel_order(order: Uuid) -> Command {
    Command::CancelOrder(CancelOrder { order: order.to_exchange() })
}

pub fn cancel_orders(request: &BatchCancel) -> Command {
    Command::CancelOrders(CancelOrders {
        orders: request.order_ids.iter().map(|id| id.to_exchange()).collect(),
    })
}

pub fn cancel_all_orders(request: &CancelAll) -> Command {
    Command::CancelAllOrders(CancelAllOrders {
        event: request.event_id.map(ToExchange::to_exchange),
        market: request.market_id.map(ToExchange::to_exchange),
        currency: request.currency.map(ToExchange::to_exchange),
    })
}

pub fn mint_sets(id: OperationId, market: MarketId, request: &MintSets) -> Command {
    let (currency, amount) = (request.currency.to_exchange(), request.amount.to_exchange());
    Command::MintSets(command::MintSets { id, market, currency, amount })
}

pub fn burn_sets(id: OperationId, market: MarketId, request: &BurnSets) -> Command {
    let (currency, amount) = (request.currency.to_exchange(), request.amount.to_exchange());
    Command::BurnSets(command::BurnSets { id, market, currency, amount })
}

/// Not a command: a quote changes nothing.
pub fn quote(user: Option<UserIndex>, path: OrderPath, request: &Quote) -> QuoteRequest {
    QuoteRequest {
        user,
        outcome: request.outcome_id.to_exchange(),
        side: request.side.to_exchange(),
        currency: request.currency.to_exchange(),
        sizing: request.sizing.to_exchange(),
        path: Some(path),
        terms: request.terms.map(|terms| QuotedTerms {
            kind: terms.order_type.to_exchange(),
            price: terms.price.map(ToExchange::to_exchange),
            time_in_force: terms.time_in_force.map(ToExchange::to_exchange),
            post_only: terms.post_only,
            self_trade: terms.stp_mode.to_exchange(),
            max_slippage: terms.max_slippage.map(ToExchange::to_exchange),
        }),
    }
}

/// The id of what a command creates or names, for finding out whether it was executed. For a batch, the id of its first
/// order.
pub fn id(command: &Command) -> Option<Uuid> {
    let order = match command {
        Command::PlaceOrder(new) => Some(new.id),
        Command::PlaceOrders(PlaceOrders { items }) => items.iter().find_map(|item| match item {
            Item::Valid(new) => Some(new.id),
            Item::Malformed(_) => None,
        }),
        Command::AmendOrders(AmendOrders { items }) => items.iter().find_map(|item| match item {
            Item::Valid(amendment) => Some(amendment.order),
            Item::Malformed(_) => None,
        }),
        Command::CancelOrder(CancelOrder { order }) => Some(*order),
        Command::CancelOrders(CancelOrders { orders }) => orders.first().copied(),
        Command::MintSets(command::MintSets { id, .. }) | Command::BurnSets(command::BurnSets { id, .. }) => {
            return Some(Uuid::from_u128(id.as_u128()));
        }
        Command::CreateApiKey(CreateApiKey { id, .. }) => return Some(Uuid::from_u128(id.as_u128())),
        Command::CreateUser(CreateUser { id, .. }) => return Some(Uuid::from_u128(id.as_u128())),
        Command::DoOrPropose(command::DoOrPropose { command, .. }) => return id(command),
        Command::CreateEvent(new) => return Some(Uuid::from_u128(new.id.as_u128())),
        _ => None,
    };
    order.map(|order| Uuid::from_u128(order.as_u128()))
}

fn new_order(id: OrderId, path: Option<OrderPath>, request: &PlaceOrder) -> NewOrder {
    NewOrder {
        id,
        outcome: request.outcome_id.to_exchange(),
        side: request.side.to_exchange(),
        kind: request.order_type.to_exchange(),
        currency: request.currency.to_exchange(),
        sizing: request.sizing.to_exchange(),
        price: request.price.map(ToExchange::to_exchange),
        time_in_force: request.time_in_force.map(ToExchange::to_exchange),
        post_only: request.post_only,
        self_trade: request.stp_mode.to_exchange(),
        max_slippage: request.max_slippage.map(ToExchange::to_exchange),
        expires_at: request.expires_at.map(ToExchange::to_exchange),
        client_order_id: request.client_order_id.as_deref().map(Text::from),
        path,
    }
}

fn malformed(fault: &BadRequest) -> Malformed {
    Malformed::new(Text::from(fault.message.as_str()))
}
