//! The data of stream messages: fills, prices, books, orders and asset prices.

use api::response::Book;
use api::stream::{
    AssetPriceData, GameUpdateData, ListingPrices, OrderUpdatedData, OutcomePrices, PriceUpdateData,
    PriceUpdateMarket, StreamEventType, StreamOrderCause, StreamOrderStatus, TradeEvent, TradeMarket,
    TradeOrder, TradeOrderData, TradeUser, UserOrder,
};
use exchange::Exchange;
use exchange::catalogue::{AssetPrice, Engine, Event, EventKind, Game, GameStatus, Market};
use exchange::change::{OrderCause, Party, Trade};
use exchange::id::{MarketId, UserId};
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::{Cents, Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, OrderStatus, Outcome, ReportedOrder};
use exchange::time::Time;

use super::event::shown_currency;
use super::market::{announced_terms, buy_price, price};
use super::order::{find_event_and_market, label};
use super::sport::{shown_clock, shown_score};
use super::words::ToApi;

/// Levels per side: all possible prices, since these are whole cents.
const DEPTH: usize = 99;

/// One party's side of a book trade. `record` is the party's order. Returns none, as do the functions below, if the
/// market has been retired since.
pub fn fill(
    exchange: &Exchange,
    trade: &Trade,
    party: &Party,
    record: &OrderRecord,
    at: Time,
) -> Option<TradeOrderData> {
    let cents = Cents::from(party.price);
    let filled = Filled {
        amount: trade.size.value_at(cents, trade.currency),
        quantity: trade.size,
        price: Ppm::new(cents.cents() * 10_000),
        at,
    };
    trade_order(exchange, record, &filled)
}

/// An order filled by a pool, which has no counterparty.
pub fn pool_fill(exchange: &Exchange, record: &OrderRecord, at: Time) -> Option<TradeOrderData> {
    let filled = Filled {
        amount: record.terms.value,
        quantity: record.terms.filled,
        price: record.average_price(),
        at,
    };
    trade_order(exchange, record, &filled)
}

struct Filled {
    amount: Money,
    quantity: Shares,
    price: Ppm,
    at: Time,
}

fn trade_order(exchange: &Exchange, record: &OrderRecord, filled: &Filled) -> Option<TradeOrderData> {
    let (event, market) = find_event_and_market(exchange, record.market)?;
    let terms = &record.terms;
    Some(TradeOrderData {
        user: user(exchange, record.user),
        order: TradeOrder {
            id: terms.id.to_api(),
            amount: filled.amount.to_api(),
            quantity: filled.quantity.to_api(),
            price: filled.price.to_api(),
            status: "FILLED",
            side: terms.side.to_api(),
            outcome: terms.outcome.to_api(),
            outcome_label: label(market, terms.outcome).to_owned(),
            currency: record.currency.to_api(),
            created_at: terms.created_at.to_api(),
            updated_at: filled.at.to_api(),
            engine: event.engine.to_api(),
            order_type: terms.kind.to_api(),
        },
        event: TradeEvent {
            id: event.id.to_api(),
            slug: event.slug.to_string(),
            title: event.details.title.to_string(),
            event_type: event_type(event),
            created_at: event.created_at.to_api(),
            image_url: given(&event.details.image_url),
        },
        market: TradeMarket {
            id: market.id.to_api(),
            title: market.details.title.to_string(),
            image_url: given(&market.details.image_url),
        },
    })
}

fn user(exchange: &Exchange, id: UserId) -> TradeUser {
    let directory = exchange.directory();
    let tag = directory.find(id).and_then(|index| given(&directory.user(index).tag));
    // User images are not supported yet.
    TradeUser { id: id.to_api(), tag, image_url: None }
}

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

const fn event_type(event: &Event) -> StreamEventType {
    match event.kind {
        EventKind::Single => StreamEventType::Single,
        EventKind::Combined => StreamEventType::Combined,
        EventKind::Grouped => StreamEventType::Grouped,
    }
}

/// All markets of an event, priced in USD, or in the event's currency if it does not trade in USD.
pub fn prices(exchange: &Exchange, index: EventIndex) -> PriceUpdateData {
    let event = exchange.catalogue().event(index);
    let currency = shown_currency(event, Currency::Usd);
    PriceUpdateData {
        id: event.id.to_api(),
        slug: event.slug.to_string(),
        title: event.details.title.to_string(),
        status: event.status.to_api(),
        event_type: event_type(event),
        markets: event.markets.iter().map(|market| priced(exchange, *market, event, currency)).collect(),
    }
}

fn priced(exchange: &Exchange, index: MarketIndex, event: &Event, currency: Currency) -> PriceUpdateMarket {
    let catalogue = exchange.catalogue();
    let market: &Market = catalogue.market(index);
    let listing = |currency: Currency| catalogue.listing(ListingIndex::new(index, currency));
    let listed = |currency: Currency| ListingPrices {
        currency: currency.to_api(),
        prices: of_outcomes(|outcome| price(market, listing(currency), outcome)),
        buy_prices: of_outcomes(|outcome| buy_price(market, listing(currency), outcome)),
        announced_terms: announced_terms(market, currency),
    };
    PriceUpdateMarket {
        id: market.id.to_api(),
        question: market.details.title.to_string(),
        outcomes: Outcome::BOTH.map(|outcome| label(market, outcome).to_owned()),
        engine: event.engine.to_api(),
        prices: of_outcomes(|outcome| price(market, listing(currency), outcome)),
        listings: event.currencies.iter().map(|currency| listed(*currency)).collect(),
        status: market.status.to_api(),
        resolved_outcome: market.resolved_outcome().map(Outcome::to_api),
    }
}

fn of_outcomes(price: impl Fn(Outcome) -> Ppm) -> OutcomePrices {
    OutcomePrices { yes: price(Outcome::Yes).to_api(), no: price(Outcome::No).to_api() }
}

/// The books of both outcomes, YES first.
pub fn books(exchange: &Exchange, market: MarketIndex, currency: Currency) -> [Book; 2] {
    let now = exchange.now();
    Outcome::BOTH.map(|outcome| super::book::book(exchange, market, outcome, currency, DEPTH, now))
}

/// The state of an order, for its owner.
pub fn order_updated(order: &ReportedOrder, cause: OrderCause, at: Time) -> OrderUpdatedData {
    let ReportedOrder { record, instrument } = order;
    let terms = &record.terms;
    let limit = terms.price.map_or(Ppm::ZERO, |limit| Ppm::new(Cents::from(limit).cents() * 10_000));
    let price = if instrument.engine == Engine::Amm { record.average_price() } else { limit };
    OrderUpdatedData {
        order_id: terms.id.to_api(),
        event_id: instrument.event.to_api(),
        market_id: instrument.market.to_api(),
        order: UserOrder {
            id: terms.id.to_api(),
            user_id: record.user.to_api(),
            market_id: instrument.market.to_api(),
            outcome_id: instrument.outcome(terms.outcome).to_api(),
            outcome_label: instrument.label(terms.outcome).to_string(),
            side: terms.side.to_api(),
            price: price.to_api(),
            quantity: terms.size.to_api(),
            filled_quantity: terms.filled.to_api(),
            remaining_quantity: record.remaining().to_api(),
            avg_fill_price: record.average_price().to_api(),
            status: status(record.status),
            time_in_force: terms.time_in_force.to_api(),
            created_at: seconds(terms.created_at),
            updated_at: seconds(terms.updated_at),
            order_type: terms.kind.to_api(),
            currency: record.currency.to_api(),
            fee: terms.fee.to_api(),
            client_order_id: terms.client_order_id.as_ref().map(ToString::to_string),
        },
        timestamp: seconds(at),
        cause: reason(cause),
    }
}

const fn status(status: OrderStatus) -> StreamOrderStatus {
    match status {
        OrderStatus::Open => StreamOrderStatus::Open,
        OrderStatus::PartialFilled => StreamOrderStatus::PartialFilled,
        OrderStatus::Filled => StreamOrderStatus::Filled,
        OrderStatus::Cancelled => StreamOrderStatus::Cancelled,
        OrderStatus::Rejected => StreamOrderStatus::Rejected,
        OrderStatus::Expired => StreamOrderStatus::Expired,
    }
}

pub const fn reason(cause: OrderCause) -> StreamOrderCause {
    match cause {
        OrderCause::Placed => StreamOrderCause::Placed,
        OrderCause::Filled => StreamOrderCause::Filled,
        OrderCause::Amended => StreamOrderCause::Amended,
        // The contract has no cause for operators.
        OrderCause::Cancelled | OrderCause::Operator => StreamOrderCause::Cancelled,
        OrderCause::SelfTrade => StreamOrderCause::SelfTrade,
        OrderCause::MarketClosed => StreamOrderCause::MarketClosed,
        OrderCause::Expired => StreamOrderCause::Expired,
        OrderCause::Switch => StreamOrderCause::Switch,
        OrderCause::Disconnected => StreamOrderCause::Disconnected,
    }
}

pub fn asset_price(symbol: &str, value: AssetPrice, source_time: Time) -> AssetPriceData {
    AssetPriceData { symbol: symbol.to_owned(), price: value.to_api(), timestamp: millis(source_time) }
}

pub fn game(game: &Game) -> GameUpdateData {
    GameUpdateData {
        id: game.id.to_api(),
        slug: game.slug.to_string(),
        status: game.status.to_api(),
        is_live: game.status == GameStatus::Live,
        score: shown_score(game),
        clock: shown_clock(game),
    }
}

/// The event of a market; none once it has been retired.
pub fn event_of(exchange: &Exchange, market: MarketId) -> Option<&Event> {
    find_event_and_market(exchange, market).map(|(event, _)| event)
}

const fn seconds(time: Time) -> i64 {
    time.micros().div_euclid(1_000_000)
}

/// Whole milliseconds since 1970.
pub const fn millis(time: Time) -> i64 {
    time.micros().div_euclid(1_000)
}
