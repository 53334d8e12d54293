//! A queue in pages: what waits longest leaves first. A full `VecDeque` moves all its entries at once; here a page never
//! moves, and an empty one is released.

use std::collections::VecDeque;

use crate::catalogue::table::ExactLength;

/// Entries per page.
const PAGE: usize = 256;

#[derive(Clone, Debug)]
pub(crate) struct Queue<T> {
    /// None of them is empty, and all but the last have been full.
    pages: VecDeque<VecDeque<T>>,
    length: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue { pages: VecDeque::new(), length: 0 }
    }
}

impl<T> Queue<T> {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn push_back(&mut self, entry: T) {
        self.length += 1;
        if let Some(page) = self.pages.back_mut()
            && page.len() < page.capacity()
        {
            return page.push_back(entry);
        }
        let mut page = VecDeque::with_capacity(PAGE);
        page.push_back(entry);
        self.pages.push_back(page);
    }

    pub(crate) fn pop_front(&mut self) -> Option<T> {
        let page = self.pages.front_mut()?;
        let entry = page.pop_front()?;
        self.length -= 1;
        if page.is_empty() {
            self.pages.pop_front();
        }
        Some(entry)
    }

    pub(crate) fn front(&self) -> Option<&T> {
        self.pages.front()?.front()
    }

    pub(crate) fn back(&self) -> Option<&T> {
        self.pages.back()?.back()
    }

    /// All entries, the one that waits longest first.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        ExactLength { inner: self.pages.iter().flatten(), left: self.length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_over_several_pages_has_the_entries_of_a_plain_one() {
        let (mut queue, mut model) = (Queue::default(), VecDeque::new());
        let mut state = 7_u64;
        for number in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Long runs of both kinds, so that it grows over pages and becomes empty.
            if (state >> 40) % 100 < if number / 3_000 % 2 == 0 { 70 } else { 30 } {
                queue.push_back(number);
                model.push_back(number);
            } else {
                assert_eq!(queue.pop_front(), model.pop_front());
            }
            assert_eq!(
                (queue.len(), queue.front(), queue.back()),
                (model.len(), model.front(), model.back())
            );
            assert!(queue.pages.iter().all(|page| !page.is_empty() && page.capacity() <= 2 * PAGE));
            if number % 500 == 0 {
                assert!(queue.iter().eq(model.iter()));
            }
        }
    }
}
