//! Trades in order books, as history keeps them.

use api::query::{PageQuery, TradesQuery};
use api::response::{Pagination, Trade, Trades};
use exchange::Exchange;
use exchange::id::OutcomeId;
use exchange::time::Time;

use super::pages::cursor;
use super::words::{ToApi, ToExchange};
use crate::history::{Page, StoredTrade, TradeFilter};

/// What a query asks for; none if it names an outcome that there is not.
pub fn filter(exchange: &Exchange, query: &TradesQuery) -> Option<TradeFilter> {
    let catalogue = exchange.catalogue();
    let outcome = match query.outcome_id {
        None => None,
        Some(id) => {
            let (market, outcome) = catalogue.find_outcome(id.to_exchange())?;
            Some((catalogue.market(market).id, outcome))
        }
    };
    Some(TradeFilter {
        id: query.id.map(ToExchange::to_exchange),
        market: query.market_id.map(ToExchange::to_exchange),
        order: query.order_id.map(ToExchange::to_exchange),
        outcome,
        user: query.user_id.map(ToExchange::to_exchange),
        from: query.from_date.map(ToExchange::to_exchange),
        to: query.to_date.map(ToExchange::to_exchange),
    })
}

pub fn trades(page: Page<StoredTrade>, pages: PageQuery) -> Trades {
    Trades {
        data: page.rows.iter().map(|stored| trade(&stored.trade, stored.at)).collect(),
        pagination: Pagination::new(pages, page.total),
        next_cursor: cursor(page.next),
    }
}

/// Outcome and price are the taker's.
pub fn trade(trade: &exchange::change::Trade, at: Time) -> Trade {
    let (taker, maker) = (&trade.taker, &trade.maker);
    Trade {
        id: trade.id().to_api(),
        market_id: trade.market.to_api(),
        outcome: taker.outcome.to_api(),
        price: taker.price.to_api(),
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
        taker_price: taker.price.to_api(),
        maker_price: maker.price.to_api(),
        currency: trade.currency.to_api(),
    }
}
