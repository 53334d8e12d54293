//! Filters of a user's orders.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::pages::PageQuery;
use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::{Currency, OrderStatus, Side};

/// `GET /v1/pm/orders`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct OrdersQuery {
    pub side: Option<Side>,
    pub status: Option<OrderStatus>,
    pub event_id: Option<Uuid>,
    pub market_id: Option<Uuid>,
    pub outcome_id: Option<Uuid>,
    /// Left out: both.
    pub currency: Option<Currency>,
    /// The name that the order was placed with, open or closed.
    #[param(max_length = 100)]
    pub client_order_id: Option<String>,
    /// The cursor of an earlier page; then `page` is not looked at.
    #[param(pattern = "^[0-9]{1,18}$")]
    pub after: Option<String>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 20, required = false)]
    pub size: u32,
}

impl OrdersQuery {
    pub fn parse(raw: &str) -> Result<OrdersQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 20)?;
        Ok(OrdersQuery {
            side: query.word("side")?,
            status: query.word("status")?,
            event_id: query.uuid("eventId")?,
            market_id: query.uuid("marketId")?,
            outcome_id: query.uuid("outcomeId")?,
            currency: query.word("currency")?,
            client_order_id: query.bounded("clientOrderId", 100)?,
            after: query.bounded("after", 256)?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}
