//! Pages of long lists: by number, or behind a row that was shown, whatever has come in since. Newest first.

use std::ops::Range;

/// Which rows are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Counts from 1.
    Page { page: u64, size: u64 },
    /// The rows behind the one that has this number, which an earlier page gave as `next`.
    After { cursor: u64, size: u64 },
}

/// Some rows of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// Of the whole list.
    pub total: u64,
    /// Where to go on; none on the last page.
    pub next: Option<u64>,
}

impl<T> Page<T> {
    pub const fn empty() -> Page<T> {
        Page { rows: Vec::new(), total: 0, next: None }
    }

    /// The page of a list that is at hand as a whole, newest first, each row with its number.
    pub fn of(rows: impl IntoIterator<Item = (u64, T)>, window: Window) -> Page<T> {
        let mut picked = Picked::new(window);
        for (number, row) in rows {
            picked.offer(number, row);
        }
        picked.into_page()
    }

    /// The same page with other rows.
    pub fn with<U>(self, rows: Vec<U>) -> Page<U> {
        Page { rows, total: self.total, next: self.next }
    }
}

impl Window {
    const fn size(self) -> u64 {
        match self {
            Window::Page { size, .. } | Window::After { size, .. } => size,
        }
    }

    /// The positions to show out of `span`, which lies in a list that ascends. `below` says how many entries are below
    /// a cursor.
    pub(super) fn positions<E>(
        self,
        span: &Range<u64>,
        below: impl FnOnce(u64) -> Result<u64, E>,
    ) -> Result<Range<u64>, E> {
        let end = match self {
            Window::Page { page, size } => {
                span.end.saturating_sub(page.saturating_sub(1).saturating_mul(size))
            }
            Window::After { cursor, .. } => below(cursor)?.min(span.end),
        };
        let end = end.max(span.start);
        Ok(end.saturating_sub(self.size()).max(span.start)..end)
    }
}

/// Picks the rows of a window out of a stream of all that match, newest first.
#[derive(Debug)]
pub(super) struct Picked<T> {
    window: Window,
    rows: Vec<(u64, T)>,
    seen: u64,
    /// There is a match behind the last picked row.
    has_more: bool,
}

impl<T> Picked<T> {
    pub(super) const fn new(window: Window) -> Picked<T> {
        Picked { window, rows: Vec::new(), seen: 0, has_more: false }
    }

    pub(super) fn offer(&mut self, number: u64, row: T) {
        let is_wanted = match self.window {
            Window::Page { page, size } => self.seen >= (page - 1).saturating_mul(size),
            Window::After { cursor, .. } => number < cursor,
        };
        self.seen += 1;
        if is_wanted && (self.rows.len() as u64) < self.window.size() {
            self.rows.push((number, row));
        } else if is_wanted {
            self.has_more = true;
        }
    }

    pub(super) fn into_page(self) -> Page<T> {
        let next = self.rows.last().map(|(number, _)| *number).filter(|_| self.has_more);
        let rows = self.rows.into_iter().map(|(_, row)| row).collect();
        Page { rows, total: self.seen, next }
    }
}
