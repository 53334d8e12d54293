//! Storage in pages: a list that only grows at its end, and slots that are reused.
//!
//! A page never moves, so growth copies nothing and wastes less than a page. `Pages` is the list; `Slots` adds a chain
//! of free entries.

use core::array;
use core::ops::{Index, IndexMut};

/// Entries per page: a power of two, so that an index is split by a shift and needs one bounds check.
const PAGE: usize = 256;

type Page<T> = Box<[T; PAGE]>;

/// A list that grows at its end.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    /// `None` beyond the end.
    pages: Vec<Page<Option<T>>>,
    length: usize,
}

impl<T> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages { pages: Vec::new(), length: 0 }
    }
}

impl<T> Pages<T> {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn push(&mut self, entry: T) {
        if self.length == self.pages.len() * PAGE {
            self.pages.push(Box::new(array::from_fn(|_| None)));
        }
        self.pages[self.length / PAGE][self.length % PAGE] = Some(entry);
        self.length += 1;
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.pages.get(index / PAGE)?[index % PAGE].as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.pages.get_mut(index / PAGE)?[index % PAGE].as_mut()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.pages.iter_mut().flat_map(|page| page.iter_mut()).flatten()
    }

    pub(crate) fn iter(&self) -> PagesIter<'_, T> {
        PagesIter { pages: self, next: 0 }
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: usize) -> &T {
        match &self.pages[index / PAGE][index % PAGE] {
            Some(entry) => entry,
            None => absent(),
        }
    }
}

impl<T> IndexMut<usize> for Pages<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        match &mut self.pages[index / PAGE][index % PAGE] {
            Some(entry) => entry,
            None => absent(),
        }
    }
}

/// The entries of a list, in order.
pub(crate) struct PagesIter<'a, T> {
    pages: &'a Pages<T>,
    next: usize,
}

impl<T> Clone for PagesIter<'_, T> {
    fn clone(&self) -> Self {
        PagesIter { pages: self.pages, next: self.next }
    }
}

impl<'a, T> Iterator for PagesIter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let entry = self.pages.get(self.next)?;
        self.next += 1;
        Some(entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.pages.length - self.next;
        (left, Some(left))
    }
}

impl<T> ExactSizeIterator for PagesIter<'_, T> {}

/// Marks the end of the chain of free slots.
const END: u32 = u32::MAX;

#[derive(Clone, Debug)]
enum Slot<T> {
    /// The next free slot.
    Free(u32),
    Used(T),
}

/// Entries by slot. The slot freed last is used first.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    pages: Vec<Page<Slot<T>>>,
    /// The first free slot. Slots that were never used are at the end of the chain.
    free: u32,
    used: usize,
}

impl<T> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots { pages: Vec::new(), free: END, used: 0 }
    }
}

impl<T> Slots<T> {
    /// The number of used slots.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// The number of slots in memory.
    fn capacity(&self) -> usize {
        self.pages.len() * PAGE
    }

    /// The slot that the next `insert` uses.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        if self.free == END { self.capacity() as u32 } else { self.free }
    }

    #[inline]
    pub(crate) fn insert(&mut self, entry: T) -> u32 {
        if self.free == END {
            self.add_page();
        }
        let slot = self.free;
        let place = self.place_mut(slot);
        match place {
            Slot::Free(next) => {
                let next = *next;
                *place = Slot::Used(entry);
                (self.free, self.used) = (next, self.used + 1);
                slot
            }
            Slot::Used(_) => absent(),
        }
    }

    #[cold]
    fn add_page(&mut self) {
        let first = self.capacity();
        assert!(first < END as usize - PAGE, "slots are numbered below 2³² − 1");
        let next_of = |place| if place + 1 == PAGE { END } else { (first + place + 1) as u32 };
        self.pages.push(Box::new(array::from_fn(|place| Slot::Free(next_of(place)))));
        self.free = first as u32;
    }

    /// Frees a slot and returns its entry.
    #[inline]
    pub(crate) fn remove(&mut self, slot: u32) -> T {
        let next = self.free;
        match core::mem::replace(self.place_mut(slot), Slot::Free(next)) {
            Slot::Used(entry) => {
                (self.free, self.used) = (slot, self.used - 1);
                entry
            }
            Slot::Free(_) => absent(),
        }
    }

    #[inline]
    fn place(&self, slot: u32) -> &Slot<T> {
        &self.pages[slot as usize / PAGE][slot as usize % PAGE]
    }

    #[inline]
    fn place_mut(&mut self, slot: u32) -> &mut Slot<T> {
        &mut self.pages[slot as usize / PAGE][slot as usize % PAGE]
    }

    #[cfg(test)]
    pub(crate) fn slots(&self) -> usize {
        self.capacity()
    }
}

#[cold]
#[allow(clippy::panic, reason = "our mistake: the writer stops before it decides anything on a wrong entry")]
fn absent() -> ! {
    // Invariant: a slot is freed only after every index of it was removed.
    panic!("invalid key: the slot is free")
}

impl<T> Index<u32> for Slots<T> {
    type Output = T;
    #[inline]
    fn index(&self, slot: u32) -> &T {
        match self.place(slot) {
            Slot::Used(entry) => entry,
            Slot::Free(_) => absent(),
        }
    }
}

impl<T> IndexMut<u32> for Slots<T> {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut T {
        match self.place_mut(slot) {
            Slot::Used(entry) => entry,
            Slot::Free(_) => absent(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_over_several_pages_has_the_entries_of_a_vector() {
        let mut pages = Pages::default();
        for number in 0..PAGE * 2 + 3 {
            assert_eq!((pages.len(), pages.get(number)), (number, None));
            pages.push(number);
            assert_eq!(pages[number], number);
        }
        pages[PAGE] = 7;
        assert_eq!(pages.get_mut(PAGE), Some(&mut 7));
        assert_eq!(pages.get(PAGE - 1), Some(&(PAGE - 1)));
        let listed: Vec<usize> = pages.iter().copied().collect();
        assert_eq!((listed.len(), pages.iter().len(), listed[PAGE]), (PAGE * 2 + 3, PAGE * 2 + 3, 7));
        assert!(listed.iter().enumerate().all(|(place, number)| place == *number || place == PAGE));
    }

    #[test]
    fn freed_slots_are_used_again_last_freed_first() {
        let mut slots = Slots::default();
        for number in 0..1_000_u32 {
            assert_eq!(slots.next(), number);
            assert_eq!(slots.insert(number), number);
        }
        assert_eq!((slots.remove(3), slots.remove(700)), (3, 700));
        assert_eq!((slots.len(), slots.next()), (998, 700));
        assert_eq!((slots.insert(1), slots.insert(2), slots.insert(3)), (700, 3, 1_000));
        assert_eq!((slots[700], slots[3], slots[4], slots.len()), (1, 2, 4, 1_001));
    }

    #[test]
    #[should_panic(expected = "invalid key")]
    fn a_free_slot_has_no_entry() {
        let mut slots = Slots::default();
        slots.insert('a');
        slots.remove(0);
        let _ = slots[0];
    }
}
