//! Filters of trades.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::pages::PageQuery;
use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::TradesEngine;
use crate::timestamp::Timestamp;

/// `GET /v1/pm/trades`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TradesQuery {
    /// Trades of books (`CLOB`), of pools (`AMM`) or of both (`ALL`).
    #[param(default = "CLOB", required = false)]
    pub engine: TradesEngine,
    /// One trade.
    pub id: Option<Uuid>,
    pub market_id: Option<Uuid>,
    /// Taker or maker.
    pub order_id: Option<Uuid>,
    /// Taker's or maker's.
    pub outcome_id: Option<Uuid>,
    /// Taker or maker.
    pub user_id: Option<Uuid>,
    /// Created at or after.
    pub from_date: Option<Timestamp>,
    /// Created at or before.
    pub to_date: Option<Timestamp>,
    /// The cursor of an earlier page; then `page` is not looked at.
    #[param(max_length = 256)]
    pub after: Option<String>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    pub size: u32,
}

impl TradesQuery {
    pub fn parse(raw: &str) -> Result<TradesQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 50)?;
        Ok(TradesQuery {
            engine: query.word("engine")?.unwrap_or(TradesEngine::Clob),
            id: query.uuid("id")?,
            market_id: query.uuid("marketId")?,
            order_id: query.uuid("orderId")?,
            outcome_id: query.uuid("outcomeId")?,
            user_id: query.uuid("userId")?,
            from_date: query.timestamp("fromDate")?,
            to_date: query.timestamp("toDate")?,
            after: query.bounded("after", 256)?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}
