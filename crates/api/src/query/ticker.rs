//! Query of an outcome's ticker.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::{Currency, OutcomeSide};

/// An outcome by its side or by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeChoice {
    Side(OutcomeSide),
    Id(Uuid),
}

/// `GET /v1/pm/markets/{marketId}/ticker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TickerQuery {
    /// Required unless `outcomeId` is given.
    pub outcome: Option<OutcomeSide>,
    /// Required unless `outcome` is given; an outcome of this market.
    pub outcome_id: Option<Uuid>,
    #[param(default = "USD", required = false)]
    pub currency: Currency,
}

impl TickerQuery {
    pub fn parse(raw: &str) -> Result<TickerQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let (outcome, outcome_id) = (query.word("outcome")?, query.uuid("outcomeId")?);
        if outcome.is_none() && outcome_id.is_none() {
            return Err(BadRequest::new("outcome or outcomeId: one of them is required"));
        }
        Ok(TickerQuery { outcome, outcome_id, currency: query.currency_or_default()? })
    }

    /// The selected outcome. The id takes precedence over the side.
    pub fn choice(&self) -> Option<OutcomeChoice> {
        self.outcome_id.map(OutcomeChoice::Id).or(self.outcome.map(OutcomeChoice::Side))
    }
}
