//! The writing side of a store.
//!
//! Records and entries gather in memory. `commit` makes them visible: the entries become a small run in memory, which is
//! merged with others of its size. `flush` writes everything in memory to files. Only the manifest of a flush makes files
//! count, so a crash returns the store to its last flush.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::cache::BlockCache;
use crate::files::{self, StoreFile};
use crate::log::Log;
use crate::manifest::{self, Manifest, NamedFile, NamedSegment};
use crate::memory_log::{self, MemoryBlock};
use crate::merging::{self, Merger};
use crate::run::{Run, Source};
use crate::run_writer::RunWriter;
use crate::segment::{SEGMENT_BYTES, Segment};
use crate::version::{Content, Index, Reader, Version};
use crate::{Error, Key, Mark, Order, cursor};

/// The shape of a store, which must be the same at every start. Logs and indexes are named by their places.
#[derive(Clone, Debug)]
pub struct Options {
    /// A store of another version is not opened.
    pub version: u32,
    /// For each log: how long its records are kept, if not for ever. Whole segments are dropped.
    pub logs: Vec<Option<i64>>,
    pub indexes: Vec<Order>,
    /// Memory of unwritten records and entries at which `Store::is_full` asks for a flush.
    pub memory_bytes: usize,
    /// Memory for blocks of files.
    pub cache_bytes: usize,
}

/// A store that was opened or created.
#[derive(Debug)]
pub struct Opened {
    pub store: Store,
    /// Everything that was given to `State::Append` since the last `State::Replace`.
    pub state: Vec<Vec<u8>>,
}

/// A small state of the caller that is stored with a flush and returned when the store is opened.
#[derive(Debug)]
pub enum State {
    Same,
    Append(Vec<u8>),
    Replace(Vec<u8>),
}

#[derive(Debug)]
pub struct Store {
    shared: Arc<Shared>,
    kept: Vec<Option<i64>>,
    memory_bytes_max: usize,
    records: Vec<MemoryBlock>,
    entries: Vec<Vec<(Key, u64)>>,
    state: Option<StateFile>,
    merger: Merger,
}

/// The file of the caller's state, and its length.
type StateFile = (Arc<StoreFile>, u64);

/// What the writer and the merging thread share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) folder: PathBuf,
    pub(crate) reader: Reader,
    next_file: AtomicU64,
    version: u32,
    /// Locked while a version is made from the current one.
    durable: Mutex<Durable>,
}

/// The parts of the manifest that do not follow from a version.
#[derive(Debug, Default)]
pub(crate) struct Durable {
    mark: Mark,
    state: Option<NamedFile>,
    /// A failure of the merging thread, for the next flush.
    failure: Option<Error>,
    /// Why the merging thread could not merge the last time.
    merge_put_off: Option<Error>,
}

/// Deletes the files of a store. No process may have it open.
pub fn remove(folder: &Path) -> Result<(), Error> {
    manifest::remove(folder)
}

impl Shared {
    pub(crate) fn create_file(&self) -> Result<StoreFile, Error> {
        StoreFile::create(&self.folder, self.next_file.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn durable(&self) -> MutexGuard<'_, Durable> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a manifest that names the files of a version, and the file of the caller's state if that is new.
    fn write_manifest(
        &self,
        durable: &Durable,
        content: &Content,
        state: Option<&StoreFile>,
    ) -> Result<(), Error> {
        let run = |run: &Arc<Run>| match &run.source {
            Source::File(file) => NamedFile { number: file.number, bytes: run.bytes },
            Source::Memory(_) => unreachable!("the runs of `files` are in files"),
        };
        let segment = |segment: &Arc<Segment>| NamedSegment {
            file: NamedFile { number: segment.file.number, bytes: segment.file_bytes },
            data_bytes: segment.data_bytes,
            last: segment.last,
        };
        let manifest = Manifest {
            version: self.version,
            mark: durable.mark,
            next_file: self.next_file.load(Ordering::Relaxed),
            state: durable.state,
            indexes: content.indexes.iter().map(|index| index.files.iter().map(run).collect()).collect(),
            logs: content.logs.iter().map(|log| log.segments.iter().map(segment).collect()).collect(),
        };
        let prepared = manifest.prepare(&self.folder)?;
        // From here on the new manifest may count, also after a failure.
        content.keep_files();
        if let Some(file) = state {
            file.keep();
        }
        prepared.install()
    }

    /// Replaces adjacent runs of an index by one run with the same entries.
    pub(crate) fn replace_runs(&self, index: usize, merged: &[Arc<Run>], by: Run) -> Result<(), Error> {
        let durable = self.durable();
        let mut content = Content::clone(&self.reader.version().content);
        let files = Arc::make_mut(&mut content.indexes[index].files);
        let start = files.iter().position(|run| Arc::ptr_eq(run, &merged[0]));
        let start = start.expect("only the merging thread replaces runs");
        files.splice(start..start + merged.len(), [Arc::new(by)]);
        self.write_manifest(&durable, &content, None)?;
        self.reader.publish(Arc::new(content));
        merged.iter().for_each(|run| run.retire());
        Ok(())
    }

    pub(crate) fn fail(&self, error: Error) {
        self.durable().failure.get_or_insert(error);
    }

    pub(crate) fn put_off_merge(&self, error: Error) {
        self.durable().merge_put_off = Some(error);
    }
}

impl Store {
    /// Opens the store of a folder as of its last flush, or creates it. Starts the merging thread.
    pub fn open(folder: &Path, options: &Options) -> Result<Opened, Error> {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let manifest = Manifest::read(folder)?;
        if let Some(found) = manifest.as_ref().map(|manifest| manifest.version)
            && found != options.version
        {
            return Err(Error::OtherVersion { found });
        }
        let is_new = manifest.is_none();
        let manifest = manifest.unwrap_or_default();
        delete_unnamed(folder, &manifest)?;
        let content = content_of(folder, options, &manifest)?;
        let state =
            manifest.state.map(|file| StoreFile::open(folder, file.number, file.bytes)).transpose()?;
        let state = state.map(Arc::new).zip(manifest.state.map(|file| file.bytes));
        let states =
            state.as_ref().map_or_else(|| Ok(Vec::new()), |(file, bytes)| read_states(file, *bytes))?;
        let reader = Reader {
            current: Arc::new(RwLock::new(Arc::new(content))),
            cache: Arc::new(BlockCache::new(options.cache_bytes)),
        };
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            reader,
            next_file: AtomicU64::new(manifest.next_file),
            version: options.version,
            durable: Mutex::new(Durable { mark: manifest.mark, state: manifest.state, ..Durable::default() }),
        });
        if is_new {
            shared.write_manifest(&shared.durable(), &shared.reader.version().content, None)?;
        }
        let store = Store {
            merger: Merger::start(shared.clone()).map_err(Error::io(folder))?,
            shared,
            kept: options.logs.clone(),
            memory_bytes_max: options.memory_bytes,
            records: options.logs.iter().map(|_| MemoryBlock::default()).collect(),
            entries: options.indexes.iter().map(|_| Vec::new()).collect(),
            state,
        };
        Ok(Opened { store, state: states })
    }

    pub fn reader(&self) -> Reader {
        self.shared.reader.clone()
    }

    /// The store as of the last commit.
    pub fn version(&self) -> Version {
        self.shared.reader.version()
    }

    /// Appends a record. Numbers rise and times do not fall.
    pub fn append(&mut self, log: usize, number: u64, at: i64, record: &[u8]) {
        self.records[log].push(number, at, record);
    }

    /// Adds a value to the list of a key.
    pub fn add(&mut self, index: usize, key: Key, value: u64) {
        self.entries[index].push((key, value));
    }

    /// Makes everything that was appended and added visible to readers. Nothing is written.
    pub fn commit(&mut self, mark: Mark) -> Result<(), Error> {
        let before = self.version();
        let mut logs: Vec<Vec<Arc<MemoryBlock>>> =
            before.content.logs.iter().map(|log| log.memory.clone()).collect();
        for (memory, added) in logs.iter_mut().zip(&mut self.records) {
            memory_log::extend(memory, std::mem::take(added));
        }
        let mut indexes = Vec::with_capacity(self.entries.len());
        for (index, entries) in before.content.indexes.iter().zip(&mut self.entries) {
            let mut memory = index.memory.clone();
            if !entries.is_empty() {
                memory.push(Arc::new(sorted(index.order, entries)));
                merge_in_memory(index.order, &mut memory)?;
            }
            indexes.push(memory);
        }
        let _installing = self.shared.durable();
        let mut content = Content::clone(&self.version().content);
        content.mark = mark;
        content.logs.iter_mut().zip(logs).for_each(|(log, memory)| log.memory = memory);
        content.indexes.iter_mut().zip(indexes).for_each(|(index, memory)| index.memory = memory);
        self.shared.reader.publish(Arc::new(content));
        Ok(())
    }

    /// The bytes of committed records and entries that are in no file.
    pub fn memory_bytes(&self) -> usize {
        let version = self.version();
        let blocks = version.content.logs.iter().flat_map(|log| &log.memory).map(|block| block.bytes());
        let runs = version.content.indexes.iter().flat_map(|index| &index.memory);
        blocks.sum::<usize>() + runs.map(|run| run.bytes as usize).sum::<usize>()
    }

    pub fn is_full(&self) -> bool {
        self.memory_bytes() >= self.memory_bytes_max
    }

    /// Why runs could not be merged the last time, once. A later flush tries again.
    pub fn take_merge_put_off(&mut self) -> Option<Error> {
        self.shared.durable().merge_put_off.take()
    }

    /// The length of the stored state.
    pub fn state_bytes(&self) -> u64 {
        self.state.as_ref().map_or(0, |(_, bytes)| *bytes)
    }

    /// Writes all that was committed to files and makes it durable, up to the mark of the last commit. After a failure
    /// everything is still in memory, and no new file is left. The next attempt must replace the state.
    pub fn flush(&mut self, state: State) -> Result<(), Error> {
        if let Some(failure) = self.shared.durable().failure.take() {
            return Err(failure);
        }
        let before = self.version();
        let mut runs = Vec::with_capacity(before.content.indexes.len());
        for index in &before.content.indexes {
            runs.push(self.write_run(index)?);
        }
        let mut logs = Vec::with_capacity(before.content.logs.len());
        let mut dropped = Vec::new();
        for (log, kept) in before.content.logs.iter().zip(&self.kept) {
            let oldest = kept.map_or(i64::MIN, |kept| before.mark().at.saturating_sub(kept));
            logs.push(self.write_log(log, oldest, &mut dropped)?);
        }
        let state = self.write_state(state)?;
        let mut durable = self.shared.durable();
        let written = Durable {
            mark: before.mark(),
            state: state.as_ref().map(|(file, bytes)| NamedFile { number: file.number, bytes: *bytes }),
            ..Durable::default()
        };
        let mut content = Content::clone(&self.version().content);
        for (index, run) in content.indexes.iter_mut().zip(runs) {
            index.memory.clear();
            Arc::make_mut(&mut index.files).extend(run.map(Arc::new));
        }
        content.logs = logs;
        self.shared.write_manifest(&written, &content, state.as_ref().map(|(file, _)| &**file))?;
        (durable.mark, durable.state) = (written.mark, written.state);
        self.shared.reader.publish(Arc::new(content));
        drop(durable);
        dropped.iter().for_each(|segment| segment.file.retire());
        let kept = state.as_ref().map(|(file, _)| file.number);
        let replaced = std::mem::replace(&mut self.state, state);
        replaced.iter().filter(|(file, _)| Some(file.number) != kept).for_each(|(file, _)| file.retire());
        self.merger.wake();
        Ok(())
    }

    fn write_run(&self, index: &Index) -> Result<Option<Run>, Error> {
        if index.memory.is_empty() {
            return Ok(None);
        }
        let runs: Vec<&Run> = index.memory.iter().map(|run| &**run).collect();
        merging::write_merged(&self.shared, &runs, index.order, || true)
    }

    /// The log with the records of its memory in segments, without segments that ended before `oldest`.
    fn write_log(&self, log: &Log, oldest: i64, dropped: &mut Vec<Arc<Segment>>) -> Result<Log, Error> {
        let mut segments = Vec::clone(&log.segments);
        let expired = segments.partition_point(|segment| segment.last.at < oldest);
        dropped.extend(segments.drain(..expired));
        if !log.memory.is_empty() {
            let last = segments.last().filter(|last| !last.is_complete()).cloned();
            let segment = match last {
                Some(last) => {
                    segments.pop();
                    Segment::clone(&last)
                }
                None => Segment::new(Arc::new(self.shared.create_file()?)),
            };
            let mut segment = segment.extended(log.memory.iter().map(|block| &**block))?;
            // A segment that began before `oldest` ends, so that it can be dropped in time.
            let is_old = segment.first().is_some_and(|first| first.at < oldest);
            if segment.data_bytes >= SEGMENT_BYTES || is_old {
                segment = segment.completed()?;
            }
            segment.file.sync()?;
            segments.push(Arc::new(segment));
        }
        Ok(Log { segments: Arc::new(segments), memory: Vec::new() })
    }

    /// The file of the state after a change of it.
    fn write_state(&self, state: State) -> Result<Option<StateFile>, Error> {
        let (bytes, present) = match state {
            State::Same => return Ok(self.state.clone()),
            State::Append(bytes) => (bytes, self.state.clone()),
            State::Replace(bytes) => (bytes, None),
        };
        let (file, start) = match present {
            Some(present) => present,
            None => (Arc::new(self.shared.create_file()?), 0),
        };
        let mut block = (bytes.len() as u64).to_be_bytes().to_vec();
        block.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
        block.extend_from_slice(&bytes);
        file.write_at(&block, start)?;
        file.sync()?;
        Ok(Some((file, start + block.len() as u64)))
    }
}

/// The entries as a run in memory. Leaves `entries` empty.
fn sorted(order: Order, entries: &mut Vec<(Key, u64)>) -> Run {
    match order {
        Order::Ascending => entries.sort_unstable(),
        Order::Added => entries.sort_by_key(|(key, _)| *key),
    }
    let mut writer = RunWriter::new(order);
    entries.drain(..).for_each(|(key, value)| writer.push(key, value));
    writer.end();
    Run::in_memory(order, writer)
}

/// Keeps the number of runs in memory small.
fn merge_in_memory(order: Order, runs: &mut Vec<Arc<Run>>) -> Result<(), Error> {
    let sizes: Vec<u64> = runs.iter().map(|run| run.bytes).collect();
    if let Some(start) = merging::suffix_to_merge(&sizes, merging::IN_MEMORY) {
        let merged: Vec<&Run> = runs[start..].iter().map(|run| &**run).collect();
        let writer = cursor::merge(&merged, order, |_| Ok(()))?;
        runs.truncate(start);
        runs.push(Arc::new(Run::in_memory(order, writer)));
    }
    Ok(())
}

fn content_of(folder: &Path, options: &Options, manifest: &Manifest) -> Result<Content, Error> {
    let none_of_runs = Vec::new();
    let mut indexes = Vec::with_capacity(options.indexes.len());
    for (place, order) in options.indexes.iter().enumerate() {
        let mut runs = Vec::new();
        for named in manifest.indexes.get(place).unwrap_or(&none_of_runs) {
            let file = StoreFile::open(folder, named.number, named.bytes)?;
            runs.push(Arc::new(Run::open(*order, file, named.bytes)?));
        }
        indexes.push(Index { order: *order, files: Arc::new(runs), memory: Vec::new() });
    }
    let none_of_segments = Vec::new();
    let mut logs = Vec::with_capacity(options.logs.len());
    for place in 0..options.logs.len() {
        let mut segments = Vec::new();
        for named in manifest.logs.get(place).unwrap_or(&none_of_segments) {
            let file = StoreFile::open(folder, named.file.number, named.file.bytes)?;
            segments.push(Arc::new(Segment::open(file, named.data_bytes, named.file.bytes, named.last)?));
        }
        logs.push(Log { segments: Arc::new(segments), memory: Vec::new() });
    }
    Ok(Content { mark: manifest.mark, logs, indexes })
}

/// Deletes files that a crash left behind.
fn delete_unnamed(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    let named: Vec<u64> = manifest.numbers().collect();
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if files::number_of(&path).is_some_and(|number| !named.contains(&number)) {
            std::fs::remove_file(&path).map_err(Error::io(&path))?;
        }
    }
    Ok(())
}

fn read_states(file: &StoreFile, bytes: u64) -> Result<Vec<Vec<u8>>, Error> {
    let all = file.read_at(bytes as usize, 0)?;
    let (mut rest, mut states) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let split = || {
            let (length, rest) = rest.split_first_chunk()?;
            let (checksum, rest) = rest.split_first_chunk()?;
            let length = usize::try_from(u64::from_be_bytes(*length)).ok()?;
            let (state, rest) = rest.split_at_checked(length)?;
            (crc32fast::hash(state) == u32::from_be_bytes(*checksum)).then_some((state, rest))
        };
        let (state, after) = split().ok_or_else(|| file.damaged("the stored state"))?;
        states.push(state.to_vec());
        rest = after;
    }
    Ok(states)
}
