//! Order books of several outcomes at once.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::BooksQuery;
use api::response::Book;
use axum::extract::{Request, State};

use crate::app::App;
use crate::history::RetiredName;
use crate::http::charging::ROWS_PER_TOKEN;
use crate::http::{Answered, Failure, ok};
use crate::view;
use crate::view::words::ToExchange;

pub(super) async fn list_books(State(app): State<Arc<App>>, request: Request) -> Answered {
    ok(&find_books(&app, request.uri().query()).await?)
}

pub(super) async fn find_books(app: &App, query: Option<&str>) -> Result<Vec<Book>, Failure> {
    let query = BooksQuery::parse(query.unwrap_or_default())?;
    app.charge_rows(rows(&query))?;
    let names = query.outcome_id.iter().map(|id| RetiredName::Outcome(id.to_exchange())).collect();
    let (known, now) = (app.reading().with_retired(names).await?, app.now());
    let book = |id: &uuid::Uuid| {
        let id = id.to_exchange();
        view::book::find_book(known.outcome(id)?.0, id, &query, now)
    };
    let books: Option<Vec<_>> = query.outcome_id.iter().map(book).collect();
    drop(known);
    // All or nothing: one book per outcome, in request order.
    Ok(books.ok_or_else(|| ErrorBody::not_found("Outcome not found"))?)
}

/// Rows charged for a query: one per outcome, and one more for each 25 levels beyond the first 25.
fn rows(query: &BooksQuery) -> usize {
    query.outcome_id.len() * query.depth.div_ceil(ROWS_PER_TOKEN) as usize
}
