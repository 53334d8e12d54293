//! Query of order books.

use crate::schema::IntoParams;
use uuid::Uuid;

use super::raw::RawQuery;
use crate::error::BadRequest;
use crate::terms::Currency;

const OUTCOMES_MAX: usize = 50;
/// One level for each price.
const DEPTH_MAX: u32 = 99;

/// `GET /v1/pm/books`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct BooksQuery {
    /// 1 to 50 outcomes, repeated or joined by commas.
    #[param(rename = "outcomeId[]", min_items = 1, max_items = 50)]
    pub outcome_id: Vec<Uuid>,
    /// Levels on each side. A book has 99 at most, so more than that means 99.
    #[param(minimum = 1, default = 10, required = false)]
    pub depth: u32,
    #[param(default = "USD", required = false)]
    pub currency: Currency,
}

impl BooksQuery {
    pub fn parse(raw: &str) -> Result<BooksQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let outcome_id = query.uuids("outcomeId", OUTCOMES_MAX)?;
        if outcome_id.is_empty() {
            return Err(BadRequest::at("outcomeId[]", "is required"));
        }
        Ok(BooksQuery {
            outcome_id,
            depth: query.at_most("depth", 1, DEPTH_MAX)?.unwrap_or(10),
            currency: query.currency_or_default()?,
        })
    }
}
