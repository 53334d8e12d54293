//! Query of an event's price history.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::{Currency, HistoryPeriod, OutcomeSide};

/// Markets per request; for an event with more, omit the filter.
const MARKETS_MAX: usize = 100;

/// `GET /v1/pm/events/{eventId}/price-history`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct PriceHistoryQuery {
    #[param(default = "24H", required = false)]
    pub time_period: HistoryPeriod,
    /// Markets of the event, repeated or joined by commas; left out: all.
    #[param(rename = "marketId[]", required = false)]
    pub market_id: Vec<Uuid>,
    /// Left out: both.
    pub outcome: Option<OutcomeSide>,
    #[param(default = "USD", required = false)]
    pub currency: Currency,
}

impl PriceHistoryQuery {
    pub fn parse(raw: &str) -> Result<PriceHistoryQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(PriceHistoryQuery {
            time_period: query.word("timePeriod")?.unwrap_or(HistoryPeriod::TwentyFourHours),
            market_id: query.uuids("marketId", MARKETS_MAX)?,
            outcome: query.word("outcome")?,
            currency: query.currency_or_default()?,
        })
    }
}
