//! Query of changes.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::Currency;

const LIMIT_MAX: u32 = 1_000;
const WAIT_SECONDS_MAX: u32 = 20;

/// `GET /v1/pm/account/changes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ChangesQuery {
    /// The last sequence that the caller has. Without it, or if what follows is not kept any more, the answer is a snapshot.
    #[param(minimum = 0)]
    pub after: Option<u64>,
    /// Deltas at the most.
    #[param(minimum = 1, maximum = 1_000, default = 1_000, required = false)]
    pub limit: u32,
    /// Seconds to wait for something to change if nothing has.
    #[param(minimum = 0, maximum = 20, default = 0, required = false)]
    pub wait: u32,
}

impl ChangesQuery {
    pub fn parse(raw: &str) -> Result<ChangesQuery, BadRequest> {
        ChangesQuery::of(&RawQuery::parse(raw)?)
    }

    fn of(query: &RawQuery) -> Result<ChangesQuery, BadRequest> {
        Ok(ChangesQuery {
            after: query.sequence("after")?,
            limit: query.integer("limit", 1, LIMIT_MAX)?.unwrap_or(LIMIT_MAX),
            wait: query.integer("wait", 0, WAIT_SECONDS_MAX)?.unwrap_or(0),
        })
    }
}

/// `GET /v1/pm/markets/{marketId}/changes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct MarketChangesQuery {
    #[param(default = "USD", required = false)]
    pub currency: Currency,
    /// The last sequence that the caller has. Without it, or if what follows is not kept any more, the answer is a snapshot.
    #[param(minimum = 0)]
    pub after: Option<u64>,
    /// Deltas at the most.
    #[param(minimum = 1, maximum = 1_000, default = 1_000, required = false)]
    pub limit: u32,
    /// Seconds to wait for something to change if nothing has.
    #[param(minimum = 0, maximum = 20, default = 0, required = false)]
    pub wait: u32,
}

impl MarketChangesQuery {
    pub fn parse(raw: &str) -> Result<MarketChangesQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let ChangesQuery { after, limit, wait } = ChangesQuery::of(&query)?;
        Ok(MarketChangesQuery { currency: query.currency_or_default()?, after, limit, wait })
    }

    /// The query without the currency.
    pub const fn page(&self) -> ChangesQuery {
        ChangesQuery { after: self.after, limit: self.limit, wait: self.wait }
    }
}
