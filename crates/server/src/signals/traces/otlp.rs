//! The thread that exports traces with OTLP: protobuf over HTTP, by the crate `opentelemetry-otlp`. It takes what
//! waits in the queue a few times a second, so that a request never has to wake it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{Receiver, TryRecvError};
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanExporter as _, SpanLinks};
use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::crypto::ring;
use tokio::runtime::{Builder, Runtime};

use super::{TraceCounters, TraceError, TraceSettings, TracedRequest};
use crate::signals::log_limiter::LogLimiter;

/// How often the queue is emptied.
const POLL_EVERY: Duration = Duration::from_millis(100);
/// Requests in one export.
const BATCH_MAX: usize = 512;
const TIMEOUT: Duration = Duration::from_secs(5);
/// How often a failing collector is logged.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// Starts the thread. It drops `end` when the queue is closed and empty.
pub(super) fn export(
    settings: &TraceSettings,
    received: Receiver<TracedRequest>,
    counters: Arc<TraceCounters>,
    end: SyncSender<()>,
) -> Result<(), TraceError> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(TraceError::Thread)?;
    let exporter = exporter(settings).map_err(TraceError::Start)?;
    let worker = Worker { exporter, runtime, received, counters, scope: scope() };
    let work = move || {
        worker.run();
        drop(end);
    };
    thread::Builder::new().name("traces".to_owned()).spawn(work).map_err(TraceError::Thread)?;
    Ok(())
}

/// No proxy and no redirects: spans go to the configured address only. The crate adds the headers of
/// `OTEL_EXPORTER_OTLP_HEADERS`.
fn exporter(settings: &TraceSettings) -> Result<SpanExporter, String> {
    // Fails if another crate installed a provider first; any provider will do.
    let _ = ring::default_provider().install_default();
    let mut client = Client::builder()
        .timeout(TIMEOUT)
        .redirect(Policy::none())
        .no_proxy()
        .user_agent(concat!("bellwether/", env!("CARGO_PKG_VERSION")));
    if settings.endpoint().scheme() == "http" {
        client = client.tls_certs_only([]);
    }
    let client = client.build().map_err(|error| error.to_string())?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(client)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(settings.endpoint().as_str())
        .with_timeout(TIMEOUT);
    let mut exporter = exporter.build().map_err(|error| error.to_string())?;
    exporter.set_resource(&resource());
    Ok(exporter)
}

/// The node, as collectors name it. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` add to it.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let mut builder = Resource::builder().with_attribute(version);
    if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
        builder = builder.with_service_name("bellwether");
    }
    builder.build()
}

fn scope() -> InstrumentationScope {
    InstrumentationScope::builder("bellwether").with_version(env!("CARGO_PKG_VERSION")).build()
}

struct Worker {
    exporter: SpanExporter,
    runtime: Runtime,
    received: Receiver<TracedRequest>,
    counters: Arc<TraceCounters>,
    scope: InstrumentationScope,
}

impl Worker {
    fn run(self) {
        let failures = LogLimiter::new(LOG_EVERY);
        loop {
            let (batch, is_ended) = self.take();
            let is_full = batch.len() == BATCH_MAX;
            if !batch.is_empty() {
                self.send(&batch, &failures);
            }
            match is_ended {
                true => return,
                false if is_full => {}
                false => thread::sleep(POLL_EVERY),
            }
        }
    }

    /// Requests that wait now, and whether no further ones will come.
    fn take(&self) -> (Vec<TracedRequest>, bool) {
        let mut batch = Vec::new();
        while batch.len() < BATCH_MAX {
            match self.received.try_recv() {
                Ok(traced) => batch.push(traced),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return (batch, true),
            }
        }
        (batch, false)
    }

    fn send(&self, batch: &[TracedRequest], failures: &LogLimiter) {
        let clock = WallClock::now();
        let spans = batch.iter().flat_map(|traced| spans(traced, &clock, &self.scope)).collect();
        let requests = batch.len() as u64;
        match self.runtime.block_on(self.exporter.export(spans)) {
            Ok(()) => self.counters.exported.fetch_add(requests, Ordering::Relaxed),
            Err(error) => {
                if failures.pass().is_some() {
                    tracing::warn!(%error, "the collector does not take traces; the spans are lost");
                }
                self.counters.failed.fetch_add(requests, Ordering::Relaxed)
            }
        };
    }
}

/// Converts times of the monotonic clock, with one reading of both clocks for a batch.
struct WallClock {
    instant: Instant,
    time: SystemTime,
}

impl WallClock {
    fn now() -> WallClock {
        WallClock { instant: Instant::now(), time: SystemTime::now() }
    }

    fn time_of(&self, instant: Instant) -> SystemTime {
        self.time - self.instant.saturating_duration_since(instant)
    }
}

/// The span of a request, then those of its stages.
fn spans(traced: &TracedRequest, clock: &WallClock, scope: &InstrumentationScope) -> Vec<SpanData> {
    let trace = &traced.trace;
    let span = |id: u64, parent: Option<u64>, name, begin, end| SpanData {
        span_context: SpanContext::new(
            TraceId::from(trace.trace),
            SpanId::from(id),
            TraceFlags::SAMPLED,
            false,
            TraceState::default(),
        ),
        parent_span_id: parent.map_or(SpanId::INVALID, SpanId::from),
        parent_span_is_remote: false,
        span_kind: SpanKind::Internal,
        name,
        start_time: clock.time_of(begin),
        end_time: clock.time_of(end),
        attributes: Vec::new(),
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links: SpanLinks::default(),
        status: Status::Unset,
        instrumentation_scope: scope.clone(),
    };
    // A lane takes the time of its turn, which may have begun just before the decision.
    let decided = trace.writes.iter().filter_map(|write| write.decided_at()).max();
    let ended = decided.map_or(traced.ended, |decided| decided.max(traced.ended));
    let name = format!("{} {}", traced.method, traced.route);
    let root = SpanData {
        parent_span_is_remote: trace.parent.is_some(),
        span_kind: SpanKind::Server,
        attributes: attributes(traced),
        status: if traced.status >= 500 { Status::error("") } else { Status::Unset },
        ..span(trace.span, trace.parent, name.into(), traced.began, ended)
    };
    let mut spans = vec![root];
    for (stage, begin, end) in trace.writes.iter().filter_map(|write| write.stages(ended)).flatten() {
        spans.push(span(fastrand::u64(1..), Some(trace.span), stage.into(), begin, end));
    }
    spans
}

fn attributes(traced: &TracedRequest) -> Vec<KeyValue> {
    let mut attributes = vec![
        KeyValue::new("http.request.method", traced.method),
        KeyValue::new("http.route", traced.route),
        KeyValue::new("http.response.status_code", i64::from(traced.status)),
        KeyValue::new("bellwether.request.id", traced.id.as_str().to_owned()),
    ];
    if let Some(command) = traced.command {
        attributes.push(KeyValue::new("bellwether.command.id", command.to_string()));
    }
    // Of several writes the last one has the result.
    if let Some(sequence) = traced.trace.writes.last().and_then(|write| write.sequence()) {
        attributes.push(KeyValue::new("bellwether.sequence", i64::try_from(sequence).unwrap_or(i64::MAX)));
    }
    attributes
}
