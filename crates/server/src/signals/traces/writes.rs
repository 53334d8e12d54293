//! The stages of a traced write. The edge creates a `WriteTrace`, the pipeline notes its times, which it measures for
//! the metrics anyway, and the export reads them.
//!
//! A lane passes the trace with the request. A handler behind hyper submits from within a task, so the trace is found
//! through the task: `watch` runs a traced request, and `begin` adds a write to it.

use std::cell::RefCell;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::signals::stages::GroupTimes;

/// Writes of one request that are traced.
const WRITES_MAX: usize = 16;

tokio::task_local! {
    static NOTED: RefCell<Vec<Arc<WriteTrace>>>;
}

/// The times of a write.
#[derive(Debug, Default)]
pub struct WriteTrace {
    queued_at: OnceLock<Instant>,
    decision: OnceLock<Decision>,
}

/// A write after its decision.
#[derive(Debug)]
struct Decision {
    group: GroupTimes,
    at: Instant,
    sequence: u64,
}

/// A stage of a write: its name, begin and end.
pub type Stage = (&'static str, Instant, Instant);

impl WriteTrace {
    /// Notes that the request was queued.
    pub fn queue(&self, at: Instant) {
        // A request is queued once.
        let _ = self.queued_at.set(at);
    }

    /// Notes the decision of the request, which happens now, and the times of its group.
    pub fn decide(&self, group: GroupTimes, sequence: u64) {
        let _ = self.decision.set(Decision { group, at: Instant::now(), sequence });
    }

    /// The stages in order, without gaps. `ended` is when the response was ready. `None` if the write was not decided.
    pub fn stages(&self, ended: Instant) -> Option<[Stage; 5]> {
        let (queued, decision) = (*self.queued_at.get()?, self.decision.get()?);
        // A request that was queued after the group began has not waited.
        let taken = decision.group.taken_at.max(queued);
        let filled = decision.group.filled_at.max(taken);
        let durable = decision.group.durable_at.max(filled);
        let decided = decision.at.max(durable);
        Some([
            ("queue", queued, taken),
            ("group", taken, filled),
            ("commit", filled, durable),
            ("apply", durable, decided),
            ("answer", decided, ended.max(decided)),
        ])
    }

    /// When the request was decided.
    pub fn decided_at(&self) -> Option<Instant> {
        self.decision.get().map(|decision| decision.at)
    }

    pub fn sequence(&self) -> Option<u64> {
        self.decision.get().map(|decision| decision.sequence)
    }
}

/// Runs a traced request.
pub(crate) fn watch<T>(request: impl Future<Output = T>) -> impl Future<Output = T> {
    NOTED.scope(RefCell::default(), request)
}

/// A trace for the write that the current task submits, if its request is traced.
pub(crate) fn begin() -> Option<Arc<WriteTrace>> {
    let note = |noted: &RefCell<Vec<_>>| {
        let mut noted = noted.borrow_mut();
        (noted.len() < WRITES_MAX).then(|| {
            let write = Arc::new(WriteTrace::default());
            noted.push(write.clone());
            write
        })
    };
    NOTED.try_with(note).ok().flatten()
}

/// The writes of the current task so far.
pub(super) fn take_noted() -> Vec<Arc<WriteTrace>> {
    NOTED.try_with(RefCell::take).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_stages_of_a_write_follow_each_other_without_gaps() {
        let (write, begin) = (WriteTrace::default(), Instant::now());
        let at = |millis: u64| begin + Duration::from_millis(millis);
        assert_eq!(write.stages(at(9)), None, "not queued");
        write.queue(at(2));
        assert_eq!(write.stages(at(9)), None, "not decided");
        // The group began before the request was queued.
        write.decide(GroupTimes { taken_at: at(1), filled_at: at(3), durable_at: at(5) }, 7);
        let far = at(100_000);
        let stages = write.stages(far).expect("stages");
        let names: Vec<_> = stages.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, ["queue", "group", "commit", "apply", "answer"]);
        assert_eq!((stages[0].1, stages[0].2), (at(2), at(2)), "it has not waited");
        assert_eq!((stages[1].2, stages[2].2, stages[4].2), (at(3), at(5), far));
        assert!(stages.windows(2).all(|pair| pair[0].2 == pair[1].1));
        assert_eq!(write.sequence(), Some(7));
    }

    #[tokio::test]
    async fn a_write_is_noted_only_inside_a_traced_request() {
        assert!(begin().is_none());
        let noted = watch(async {
            let writes: Vec<_> = (0..20).filter_map(|_| begin()).collect();
            (writes.len(), take_noted().len(), take_noted().len())
        });
        assert_eq!(noted.await, (WRITES_MAX, WRITES_MAX, 0));
    }
}
