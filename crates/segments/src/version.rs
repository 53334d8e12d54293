//! What readers see: a version of the store that never changes. Its files exist as long as a reader keeps it.

use std::sync::{Arc, PoisonError, RwLock};

use crate::cache::BlockCache;
use crate::list::List;
use crate::log::{Log, Record};
use crate::run::Run;
use crate::{Error, Key, Mark, Order};

/// An index at one moment. Runs are oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) order: Order,
    pub(crate) files: Arc<Vec<Arc<Run>>>,
    pub(crate) memory: Vec<Arc<Run>>,
}

/// The content of a version.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) mark: Mark,
    pub(crate) logs: Vec<Log>,
    pub(crate) indexes: Vec<Index>,
}

impl Content {
    /// Keeps all files of this version: a manifest is about to name them.
    pub(crate) fn keep_files(&self) {
        self.indexes.iter().flat_map(|index| index.files.iter()).for_each(|run| run.keep());
        self.logs.iter().flat_map(|log| log.segments.iter()).for_each(|segment| segment.file.keep());
    }
}

/// A source of versions, shared by all readers.
#[derive(Clone, Debug)]
pub struct Reader {
    pub(crate) current: Arc<RwLock<Arc<Content>>>,
    pub(crate) cache: Arc<BlockCache>,
}

impl Reader {
    /// The version of the last commit.
    pub fn version(&self) -> Version {
        let content = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        Version { content, cache: self.cache.clone() }
    }

    pub(crate) fn publish(&self, content: Arc<Content>) {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *current, content);
        // Dropping it may delete files; readers need not wait for that.
        drop(current);
        drop(before);
    }
}

/// The store as of one commit. Logs and indexes are named by their places in `Options`.
#[derive(Clone, Debug)]
pub struct Version {
    pub(crate) content: Arc<Content>,
    pub(crate) cache: Arc<BlockCache>,
}

impl Version {
    pub fn mark(&self) -> Mark {
        self.content.mark
    }

    /// The number of the last record of a log.
    pub fn last(&self, log: usize) -> Option<u64> {
        self.content.logs[log].last()
    }

    /// The record with a number.
    pub fn record(&self, log: usize, number: u64) -> Result<Option<Record>, Error> {
        self.content.logs[log].find(&self.cache, number)
    }

    /// The first record with at least this number.
    pub fn first_from(&self, log: usize, number: u64) -> Result<Option<Record>, Error> {
        self.content.logs[log].first_from(&self.cache, number)
    }

    /// The first record whose time is at least `at`.
    pub fn first_at(&self, log: usize, at: i64) -> Result<Option<Record>, Error> {
        self.content.logs[log].first_at(&self.cache, at)
    }

    /// The last record with a number below this one.
    pub fn last_below(&self, log: usize, number: u64) -> Result<Option<Record>, Error> {
        self.content.logs[log].last_below(&self.cache, number)
    }

    /// The list of a key.
    pub fn list(&self, index: usize, key: Key) -> Result<List, Error> {
        let Index { order, files, memory } = &self.content.indexes[index];
        List::new(&self.cache, key, *order, files.iter().chain(memory))
    }

    /// The files of each index, and the bytes of everything in files.
    pub fn files(&self) -> (Vec<usize>, u64) {
        let Content { logs, indexes, .. } = &*self.content;
        let runs = indexes.iter().flat_map(|index| index.files.iter()).map(|run| run.bytes).sum::<u64>();
        let segments = logs.iter().flat_map(|log| log.segments.iter()).map(|segment| segment.file_bytes);
        (indexes.iter().map(|index| index.files.len()).collect(), runs + segments.sum::<u64>())
    }
}
