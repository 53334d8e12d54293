//! Trades on books and with pools, as stored in history.

use api::query::{PageQuery, TradesQuery};
use api::response::{Pagination, Trade, Trades};
use api::terms::{MatchType, TradesEngine};
use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::id::{OutcomeId, TradeId};
use exchange::numbers::Ppm;
use exchange::order::OrderRecord;
use exchange::time::Time;
use uuid::Uuid;

use super::pages::cursor;
use super::words::{ToApi, ToExchange};
use crate::history::{Execution, Page, StoredTrade, TradeFilter};
use crate::view::live_and_retired::LiveAndRetired;

/// The filter of a query; none if it names an unknown outcome.
pub fn filter(known: &LiveAndRetired<'_>, query: &TradesQuery) -> Option<TradeFilter> {
    let outcome = match query.outcome_id {
        None => None,
        Some(id) => {
            let (exchange, (market, outcome)) = known.outcome(id.to_exchange())?;
            Some((exchange.catalogue().market(market).id, outcome))
        }
    };
    Some(TradeFilter {
        engine: match query.engine {
            TradesEngine::Clob => Some(Engine::Clob),
            TradesEngine::Amm => Some(Engine::Amm),
            TradesEngine::All => None,
        },
        id: query.id.map(ToExchange::to_exchange),
        market: query.market_id.map(ToExchange::to_exchange),
        order: query.order_id.map(ToExchange::to_exchange),
        outcome,
        user: query.user_id.map(ToExchange::to_exchange),
        from: query.from_date.map(ToExchange::to_exchange),
        to: query.to_date.map(ToExchange::to_exchange),
    })
}

pub fn trades(page: Page<StoredTrade<Execution>>, pages: PageQuery) -> Trades {
    let shown = |stored: &StoredTrade<Execution>| match &stored.trade {
        Execution::Book(fill) => trade(fill, stored.at),
        Execution::Pool(order) => pool_trade(order, stored.trade.id(), stored.at),
    };
    Trades {
        data: page.rows.iter().map(shown).collect(),
        pagination: Pagination::new(pages, page.total),
        next_cursor: cursor(page.next),
    }
}

/// A match on a book. Outcome and price are the taker's.
pub fn trade(trade: &exchange::change::Trade, at: Time) -> Trade {
    let (taker, maker) = (&trade.taker, &trade.maker);
    Trade {
        id: trade.id().to_api(),
        market_id: trade.market.to_api(),
        outcome: taker.outcome.to_api(),
        price: Ppm::from(taker.price).to_api(),
        size: trade.size.to_api(),
        created_at: at.to_api(),
        taker_user_id: taker.user.to_api(),
        maker_user_id: maker.user.to_api(),
        taker_order_id: taker.order.to_api(),
        maker_order_id: maker.order.to_api(),
        taker_fee: trade.taker_fee.to_api(),
        taker_outcome_id: OutcomeId::of(trade.market, taker.outcome as u64).to_api(),
        maker_outcome_id: OutcomeId::of(trade.market, maker.outcome as u64).to_api(),
        match_type: trade.match_type.to_api(),
        taker_side: taker.side.to_api(),
        taker_price: Ppm::from(taker.price).to_api(),
        maker_price: Ppm::from(maker.price).to_api(),
        currency: trade.currency.to_api(),
        engine: Engine::Clob.to_api(),
    }
}

/// An order filled by a pool: the house is the maker, at the average price before the fee.
pub fn pool_trade(order: &OrderRecord, id: TradeId, at: Time) -> Trade {
    let terms = &order.terms;
    let price = order.average_price().to_api();
    let outcome = OutcomeId::of(order.market, terms.outcome as u64).to_api();
    Trade {
        id: id.to_api(),
        market_id: order.market.to_api(),
        outcome: terms.outcome.to_api(),
        price,
        size: terms.filled.to_api(),
        created_at: at.to_api(),
        taker_user_id: order.user.to_api(),
        maker_user_id: Exchange::HOUSE.to_api(),
        taker_order_id: terms.id.to_api(),
        maker_order_id: Uuid::nil(),
        taker_fee: terms.fee.to_api(),
        taker_outcome_id: outcome,
        maker_outcome_id: outcome,
        match_type: MatchType::Pool,
        taker_side: terms.side.to_api(),
        taker_price: price,
        maker_price: price,
        currency: order.currency.to_api(),
        engine: Engine::Amm.to_api(),
    }
}
