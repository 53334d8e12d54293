//! Encodes changes and states as messages, once for all readers. The state is locked only while data is copied;
//! encoding happens afterwards.

use api::json::WriteJson;
use api::response::Book;
use api::stream::{DataMessage, DataType, GameUpdateData, OrderbookUpdateData, PriceUpdateData};
use exchange::catalogue::AssetPrice;
use exchange::change::{OrderCause, Party, Trade};
use exchange::id::{EventId, GameId, MarketId};
use exchange::numbers::Currency;
use exchange::order::{OrderRecord, ReportedOrder, Side};
use exchange::text::Text;
use exchange::time::Time;
use exchange::{Exchange, Shelf};

use super::frames::EncodedMessage;
use crate::pipeline::state::Shared;
use crate::view::stream as view;
use crate::view::words::ToApi;

/// A state at a sequence.
#[derive(Clone, Debug)]
pub(super) struct AtSequence<T> {
    pub(super) sequence: u64,
    pub(super) at: Time,
    pub(super) state: T,
}

fn data(
    data_type: DataType,
    data: impl WriteJson + Send + Sync + 'static,
    sequence: u64,
    at: Time,
) -> EncodedMessage {
    EncodedMessage::new(DataMessage { data_type, data, sequence, timestamp: view::millis(at) })
}

const fn trade_type(side: Side) -> DataType {
    match side {
        Side::Buy => DataType::BuyOrder,
        Side::Sell => DataType::SellOrder,
    }
}

/// One party's share of a trade, with texts of its event. `None`, as for a fill of a pool, if the market has retired in the
/// meantime.
pub(super) fn fill(
    shared: &Shared,
    sequence: u64,
    at: Time,
    trade: &Trade,
    party: &Party,
    record: &OrderRecord,
) -> Option<EncodedMessage> {
    let message = view::fill(&shared.read(), trade, party, record, at)?;
    Some(data(trade_type(party.side), message, sequence, at))
}

pub(super) fn pool_fill(
    shared: &Shared,
    sequence: u64,
    at: Time,
    record: &OrderRecord,
) -> Option<EncodedMessage> {
    let message = view::pool_fill(&shared.read(), record, at)?;
    Some(data(trade_type(record.terms.side), message, sequence, at))
}

pub(super) fn order_updated(
    sequence: u64,
    at: Time,
    order: &ReportedOrder,
    cause: OrderCause,
) -> EncodedMessage {
    data(DataType::OrderUpdated, view::order_updated(order, cause, at), sequence, at)
}

pub(super) fn asset_price(
    sequence: u64,
    at: Time,
    symbol: &str,
    value: AssetPrice,
    source_time: Time,
) -> EncodedMessage {
    data(DataType::AssetPrice, view::asset_price(symbol, value, source_time), sequence, at)
}

/// The last price of an asset that the exchange keeps.
pub(super) fn last_asset_price(shared: &Shared, symbol: &Text) -> Option<(u64, EncodedMessage)> {
    let exchange = shared.read();
    let sample = exchange.catalogue().assets().get(symbol)?.last()?;
    let (value, source_time, at, sequence) = (sample.value, sample.source_time, sample.at, exchange.seq());
    drop(exchange);
    Some((sequence, asset_price(sequence, at, symbol, value, source_time)))
}

/// The books of both outcomes.
pub(super) fn read_books(
    shared: &Shared,
    shelf: &Shelf,
    market: MarketId,
    currency: Currency,
) -> Option<AtSequence<[Book; 2]>> {
    let exchange = shared.read();
    let books = |exchange: &Exchange| {
        let index = exchange.catalogue().find_market(market)?;
        Some(view::books(exchange, index, currency))
    };
    let state = books(&exchange).or_else(|| books(shelf))?;
    Some(AtSequence { sequence: exchange.seq(), at: exchange.now(), state })
}

pub(super) fn books(seen: AtSequence<[Book; 2]>, currency: Currency) -> (u64, [EncodedMessage; 2]) {
    let frames = seen.state.map(|orderbook| {
        let message = OrderbookUpdateData { orderbook, currency: currency.to_api() };
        data(DataType::OrderbookUpdate, message, seen.sequence, seen.at)
    });
    (seen.sequence, frames)
}

pub(super) fn read_prices(
    shared: &Shared,
    shelf: &Shelf,
    event: EventId,
) -> Option<AtSequence<PriceUpdateData>> {
    let exchange = shared.read();
    let prices = |exchange: &Exchange| {
        let index = exchange.catalogue().find_event(event)?;
        Some(view::prices(exchange, index))
    };
    let state = prices(&exchange).or_else(|| prices(shelf))?;
    Some(AtSequence { sequence: exchange.seq(), at: exchange.now(), state })
}

pub(super) fn prices(seen: &AtSequence<PriceUpdateData>) -> EncodedMessage {
    data(DataType::PriceUpdate, seen.state.clone(), seen.sequence, seen.at)
}

/// The state of a game. None once it has left memory: nothing about it changes any more.
pub(super) fn read_game(shared: &Shared, game: GameId) -> Option<AtSequence<GameUpdateData>> {
    let exchange = shared.read();
    let state = view::game(exchange.catalogue().sports().games.get(&game)?);
    Some(AtSequence { sequence: exchange.seq(), at: exchange.now(), state })
}

pub(super) fn game(seen: &AtSequence<GameUpdateData>) -> EncodedMessage {
    data(DataType::GameUpdate, seen.state.clone(), seen.sequence, seen.at)
}
