//! Query of candles.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::{CandleInterval, Currency, OutcomeSide};
use crate::timestamp::Timestamp;

/// `GET /v1/pm/markets/{marketId}/candles`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct CandlesQuery {
    #[param(default = "1h", required = false)]
    pub interval: CandleInterval,
    #[param(default = "YES", required = false)]
    pub outcome: OutcomeSide,
    #[param(default = "USD", required = false)]
    pub currency: Currency,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
}

impl CandlesQuery {
    pub fn parse(raw: &str) -> Result<CandlesQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let (from, to) = (query.timestamp("from")?, query.timestamp("to")?);
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            return Err(BadRequest::at("from", "must not be after to"));
        }
        Ok(CandlesQuery {
            interval: query.word("interval")?.unwrap_or(CandleInterval::OneHour),
            outcome: query.word("outcome")?.unwrap_or(OutcomeSide::Yes),
            currency: query.currency_or_default()?,
            from,
            to,
        })
    }
}
