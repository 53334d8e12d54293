//! Pages of a statement, and the span of an account's value.

use crate::schema::IntoParams;

use super::pages::PageQuery;
use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::{Currency, PnlPeriod};

/// `GET /v1/pm/statement`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct StatementQuery {
    #[param(default = "USD", required = false)]
    pub currency: Currency,
    /// The cursor of an earlier page; then `page` is not looked at.
    #[param(max_length = 256)]
    pub after: Option<String>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 20, required = false)]
    pub size: u32,
}

impl StatementQuery {
    pub fn parse(raw: &str) -> Result<StatementQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 20)?;
        let currency = query.currency_or_default()?;
        Ok(StatementQuery { currency, after: query.bounded("after", 256)?, page, size })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}

/// `GET /v1/pm/account/value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct AccountValueQuery {
    /// A rolling span, a calendar span, or all time.
    #[param(default = "ALL", required = false)]
    pub time_period: PnlPeriod,
    #[param(default = "USD", required = false)]
    pub currency: Currency,
}

impl AccountValueQuery {
    pub fn parse(raw: &str) -> Result<AccountValueQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(AccountValueQuery {
            time_period: query.word("timePeriod")?.unwrap_or(PnlPeriod::All),
            currency: query.currency_or_default()?,
        })
    }
}
