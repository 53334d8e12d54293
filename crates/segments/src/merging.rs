//! Merging of runs, so that a list is in few of them: a thread of low priority, woken by each flush.
//!
//! Runs are merged in tiers: as soon as four runs (eight in memory) are of one tier, they and all newer runs become one
//! run. An entry is therefore rewritten about once per tier, and the number of runs grows with the logarithm of their
//! size.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::run::Run;
use crate::store::Shared;
use crate::{Error, Order, cursor};

/// How many runs of a tier become one, and the largest run of the lowest tier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiers {
    fanout: u64,
    lowest: u64,
}

pub(crate) const IN_MEMORY: Tiers = Tiers { fanout: 8, lowest: 8 << 10 };
const IN_FILES: Tiers = Tiers { fanout: 4, lowest: 256 << 10 };
/// Added to the nice value of the thread.
const NICENESS: i32 = 10;
/// Blocks are written to a file when there are this many bytes of them.
const WRITTEN_AT_ONCE: usize = 1 << 20;

/// Stops and joins the thread on drop.
#[derive(Debug)]
pub(crate) struct Merger {
    wake: Option<SyncSender<()>>,
    is_stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Merger {
    pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<Merger> {
        let (wake, woken) = sync_channel(1);
        let is_stopping = Arc::new(AtomicBool::new(false));
        let work = {
            let is_stopping = is_stopping.clone();
            move || run(&shared, &woken, &is_stopping)
        };
        let thread = thread::Builder::new().name("history-merge".to_owned()).spawn(work)?;
        let merger = Merger { wake: Some(wake), is_stopping, thread: Some(thread) };
        merger.wake();
        Ok(merger)
    }

    pub(crate) fn wake(&self) {
        // A full channel already holds a signal.
        let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
    }
}

impl Drop for Merger {
    fn drop(&mut self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        drop(self.wake.take());
        // A panic of the thread leaves the store as it was.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn run(shared: &Arc<Shared>, woken: &Receiver<()>, is_stopping: &AtomicBool) {
    // Linux applies the value to the calling thread only. A refusal is harmless.
    let _ = rustix::process::nice(NICENESS);
    let is_wanted = || !is_stopping.load(Ordering::Relaxed);
    while woken.recv().is_ok() {
        while is_wanted() {
            match merge_one(shared, is_wanted) {
                Ok(true) => {}
                Ok(false) => break,
                // The next flush wakes this thread again.
                Err(error) if error.is_transient() => {
                    shared.put_off_merge(error);
                    break;
                }
                Err(error) => {
                    shared.fail(error);
                    return;
                }
            }
        }
    }
}

/// Merges some runs of one index; false if none need it.
fn merge_one(shared: &Arc<Shared>, is_wanted: impl Fn() -> bool) -> Result<bool, Error> {
    let version = shared.reader.version();
    for (place, index) in version.content.indexes.iter().enumerate() {
        let sizes: Vec<u64> = index.files.iter().map(|run| run.bytes).collect();
        let Some(start) = suffix_to_merge(&sizes, IN_FILES) else { continue };
        let merged = &index.files[start..];
        let runs: Vec<&Run> = merged.iter().map(|run| &**run).collect();
        let Some(run) = write_merged(shared, &runs, index.order, &is_wanted)? else { return Ok(false) };
        shared.replace_runs(place, merged, run)?;
        return Ok(true);
    }
    Ok(false)
}

/// Writes the entries of several runs to a new, durable file. None if that is no longer wanted.
pub(crate) fn write_merged(
    shared: &Shared,
    runs: &[&Run],
    order: Order,
    is_wanted: impl Fn() -> bool,
) -> Result<Option<Run>, Error> {
    let file = shared.create_file()?;
    let mut end = 0;
    let mut is_stopped = false;
    let merged = cursor::merge(runs, order, |writer| {
        is_stopped |= !is_wanted();
        if writer.bytes.len() >= WRITTEN_AT_ONCE && !is_stopped {
            let (offset, bytes) = writer.take_blocks();
            file.write_at(&bytes, offset)?;
            end = offset + bytes.len() as u64;
        }
        Ok(())
    });
    let mut writer = merged?;
    if is_stopped {
        return Ok(None);
    }
    let (offset, bytes) = writer.take_blocks();
    file.write_at(&bytes, offset)?;
    end = end.max(offset + bytes.len() as u64);
    let run = Run::in_file(order, writer, file, end)?;
    run.sync()?;
    Ok(Some(run))
}

/// Where the newest runs begin that should become one; sizes are oldest first.
pub(crate) fn suffix_to_merge(sizes: &[u64], Tiers { fanout, lowest }: Tiers) -> Option<usize> {
    let tier = |size: u64| (size / lowest).checked_ilog(fanout).map_or(0, |tier| tier + 1);
    let highest = sizes.iter().map(|size| tier(*size)).max()?;
    (0..=highest).find_map(|limit| {
        let newest = sizes.iter().rev().take_while(|size| tier(**size) <= limit);
        let (count, of_tier) = newest
            .fold((0, 0), |(count, of_tier), size| (count + 1, of_tier + u64::from(tier(*size) == limit)));
        (of_tier >= fanout).then(|| sizes.len() - count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_runs_stays_logarithmic_and_each_entry_is_rewritten_seldom() {
        let (mut sizes, mut rewritten) = (Vec::new(), 0);
        for _ in 0..10_000 {
            sizes.push(100);
            while let Some(start) = suffix_to_merge(&sizes, Tiers { fanout: 4, lowest: 100 }) {
                let merged: u64 = sizes.drain(start..).sum();
                rewritten += merged;
                sizes.push(merged);
            }
            assert!(sizes.len() <= 24, "{sizes:?}");
        }
        assert_eq!(sizes.iter().sum::<u64>(), 1_000_000);
        assert!(rewritten < 8 * 1_000_000, "{rewritten}");
    }
}
