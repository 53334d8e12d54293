//! Pages of the portfolio.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::pages::PageQuery;
use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::Currency;

/// `GET /v1/pm/portfolio`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct PortfolioQuery {
    /// Left out: both.
    pub currency: Option<Currency>,
    pub market_id: Option<Uuid>,
    pub event_id: Option<Uuid>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 100, required = false)]
    pub size: u32,
}

impl PortfolioQuery {
    pub fn parse(raw: &str) -> Result<PortfolioQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 100)?;
        Ok(PortfolioQuery {
            currency: query.word("currency")?,
            market_id: query.uuid("marketId")?,
            event_id: query.uuid("eventId")?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}
