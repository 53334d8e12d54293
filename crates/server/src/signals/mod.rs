//! Signals of a node: request ids, counters and histograms that the hot path updates, and an hour of samples.
//!
//! Counters are relaxed atomics, per thread where several threads would write one. Nothing here takes a lock or
//! allocates for a request. `routes/metrics.rs` writes the values as text; `text` has the format.

pub mod access_lines;
pub mod histogram;
pub mod log_limiter;
pub mod process;
pub mod refusals;
pub mod request_id;
pub mod requests;
pub mod samples;
pub mod stages;
pub mod text;
pub mod traces;
pub mod venue;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime};

use exchange::numbers::Currency;
use tracing::Level;

use access_lines::AccessLines;
use histogram::Durations;
use process::{Figures, KeptFigures};
use refusals::RefusalCounters;
use requests::RequestCounters;
use samples::{Samples, Totals};
use traces::Traces;
use venue::VenueCounters;

/// Probes of supervisors and load balancers.
pub(crate) const PROBES: [&str; 3] = ["/health", "/v1/health", "/ready"];
/// The route that a monitoring system scrapes.
const METRICS: &str = "/metrics";

/// The signals that the edge of a node writes. The pipeline's own are in `WriterStatus`.
#[derive(Debug)]
pub struct Signals {
    pub requests: RequestCounters,
    pub refusals: Arc<RefusalCounters>,
    pub venue: Arc<VenueCounters>,
    pub samples: Samples,
    started: SystemTime,
    /// The data folder; set where the node has one.
    folder: OnceLock<PathBuf>,
    figures: KeptFigures,
    /// Set where traces are exported.
    traces: OnceLock<Traces>,
    /// Set where requests are logged.
    access_lines: OnceLock<Arc<AccessLines>>,
}

impl Signals {
    pub fn new(
        requests: RequestCounters,
        refusals: Arc<RefusalCounters>,
        venue: Arc<VenueCounters>,
    ) -> Signals {
        Signals {
            requests,
            refusals,
            venue,
            samples: Samples::default(),
            started: SystemTime::now(),
            folder: OnceLock::new(),
            figures: KeptFigures::default(),
            traces: OnceLock::new(),
            access_lines: OnceLock::new(),
        }
    }

    /// When the process began to serve, in Unix seconds.
    pub fn started_seconds(&self) -> u64 {
        self.started.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    /// Names the data folder, whose size metrics report. Only the first call has an effect.
    pub fn watch_folder(&self, folder: PathBuf) {
        let _ = self.folder.set(folder);
    }

    /// Figures of the process and of the data folder, at most a few seconds old. `None` if the runtime ends.
    pub async fn figures(&self) -> Option<Figures> {
        self.figures.read(self.folder.get().cloned(), Instant::now()).await
    }

    /// Samples requests for traces from now on. Only the first call has an effect.
    pub fn export_traces(&self, traces: Traces) {
        let _ = self.traces.set(traces);
    }

    pub fn traces(&self) -> Option<&Traces> {
        self.traces.get()
    }

    /// Logs a line for each response from now on. Only the first call has an effect.
    pub fn log_accesses(&self, lines: Arc<AccessLines>) {
        let _ = self.access_lines.set(lines);
    }

    pub fn access_lines(&self) -> Option<&AccessLines> {
        self.access_lines.get().map(Arc::as_ref)
    }

    /// The access log and the level of a response's line, if the log wants the line.
    pub fn lines_for(&self, status: u16, is_probe: bool) -> Option<(&AccessLines, Level)> {
        let lines = self.access_lines()?;
        // A failing probe has its reasons in its response, and comes again every few seconds.
        let level = if is_probe { Level::DEBUG } else { lines.level_of(status) };
        lines.is_wanted(level).then_some((lines, level))
    }

    /// Takes the sample of a minute, if it is due. `now` is in Unix seconds; `applied` is the number of commands applied
    /// since the start. Probes and scrapes are not counted: on a quiet venue the response times would be theirs.
    pub fn sample(&self, now: i64, applied: u64) {
        let mut durations = Durations::default().counts();
        let mut errors = 0;
        let is_of_people = |route: &str| route != METRICS && !PROBES.contains(&route);
        for route in self.requests.counts().iter().filter(|counts| is_of_people(counts.route)) {
            durations.add(&route.durations);
            errors += route.classes[4];
        }
        let venue = Currency::ALL.map(|currency| self.venue.totals(currency));
        self.samples.take(now, Totals { durations, errors, applied, venue }, |currency, since| {
            self.venue.traders_since(currency, since)
        });
        self.venue.prune(now);
    }
}
