//! Order books of several outcomes at once.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::BooksQuery;
use api::response::Book;

use crate::edge::meter::ROWS_PER_TOKEN;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::reading::Reading;
use crate::view;
use crate::view::words::ToExchange;

pub(super) struct BookEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl BookEndpoints {
    pub(super) fn list_books(&self, call: &Call<'_>, query: BooksQuery) -> Result<Next<Vec<Book>>, Failure> {
        call.meter.charge_rows(rows(&query))?;
        let (reading, now) = (self.reading.clone(), call.now);
        Ok(Next::later(async move {
            let names = query.outcome_id.iter().map(|id| RetiredName::Outcome(id.to_exchange())).collect();
            let known = reading.with_retired(names).await?;
            let book = |id: &uuid::Uuid| {
                let id = id.to_exchange();
                view::book::find_book(known.outcome(id)?.0, id, &query, now)
            };
            let books: Option<Vec<_>> = query.outcome_id.iter().map(book).collect();
            // All or nothing: one book per outcome, in request order.
            books.ok_or_else(|| ErrorBody::not_found("Outcome not found").into())
        }))
    }
}

/// Rows charged for a query: one per outcome, and one more for each 25 levels beyond the first 25.
fn rows(query: &BooksQuery) -> usize {
    query.outcome_id.len() * query.depth.div_ceil(ROWS_PER_TOKEN) as usize
}
