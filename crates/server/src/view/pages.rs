//! One page of a list that is at hand as a whole.

use api::query::PageQuery;
use api::response::Pagination;

/// The rows of a page, and where it stands. A page behind the last one is empty.
pub(super) fn page<T>(rows: &[T], pages: PageQuery) -> (&[T], Pagination) {
    let start = usize::try_from(pages.offset()).map_or(rows.len(), |offset| offset.min(rows.len()));
    let end = start.saturating_add(pages.size as usize).min(rows.len());
    (&rows[start..end], Pagination::new(pages, rows.len() as u64))
}
