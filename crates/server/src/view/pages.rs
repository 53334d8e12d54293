//! Pages of complete lists, and windows into history.

use api::BadRequest;
use api::query::PageQuery;
use api::response::Pagination;

use crate::history::Window;

/// The rows of a page, and its pagination. A page after the last one is empty.
pub fn page<T>(rows: &[T], pages: PageQuery) -> (&[T], Pagination) {
    let start = usize::try_from(pages.offset()).map_or(rows.len(), |offset| offset.min(rows.len()));
    let end = start.saturating_add(pages.size as usize).min(rows.len());
    (&rows[start..end], Pagination::new(pages, rows.len() as u64))
}

/// The window to read from history. A cursor is the `nextCursor` of an earlier page.
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

/// Formats a cursor.
pub(super) fn cursor(next: Option<u64>) -> Option<String> {
    next.map(|next| next.to_string())
}
