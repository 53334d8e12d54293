//! Decrypted rows in use. The cache is bounded: when it is full, it is cleared.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use exchange::id::{RowId, UserId};
use parking_lot::Mutex;

use super::Person;

const KEPT_MAX: usize = 10_000;

#[derive(Default)]
pub(super) struct Cache {
    kept: Mutex<HashMap<RowId, (UserId, Arc<Person>)>>,
}

impl Cache {
    pub(super) fn find(&self, row: RowId) -> Option<Arc<Person>> {
        self.kept.lock().get(&row).map(|(_, known)| known.clone())
    }

    pub(super) fn insert(&self, person: UserId, row: RowId, known: Arc<Person>) {
        let mut kept = self.kept.lock();
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(row, (person, known));
    }

    pub(super) fn forget(&self, rows: &[RowId]) {
        let mut kept = self.kept.lock();
        for row in rows {
            kept.remove(row);
        }
    }

    /// The cached persons and rows.
    pub(super) fn rows(&self) -> Vec<(UserId, RowId)> {
        self.kept.lock().iter().map(|(row, (person, _))| (*person, *row)).collect()
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cache").field("rows", &self.kept.lock().len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Address;
    use super::*;

    #[test]
    fn a_full_cache_starts_anew_and_shows_no_one() {
        let cache = Cache::default();
        let person = Arc::new(Person::new(&Address::normalised("a@b"), None));
        for number in 0..=KEPT_MAX {
            cache.insert(UserId::new(7), RowId::new(number as u128), person.clone());
        }
        assert_eq!(cache.rows(), [(UserId::new(7), RowId::new(KEPT_MAX as u128))]);
        assert!(cache.find(RowId::new(1)).is_none());
        assert_eq!(format!("{cache:?} {person:?}"), "Cache { rows: 1 } Person(…)");
        cache.forget(&[RowId::new(KEPT_MAX as u128)]);
        assert!(cache.rows().is_empty());
    }
}
