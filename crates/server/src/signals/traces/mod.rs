//! Traces for OpenTelemetry. A sampled request has a span from its head to its response; a write has one more for each
//! stage (`writes`). The edge begins and ends spans; `otlp` exports them from a thread of its own. Without an endpoint
//! nothing is sampled, and a request costs one comparison.
//!
//! A span has ids, a route, a status and times. It names no caller: the request id leads to the line of the access log.

mod settings;
pub mod writes;

#[cfg(feature = "otel")]
mod otlp;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, sync_channel};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use uuid::Uuid;

pub use settings::{TraceFault, TraceSettings};
pub use writes::WriteTrace;

use super::request_id::{RequestId, TraceParent};

/// Whether this build can export traces.
pub const IS_BUILT: bool = cfg!(feature = "otel");
/// Requests that may wait for the export. Further ones are dropped and counted.
pub const QUEUE_MAX: usize = 16_384;
/// How long a stop waits for the last spans.
const FINISH_MAX: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("this build cannot export traces: build it with `--features otel`")]
    NotBuilt,
    #[error("cannot start the export of traces: {0}")]
    Start(String),
    #[error("cannot start the thread that exports traces: {0}")]
    Thread(io::Error),
}

/// Samples requests, and queues them for the export when they have ended.
#[derive(Debug)]
pub struct Traces {
    /// A request is sampled if a random number is below it; all are sampled at the maximum.
    threshold: u64,
    queue: Sender<TracedRequest>,
    counters: Arc<TraceCounters>,
}

/// Sampled requests by what became of them.
#[derive(Debug, Default)]
pub struct TraceCounters {
    exported: AtomicU64,
    /// The queue was full.
    dropped: AtomicU64,
    /// The collector did not take them.
    failed: AtomicU64,
}

/// The thread that exports. It ends when its `Traces` is dropped.
#[derive(Debug)]
pub struct TraceExport {
    ended: mpsc::Receiver<()>,
}

/// A sampled request in flight.
#[cfg_attr(not(feature = "otel"), allow(dead_code, reason = "only the export reads all of it"))]
#[derive(Debug)]
pub struct ActiveTrace {
    trace: u128,
    span: u64,
    /// The span of the caller, if it sent one.
    parent: Option<u64>,
    writes: Vec<Arc<WriteTrace>>,
}

/// A sampled request that has its response.
#[cfg_attr(not(feature = "otel"), allow(dead_code, reason = "only the export reads it"))]
#[derive(Debug)]
pub struct TracedRequest {
    pub(crate) trace: Box<ActiveTrace>,
    pub(crate) id: RequestId,
    pub(crate) method: &'static str,
    /// The pattern of the path, never the path itself.
    pub(crate) route: &'static str,
    pub(crate) status: u16,
    /// The order or other object that the request is about.
    pub(crate) command: Option<Uuid>,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
}

/// Starts the export.
pub fn start(settings: &TraceSettings) -> Result<(Traces, TraceExport), TraceError> {
    let (traces, received) = Traces::new(settings.sample());
    let (end, ended) = sync_channel(0);
    export(settings, received, traces.counters.clone(), end)?;
    Ok((traces, TraceExport { ended }))
}

#[cfg(feature = "otel")]
use otlp::export;

#[cfg(not(feature = "otel"))]
fn export(
    _: &TraceSettings,
    _: Receiver<TracedRequest>,
    _: Arc<TraceCounters>,
    _: mpsc::SyncSender<()>,
) -> Result<(), TraceError> {
    Err(TraceError::NotBuilt)
}

impl TraceExport {
    /// Waits until the last spans are exported, but not long. Their `Traces` must have been dropped.
    pub fn finish(self) {
        // The thread only drops its end of the channel.
        let _ = self.ended.recv_timeout(FINISH_MAX);
    }
}

impl Traces {
    fn new(sample: f64) -> (Traces, Receiver<TracedRequest>) {
        let (queue, received) = bounded(QUEUE_MAX);
        // Saturates at the maximum for 1.
        let threshold = (sample * 2f64.powi(64)) as u64;
        (Traces { threshold, queue, counters: Arc::default() }, received)
    }

    /// Begins the trace of a request, if it is sampled. It continues the trace of a caller that records it. Whether
    /// such a request is sampled is decided here too: any client can set the flag.
    pub(crate) fn begin(&self, traceparent: Option<&[u8]>) -> Option<Box<ActiveTrace>> {
        let caller = traceparent.and_then(TraceParent::read);
        let is_unrecorded = caller.is_some_and(|caller| !caller.is_sampled);
        if is_unrecorded || (self.threshold < u64::MAX && fastrand::u64(..) >= self.threshold) {
            return None;
        }
        let (trace, parent) = match caller {
            Some(caller) => (number(caller.trace), u64::try_from(number(caller.parent)).ok()),
            None => (fastrand::u128(1..), None),
        };
        Some(Box::new(ActiveTrace { trace, span: fastrand::u64(1..), parent, writes: Vec::new() }))
    }

    /// Queues the spans of a request. Never waits.
    pub(crate) fn end(&self, traced: TracedRequest) {
        if self.queue.try_send(traced).is_err() {
            self.counters.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn counters(&self) -> &TraceCounters {
        &self.counters
    }
}

impl TraceCounters {
    /// Outcomes with their counts.
    pub fn outcomes(&self) -> [(&'static str, u64); 3] {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [("exported", load(&self.exported)), ("dropped", load(&self.dropped)), ("failed", load(&self.failed))]
    }
}

impl ActiveTrace {
    /// The trace of a write that the request submits next.
    pub(crate) fn begin_write(&mut self) -> Arc<WriteTrace> {
        let write = Arc::new(WriteTrace::default());
        self.writes.push(write.clone());
        write
    }

    /// Adds the writes that were noted while the request ran as a task.
    pub(crate) fn take_noted_writes(&mut self) {
        self.writes.extend(writes::take_noted());
    }

    /// The trace id in hexadecimal.
    pub(crate) fn id(&self) -> String {
        format!("{:032x}", self.trace)
    }
}

/// The number of lower-case hexadecimal digits.
fn number(digits: &[u8]) -> u128 {
    let value = |digit: u8| if digit.is_ascii_digit() { digit - b'0' } else { digit - b'a' + 10 };
    digits.iter().fold(0, |number, digit| number << 4 | u128::from(value(*digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &[u8] = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const UNRECORDED: &[u8] = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

    fn traced(trace: Box<ActiveTrace>) -> TracedRequest {
        let (id, now) = (RequestId::new(), Instant::now());
        let (method, route) = ("GET", "/ready");
        TracedRequest { trace, id, method, route, status: 200, command: None, began: now, ended: now }
    }

    #[test]
    fn a_trace_continues_that_of_its_caller_unless_the_caller_does_not_record_it() {
        let (traces, _received) = Traces::new(1.0);
        let continued = traces.begin(Some(PARENT)).expect("a trace");
        assert_eq!(continued.id(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(continued.parent, Some(0x00f0_67aa_0ba9_02b7));
        assert!(traces.begin(Some(UNRECORDED)).is_none());
        let (one, other) =
            (traces.begin(None).expect("a trace"), traces.begin(Some(b"00-x")).expect("a trace"));
        assert!(one.parent.is_none() && other.parent.is_none());
        assert!(one.trace != other.trace && one.span != other.span);
        assert_eq!(one.id().len(), 32);
    }

    #[test]
    fn the_setting_decides_how_many_requests_are_sampled_also_those_of_a_recording_caller() {
        let sampled = |sample: f64, parent: Option<&[u8]>| {
            let (traces, _received) = Traces::new(sample);
            (0..10_000).filter(|_| traces.begin(parent).is_some()).count()
        };
        for parent in [None, Some(PARENT)] {
            assert_eq!((sampled(0.0, parent), sampled(1.0, parent)), (0, 10_000));
            let tenth = sampled(0.1, parent);
            assert!((700..1_300).contains(&tenth), "{tenth}");
        }
    }

    #[test]
    fn a_full_queue_drops_and_counts() {
        let (traces, received) = Traces::new(1.0);
        for _ in 0..QUEUE_MAX + 5 {
            traces.end(traced(traces.begin(None).expect("a trace")));
        }
        assert_eq!(traces.counters().outcomes(), [("exported", 0), ("dropped", 5), ("failed", 0)]);
        assert_eq!(received.len(), QUEUE_MAX);
    }

    #[cfg(not(feature = "otel"))]
    #[test]
    fn a_build_without_the_feature_refuses_to_export() {
        let settings = TraceSettings::new("http://127.0.0.1:4318", 1.0).expect("settings");
        assert!(matches!(start(&settings), Err(TraceError::NotBuilt)));
    }
}
