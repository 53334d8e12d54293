//! `orderbook_update`: the whole book of one outcome, never a difference.

use crate::json::WriteJson;
use crate::schema::ToSchema;

use crate::response::Book;
use crate::terms::Currency;

/// All of one outcome's book.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct OrderbookUpdateData {
    pub orderbook: Book,
    /// Whose book it is: a market has one for each currency.
    pub currency: Currency,
}
