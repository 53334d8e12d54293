//! Storage in pages: a list that only grows at its end, and slots that are reused.
//!
//! A page never moves, so growth copies nothing and wastes less than a page. `Pages` is the list; `Slots` adds a chain
//! of free entries.

use core::ops::{Index, IndexMut};

/// Entries per page.
const PAGE: usize = 256;

/// A list that grows at its end.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    /// All pages but the last are full.
    pages: Vec<Vec<T>>,
}

impl<T> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages { pages: Vec::new() }
    }
}

impl<T> Pages<T> {
    pub(crate) fn len(&self) -> usize {
        match self.pages.last() {
            Some(last) => (self.pages.len() - 1) * PAGE + last.len(),
            None => 0,
        }
    }

    /// Appends an entry and returns its index.
    pub(crate) fn push(&mut self, entry: T) -> usize {
        let full = self.pages.len();
        match self.pages.last_mut() {
            Some(last) if last.len() < PAGE => {
                // Only the first page grows: small tables stay small.
                let index = (full - 1) * PAGE + last.len();
                last.push(entry);
                index
            }
            _ => {
                let mut page = Vec::with_capacity(if full == 0 { 0 } else { PAGE });
                page.push(entry);
                self.pages.push(page);
                full * PAGE
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.pages.get(index / PAGE)?.get(index % PAGE)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.pages.get_mut(index / PAGE)?.get_mut(index % PAGE)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.pages.iter_mut().flatten()
    }

    pub(crate) fn iter(&self) -> PagesIter<'_, T> {
        PagesIter { inner: self.pages.iter().flatten(), left: self.len() }
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.pages[index / PAGE][index % PAGE]
    }
}

impl<T> IndexMut<usize> for Pages<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.pages[index / PAGE][index % PAGE]
    }
}

/// The entries of a list, in order.
#[derive(Clone)]
pub(crate) struct PagesIter<'a, T> {
    inner: core::iter::Flatten<core::slice::Iter<'a, Vec<T>>>,
    left: usize,
}

impl<'a, T> Iterator for PagesIter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let entry = self.inner.next()?;
        self.left -= 1;
        Some(entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
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
    slots: Pages<Slot<T>>,
    free: u32,
    used: usize,
}

impl<T> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots { slots: Pages::default(), free: END, used: 0 }
    }
}

impl<T> Slots<T> {
    /// The number of used slots.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// The slot that the next `insert` uses.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        if self.free == END { self.slots.len() as u32 } else { self.free }
    }

    pub(crate) fn insert(&mut self, entry: T) -> u32 {
        self.used += 1;
        let free = self.free;
        match self.slots.get_mut(free as usize) {
            Some(slot) => {
                if let Slot::Free(next) = slot {
                    self.free = *next;
                }
                *slot = Slot::Used(entry);
                free
            }
            None => {
                let slot = self.slots.push(Slot::Used(entry)) as u32;
                assert!(slot != END, "slots are numbered below 2³² − 1");
                slot
            }
        }
    }

    /// Frees a slot and returns its entry.
    pub(crate) fn remove(&mut self, slot: u32) -> T {
        let entry = core::mem::replace(&mut self.slots[slot as usize], Slot::Free(self.free));
        match entry {
            Slot::Used(entry) => {
                self.free = slot;
                self.used -= 1;
                entry
            }
            Slot::Free(_) => vacant(),
        }
    }

    #[cfg(test)]
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }
}

#[cold]
#[allow(clippy::panic, reason = "our mistake: the writer stops before it decides anything on a wrong entry")]
fn vacant() -> ! {
    // Invariant: a slot is freed only after every index of it was removed.
    panic!("invalid key: the slot is free")
}

impl<T> Index<u32> for Slots<T> {
    type Output = T;
    #[inline]
    fn index(&self, slot: u32) -> &T {
        match &self.slots[slot as usize] {
            Slot::Used(entry) => entry,
            Slot::Free(_) => vacant(),
        }
    }
}

impl<T> IndexMut<u32> for Slots<T> {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut T {
        match &mut self.slots[slot as usize] {
            Slot::Used(entry) => entry,
            Slot::Free(_) => vacant(),
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
            assert_eq!(pages.push(number), number);
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
