//! A table indexed by increasing numbers that are never reused. Removed entries release their memory.
//!
//! A directory of pages maps a number to its entry. Empty pages are dropped, as are the directory entries before the
//! first non-empty page. An empty page between long-lived entries costs eight bytes until the next restart, which
//! renumbers everything.

use core::ops::{Index, IndexMut};

use crate::pages::Slots;

/// Numbers per page.
const PAGE: usize = 64;
/// Marks a number without an entry. No entry has this slot, so indexing with it panics.
const NONE: u32 = u32::MAX;
/// Minimum number of empty leading pages before the directory is compacted.
const DROPPED_AT_ONCE: usize = 64;

#[derive(Clone, Debug)]
struct Page {
    places: [u32; PAGE],
    used: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    pages: Vec<Option<Box<Page>>>,
    /// Pages dropped before `pages[0]`.
    dropped: usize,
    /// The next number.
    next: usize,
    entries: Slots<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { pages: Vec::new(), dropped: 0, next: 0, entries: Slots::default() }
    }
}

impl<T> Table<T> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number that the next `push` returns.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    pub(crate) fn push(&mut self, entry: T) -> usize {
        let number = self.next;
        let (page, slot) = (number / PAGE - self.dropped, number % PAGE);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new(Page { places: [NONE; PAGE], used: 0 }));
        page.places[slot] = self.entries.insert(entry);
        page.used += 1;
        self.next += 1;
        number
    }

    /// Removes an entry. Its number is never reused.
    pub(crate) fn remove(&mut self, number: usize) -> T {
        let entry = self.entries.remove(self.place(number));
        let slot = &mut self.pages[number / PAGE - self.dropped];
        if let Some(page) = slot {
            page.places[number % PAGE] = NONE;
            page.used -= 1;
            if page.used == 0 && self.next / PAGE != number / PAGE {
                *slot = None;
            }
        }
        self.drop_leading_pages();
        entry
    }

    fn drop_leading_pages(&mut self) {
        if self.pages.len() < DROPPED_AT_ONCE || self.pages[0].is_some() {
            return;
        }
        let empty = self.pages.iter().take_while(|page| page.is_none()).count();
        // Keep the page of the next number, so that a push finds it.
        let empty = empty.min(self.next / PAGE - self.dropped);
        if empty >= DROPPED_AT_ONCE.max(self.pages.len() / 2) {
            self.pages.drain(..empty);
            self.dropped += empty;
        }
    }

    #[inline]
    fn place(&self, number: usize) -> u32 {
        match self.pages.get((number / PAGE).wrapping_sub(self.dropped)) {
            Some(Some(page)) => page.places[number % PAGE],
            _ => NONE,
        }
    }

    /// All entries with their numbers, ordered by number.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &T)> + DoubleEndedIterator {
        let pages = self.pages.iter().enumerate();
        let places = pages.filter_map(|(index, page)| Some((index + self.dropped, page.as_deref()?)));
        let numbered = places.flat_map(move |(index, page)| {
            let used = page.places.iter().enumerate().filter(|(_, place)| **place != NONE);
            used.map(move |(slot, place)| (index * PAGE + slot, &self.entries[*place]))
        });
        ExactLength { inner: numbered, left: self.len() }
    }

    pub(crate) fn values(&self) -> impl ExactSizeIterator<Item = &T> + DoubleEndedIterator {
        self.iter().map(|(_, entry)| entry)
    }
}

impl<T> Index<usize> for Table<T> {
    type Output = T;
    #[inline]
    fn index(&self, number: usize) -> &T {
        &self.entries[self.place(number)]
    }
}

impl<T> IndexMut<usize> for Table<T> {
    #[inline]
    fn index_mut(&mut self, number: usize) -> &mut T {
        let place = self.place(number);
        &mut self.entries[place]
    }
}

/// An iterator with a known length.
pub(crate) struct ExactLength<I> {
    pub(crate) inner: I,
    pub(crate) left: usize,
}

impl<I: Iterator> Iterator for ExactLength<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = self.inner.next()?;
        self.left -= 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for ExactLength<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        let item = self.inner.next_back()?;
        self.left -= 1;
        Some(item)
    }
}

impl<I: Iterator> ExactSizeIterator for ExactLength<I> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_in_order_and_memory_does_not_grow_with_what_left() {
        let mut table = Table::default();
        let kept = table.push(7_u64);
        for number in 1..100_000 {
            assert_eq!(table.push(number), usize::try_from(number).expect("a small number"));
            if number > 10 {
                assert_eq!(table.remove(usize::try_from(number - 10).expect("a small number")), number - 10);
            }
        }
        assert_eq!((table.len(), table[kept], table.next()), (11, 7, 100_000));
        assert_eq!(table.entries.slots(), 256, "one page of slots is reused");
        let pages = table.pages.iter().flatten().count();
        assert!(pages <= 3, "{pages} pages for 11 entries");
        let numbers: Vec<_> = table.iter().map(|(number, _)| number).collect();
        assert_eq!(numbers.len(), table.iter().len());
        assert!(numbers.is_sorted() && numbers[0] == 0 && numbers[1] == 99_990, "{numbers:?}");
        assert_eq!(table.iter().next_back().map(|(number, _)| number), Some(99_999));
        assert_eq!(table.remove(kept), 7);
        assert!(table.pages.len() < 64, "{} pages stay in the directory", table.pages.len());
        assert_eq!(table[99_999], 99_999);
        assert_eq!(table.push(1), 100_000);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_index_that_left_finds_nothing_else() {
        let mut table = Table::default();
        let first = table.push('a');
        table.push('b');
        table.remove(first);
        table.push('c');
        let _ = table[first];
    }
}
