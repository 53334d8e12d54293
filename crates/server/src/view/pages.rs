//! Pages: of a list that is at hand as a whole, and of one that history keeps.

use api::BadRequest;
use api::query::PageQuery;
use api::response::Pagination;

use crate::history::Window;

/// The rows of a page, and where it stands. A page behind the last one is empty.
pub fn page<T>(rows: &[T], pages: PageQuery) -> (&[T], Pagination) {
    let start = usize::try_from(pages.offset()).map_or(rows.len(), |offset| offset.min(rows.len()));
    let end = start.saturating_add(pages.size as usize).min(rows.len());
    (&rows[start..end], Pagination::new(pages, rows.len() as u64))
}

/// What a query asks history for. A cursor is a number that an earlier page gave.
pub fn window(pages: PageQuery, after: Option<&str>) -> Result<Window, BadRequest> {
    let size = u64::from(pages.size);
    match after {
        None => Ok(Window::Page { page: u64::from(pages.page), size }),
        Some(cursor) => match cursor.parse() {
            Ok(cursor) => Ok(Window::After { cursor, size }),
            Err(_) => Err(BadRequest::at("after", "must be a nextCursor of an earlier page")),
        },
    }
}

/// A cursor as it is given out.
pub(super) fn cursor(next: Option<u64>) -> Option<String> {
    next.map(|next| next.to_string())
}
