//! The span of profit and loss.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::{Currency, PnlPeriod};
use crate::timestamp::Timestamp;

/// `GET /v1/pm/pnl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct PnlQuery {
    /// A rolling span, a calendar span, or all time.
    #[param(default = "ALL", required = false)]
    pub time_period: PnlPeriod,
    /// With `end`: instead of a period.
    pub start: Option<Timestamp>,
    pub end: Option<Timestamp>,
    #[param(default = "USD", required = false)]
    pub currency: Currency,
    /// Adds the events one by one.
    #[param(default = false, required = false)]
    pub breakdown: bool,
}

impl PnlQuery {
    pub fn parse(raw: &str) -> Result<PnlQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let (start, end) = (query.timestamp("start")?, query.timestamp("end")?);
        match (start, end) {
            (Some(start), Some(end)) if start > end => {
                return Err(BadRequest::at("start", "must not be after end"));
            }
            (Some(_), None) | (None, Some(_)) => {
                return Err(BadRequest::new("start and end: give both or neither"));
            }
            _ => {}
        }
        Ok(PnlQuery {
            time_period: query.word("timePeriod")?.unwrap_or(PnlPeriod::All),
            start,
            end,
            currency: query.currency_or_default()?,
            breakdown: query.boolean("breakdown")?.unwrap_or(false),
        })
    }
}
