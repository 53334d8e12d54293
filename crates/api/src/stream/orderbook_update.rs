//! `orderbook_update`: all of one outcome's book, never a difference.

use serde::Serialize;

use crate::response::Book;
use crate::terms::Currency;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderbookUpdateData {
    pub orderbook: Book,
    /// Whose book it is: a market has one for each currency.
    pub currency: Currency,
}
