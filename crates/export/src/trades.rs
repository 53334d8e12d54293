//! Trades on books and with pools, with the numbers that `GET /v1/pm/trades` shows, without users and orders.

use api::response;
use exchange::change::Change;
use exchange::id::{EventId, MarketId, TradeId};
use exchange::order::OrderRecord;
use server::applied::Turnover;
use server::view::trade::{pool_trade, trade};
use server::view::words::ToApi;

use crate::table::{Cell, Stamp};

/// A reported trade: its market, and as the API shows it.
#[derive(Debug)]
pub(crate) struct ReportedTrade {
    pub(crate) market: MarketId,
    shown: response::Trade,
    maker_outcome: api::terms::OutcomeSide,
    value: api::decimal::Money,
}

impl ReportedTrade {
    /// The trade of a change, if it is one. `placed` is the order of the change just before it.
    pub(crate) fn of(change: &Change, placed: Option<&OrderRecord>, stamp: Stamp) -> Option<ReportedTrade> {
        let value = Turnover::of(change, placed)?.value.to_api();
        let (market, shown, maker) = match (change, placed) {
            (Change::Trade(fill), _) => (fill.market, trade(fill, stamp.at), fill.maker.outcome),
            (Change::PoolMoved { market, .. }, Some(order)) => {
                let id = TradeId::of(order.terms.id, 0);
                (*market, pool_trade(order, id, stamp.at), order.terms.outcome)
            }
            _ => return None,
        };
        Some(ReportedTrade { market, shown, maker_outcome: maker.to_api(), value })
    }

    /// The row of the public table.
    pub(crate) fn row(&self, stamp: Stamp, event: EventId) -> Vec<Cell> {
        let shown = &self.shown;
        stamp.row(vec![
            Cell::text(shown.id),
            Cell::text(shown.market_id),
            Cell::text(event),
            Cell::text(shown.currency),
            Cell::text(shown.engine),
            Cell::text(shown.outcome),
            Cell::text(shown.taker_side),
            Cell::Decimal(shown.price.units()),
            Cell::Decimal(shown.size.units()),
            Cell::Decimal(self.value.units()),
            Cell::Decimal(shown.taker_fee.units()),
            Cell::text(shown.match_type),
            Cell::text(self.maker_outcome),
            Cell::Decimal(shown.maker_price.units()),
        ])
    }

    /// The row of the private table: both users and orders. A pool has no order.
    pub(crate) fn parties_row(&self, stamp: Stamp) -> Vec<Cell> {
        let shown = &self.shown;
        let maker_order = (!shown.maker_order_id.is_nil()).then_some(shown.maker_order_id);
        stamp.row(vec![
            Cell::text(shown.id),
            Cell::text(shown.taker_user_id),
            Cell::text(shown.maker_user_id),
            Cell::text(shown.taker_order_id),
            Cell::maybe(maker_order, Cell::text),
        ])
    }
}
