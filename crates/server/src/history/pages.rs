//! Pages of long lists, newest first: by page number, or by a cursor, which is stable when rows are added.

use std::ops::Range;

/// The requested rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Counts from 1.
    Page { page: u64, size: u64 },
    /// The rows after the row with this number, which the previous page returned as `next`.
    After { cursor: u64, size: u64 },
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// The length of the whole list.
    pub total: u64,
    /// The cursor of the next page; none on the last page.
    pub next: Option<u64>,
}

impl<T> Page<T> {
    pub const fn empty() -> Page<T> {
        Page { rows: Vec::new(), total: 0, next: None }
    }

    /// A page of a complete list, newest first, each row with its number.
    pub fn of(rows: impl IntoIterator<Item = (u64, T)>, window: Window) -> Page<T> {
        let mut picked = PageCollector::new(window);
        for (number, row) in rows {
            picked.offer(number, row);
        }
        picked.into_page()
    }

    /// Replaces the rows and keeps total and cursor.
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

    /// The positions to show from `span`, a range of an ascending list. `below` returns how many entries are below a
    /// cursor.
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

/// Picks the rows of a window from a stream of all matches, newest first.
#[derive(Debug)]
pub(super) struct PageCollector<T> {
    window: Window,
    rows: Vec<(u64, T)>,
    seen: u64,
    /// Whether there is a match after the last picked row.
    has_more: bool,
}

impl<T> PageCollector<T> {
    pub(super) const fn new(window: Window) -> PageCollector<T> {
        PageCollector { window, rows: Vec::new(), seen: 0, has_more: false }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows over short lists: page numbers and cursors within and far beyond the list.
    fn windows() -> impl Iterator<Item = Window> {
        let sizes = 1..6;
        sizes.flat_map(|size| {
            let pages = (1..9).chain([u64::MAX]).map(move |page| Window::Page { page, size });
            let cursors = (0..14).chain([u64::MAX]).map(move |cursor| Window::After { cursor, size });
            pages.chain(cursors)
        })
    }

    /// The numbers that a window shows, newest first, and how many follow them.
    fn shown(numbers: &[u64], window: Window) -> (Vec<u64>, usize) {
        let newest_first: Vec<u64> = numbers.iter().rev().copied().collect();
        let behind: Vec<u64> = match window {
            Window::Page { page, size } => {
                let skipped = (page - 1).saturating_mul(size);
                newest_first.into_iter().skip(usize::try_from(skipped).unwrap_or(usize::MAX)).collect()
            }
            Window::After { cursor, .. } => {
                newest_first.into_iter().filter(|number| *number < cursor).collect()
            }
        };
        let size = (window.size() as usize).min(behind.len());
        (behind[..size].to_vec(), behind.len() - size)
    }

    #[test]
    fn positions_are_those_that_counting_from_the_newest_gives() {
        for start in 0..4 {
            for end in start..start + 9 {
                for window in windows() {
                    // In this list each entry equals its position.
                    let positions = window.positions(&(start..end), Ok::<u64, ()>).unwrap_or_default();
                    let numbers: Vec<u64> = (start..end).collect();
                    let found: Vec<u64> = positions.rev().collect();
                    assert_eq!(found, shown(&numbers, window).0, "{window:?} of {start}..{end}");
                }
            }
        }
    }

    #[test]
    fn picked_rows_are_those_that_counting_from_the_newest_gives() {
        for length in 0..9 {
            let numbers: Vec<u64> = (0..length).map(|number| number + number / 3).collect();
            for window in windows() {
                let (rows, behind) = shown(&numbers, window);
                let next = rows.last().copied().filter(|_| behind > 0);
                let expected = Page { rows, total: length, next };
                let found = Page::of(numbers.iter().rev().map(|number| (*number, *number)), window);
                assert_eq!(found, expected, "{window:?} of {numbers:?}");
            }
        }
    }
}
