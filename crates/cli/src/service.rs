//! A node with its two listeners: bind, start, serve, drain, stop, in this order.
//!
//! `Node::stop` waits until it has the last reference to the `App`, which the routers also hold. Therefore everything that
//! serves runs in a separate runtime, which is shut down before the node is stopped.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use std::{fs, io, net};

use data_encoding::HEXLOWER;
use server::admin::access::{FirstOperatorError, ensure_first_operator};
use server::app::App;
use server::folder::{FolderLock, lock};
use server::http::admission::{Admission, AdmissionLimits};
use server::http::serving::{Timeouts, serve_with, serve_with_lanes, serve_with_tls};
use server::http::tls::{Tls, TlsError};
use server::low_disk::{Floor, LowDiskEffect, free_bytes, watch_disk};
use server::node::{Node, NodeError};
use server::pipeline::timekeeping::{Machine, WatchedClock};
use server::signals::traces::{self, TraceError, TraceExport, TraceSettings};
use server::startup::{Disks, StartError};
use server::web::GuideFile;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::descriptors::{DescriptorError, Share, open_now, raise_limit};
use crate::notify;
use crate::progress::Progress;
use crate::settings::Settings;

/// The settings are invalid; a restart does not help.
pub const WRONG_SETTINGS: u8 = 2;
/// The journal failed while the exchange ran.
const JOURNAL_FAILED: u8 = 3;
/// The live state differs from the journal's.
const DIGESTS_DIFFER: u8 = 4;
/// The stored data is unusable; a restart does not help.
const UNUSABLE: u8 = 5;

/// Clock adjustments up to this size are normal.
const BEHIND_MAX: Duration = Duration::from_secs(2);
const LOOK_AT_JOURNAL_EVERY: Duration = Duration::from_millis(200);
const LOOK_AT_SIGNALS_EVERY: Duration = Duration::from_secs(1);
/// How long tasks may run after the drain.
const LAST_MOMENT: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error("cannot listen on {address}: {cause}")]
    Listen { address: SocketAddr, cause: io::Error },
    #[error(transparent)]
    Descriptors(#[from] DescriptorError),
    #[error("cannot create the runtime: {0}")]
    Runtime(io::Error),
    #[error("cannot start the threads of the fast lane: {0}")]
    Lanes(io::Error),
    #[error("cannot install signal handlers: {0}")]
    Signals(io::Error),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Traces(#[from] TraceError),
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error(transparent)]
    Operator(#[from] FirstOperatorError),
}

impl ServiceError {
    /// Lets a supervisor distinguish failures that a restart may cure from those that need a person.
    pub fn exit_code(&self) -> ExitCode {
        use journal::Error::{BadRow, Corrupt, MissingFile, WrongFile};
        let error = match self {
            ServiceError::Node(NodeError::Start(error)) => error,
            ServiceError::Descriptors(_) | ServiceError::Tls(_) => return ExitCode::from(WRONG_SETTINGS),
            _ => return ExitCode::FAILURE,
        };
        match error {
            StartError::Journal(Corrupt { .. } | WrongFile { .. } | MissingFile { .. } | BadRow { .. })
            | StartError::Gap { .. }
            | StartError::Undecidable { .. }
            | StartError::NotASkip { .. }
            | StartError::OtherLog(_)
            | StartError::OtherJournal(_)
            | StartError::SharesLog { .. }
            | StartError::Rehearsal { .. }
            | StartError::NotARehearsal { .. } => ExitCode::from(UNUSABLE),
            StartError::Diverged { .. } => ExitCode::from(DIGESTS_DIFFER),
            StartError::Folder(_)
            | StartError::Journal(_)
            | StartError::WrongMasterKey
            | StartError::InUse { .. }
            | StartError::UnsureClock { .. }
            | StartError::NoMasterKey { .. }
            | StartError::MarkTaken { .. } => ExitCode::FAILURE,
        }
    }
}

/// A node that has replayed its journal and bound its addresses, but does not serve yet.
#[derive(Debug)]
pub struct Service {
    pub node: Node,
    pub address: SocketAddr,
    pub admin_address: SocketAddr,
    /// Whether this start created the first operator and wrote its token.
    pub has_new_operator: bool,
    admission: Arc<Admission>,
    admin_admission: Arc<Admission>,
    listener: net::TcpListener,
    admin_listener: net::TcpListener,
    data: PathBuf,
    low_disk: (Floor, LowDiskEffect),
    no_fast_lane: bool,
    /// How long a stopping node still serves.
    drain: Duration,
    tls: Option<Arc<Tls>>,
    traces: Option<TraceExport>,
    runtime: Runtime,
    signals: Signals,
}

impl Service {
    pub fn start(settings: &Settings) -> Result<Service, ServiceError> {
        let folder_lock = lock(&settings.data).map_err(NodeError::from)?;
        Service::start_on(settings, folder_lock, Hangup::Ignored)
    }

    /// Starts on a folder that is already locked. Binds first, so that an address in use fails before a long replay.
    pub fn start_on(
        settings: &Settings,
        folder_lock: FolderLock,
        hangup: Hangup,
    ) -> Result<Service, ServiceError> {
        let limit = raise_limit()?;
        let runtime = Builder::new_multi_thread().enable_all().build().map_err(ServiceError::Runtime)?;
        // First, because a replay may be long.
        ignore_signals(&runtime, hangup)?;
        let tls = settings.tls.clone().map(Tls::load).transpose()?.map(Arc::new);
        let (listener, address) = bind(settings.listen)?;
        let (admin_listener, admin_address) = bind(settings.admin_listen)?;
        let node = start_node(settings, folder_lock)?;
        log_findings(&node);
        node.app.feeds().declare(settings.feeds.clone());
        node.app.streams().configure(settings.streams.clone());
        if let Some(contact) = settings.web.contact() {
            node.app.notifying().name_contact(contact);
        }
        node.app.web().configure(settings.web.clone());
        node.app.web().add_guide(make_guide);
        let traces = settings.traces.as_ref().map(|traces| export_traces(&node.app, traces)).transpose()?;
        let sequence = node.app.reading().state().seq();
        let (snapshot, replayed) = (node.report.snapshot, node.report.replayed);
        tracing::info!(sequence, snapshot, replayed, "state restored");
        let has_new_operator = ensure_first_operator(&node.app, &settings.operator_token_file)?;
        if has_new_operator {
            let file = settings.operator_token_file.display();
            tracing::info!(%file, "created the first operator; this file has the only copy of its token");
        }
        // Until here a stop kills the process. From here on, when clients see the service, it stops in order.
        let signals = Signals::register(&runtime, hangup)?;
        // All permanent files are open by now, so that the rest is available for connections.
        let Share { connections_max, per_network_max } = settings.connections.share(limit, open_now())?;
        tracing::info!(connections_max, per_network_max, "limits on connections");
        let proxies = settings.web.proxies.clone();
        let limits = AdmissionLimits { connections_max, per_network_max, proxies: proxies.clone() };
        let admission = Arc::new(Admission::new(limits));
        let known_operators = node.app.limits().known_operators.clone();
        let admin_admission = Admission::for_operators(proxies, known_operators);
        node.app.watch_connections(admission.clone());
        Ok(Service {
            admission,
            admin_admission: Arc::new(admin_admission),
            node,
            address,
            admin_address,
            has_new_operator,
            listener,
            admin_listener,
            data: settings.data.clone(),
            // On a shared log one full node is no reason to stop the others.
            low_disk: match settings.shared_log {
                None => (settings.low_disk, LowDiskEffect::CancelOnly),
                Some(_) => (settings.low_disk, LowDiskEffect::NotReady),
            },
            no_fast_lane: settings.no_fast_lane,
            drain: settings.drain,
            tls,
            traces,
            runtime,
            signals,
        })
    }

    /// The address of the traders' page. With TLS, clients must use a name of the certificate in place of the address.
    pub fn public_url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Serves until a signal arrives or the journal fails. `beside` creates tasks that run as long as the listeners do;
    /// they must end when their receiver becomes true.
    pub fn run<F>(
        self,
        beside: impl FnOnce(&Arc<App>, watch::Receiver<bool>) -> Vec<F>,
    ) -> Result<ExitCode, ServiceError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let runtime = self.runtime;
        let (stop, stopping) = watch::channel(false);
        let mut tasks = JoinSet::new();
        {
            let _inside = runtime.enter();
            let app = &self.node.app;
            let public = server::routes::router(app.clone());
            let operators = server::admin::router(app.clone());
            let (timeouts, listener) = (Timeouts::default(), adopt(self.listener, self.address)?);
            let stop = stopping.clone();
            if let Some(tls) = self.tls {
                tasks.spawn(tls.clone().watch(stopping.clone()));
                tasks.spawn(serve_with_tls(listener, public, timeouts, self.admission, tls, stop));
            } else if self.no_fast_lane {
                tasks.spawn(serve_with(listener, public, timeouts, self.admission, stop));
            } else {
                let app = app.clone();
                let serving = serve_with_lanes(listener, app, public, timeouts, self.admission, stop);
                tasks.spawn(serving.map_err(ServiceError::Lanes)?);
            }
            let listener = adopt(self.admin_listener, self.admin_address)?;
            tasks.spawn(serve_with(listener, operators, timeouts, self.admin_admission, stopping.clone()));
            let data = self.data.clone();
            let free = move || free_bytes(&data);
            tasks.spawn(watch_disk(app.clone(), self.low_disk, free, stopping.clone()));
            tasks.spawn(take_samples(app.clone(), stopping.clone()));
            for task in server::feeds::tasks(app.feeds(), &stopping) {
                tasks.spawn(task);
            }
            for task in beside(app, stopping) {
                tasks.spawn(task);
            }
        }
        tracing::info!(address = %self.address, admin = %self.admin_address, "listening");
        notify::notify(notify::READY);
        let mut signals = self.signals;
        let mut ended = runtime.block_on(until_end(&self.node.app, &mut signals));
        self.node.app.begin_drain();
        notify::notify(notify::STOPPING);
        if ended == Ended::Asked && !self.drain.is_zero() {
            let seconds = self.drain.as_secs();
            tracing::info!(seconds, "stopping: not ready any more, still serving; a second signal ends this");
            ended = runtime.block_on(be_lame_duck(&self.node.app, &mut signals, self.drain));
        }
        tracing::info!("stopping: open requests finish");
        // No receiver left means that nothing needs the signal.
        let _ = stop.send(true);
        runtime.block_on(async { while tasks.join_next().await.is_some() {} });
        drop(tasks);
        shut_down(runtime);
        let ended = finish(self.node, ended);
        if let Some(traces) = self.traces {
            traces.finish();
        }
        ended
    }
}

/// Samples requests from now on.
fn export_traces(app: &App, settings: &TraceSettings) -> Result<TraceExport, TraceError> {
    let (traces, export) = traces::start(settings)?;
    app.signals().export_traces(traces);
    tracing::info!(endpoint = %settings.endpoint(), sample = settings.sample(), "traces are exported");
    Ok(export)
}

/// Logs what the start found in the folder and about the clock.
fn log_findings(node: &Node) {
    let report = &node.report;
    for bad in &report.bad_snapshots {
        tracing::warn!(snapshot = bad, "unusable snapshot");
    }
    if let Some(cut) = &report.cut {
        tracing::warn!(cut, "the journal ended with an incomplete frame, which was truncated");
    }
    if let Some(past) = report.unsure_clock {
        let hours = past.as_secs() / 3_600;
        tracing::warn!(
            hours,
            "the machine's clock is not synchronised and far past the last command; due events are closed by this clock"
        );
    }
    if report.behind > BEHIND_MAX {
        let seconds = report.behind.as_secs();
        tracing::error!(
            seconds,
            "the machine's clock is behind the journal's time, which never goes back; nothing closes or expires until it has caught up. Check the system clock, now and at the last command"
        );
    }
}

/// Replays the journal and shows the progress.
fn start_node(settings: &Settings, folder_lock: FolderLock) -> Result<Node, NodeError> {
    let mut progress = Progress::new();
    let builder =
        Node::builder(folder_lock).rates(settings.rates).progress(|done, all| progress.report(done, all));
    match &settings.shared_log {
        Some(log) => builder.shared_log(log).start(),
        None => {
            let disks = Disks::of(&settings.data).map_err(StartError::from)?;
            let disks = disks.with_archive(settings.archive.clone());
            let journal_clock = Arc::new(WatchedClock::new(Arc::new(Machine), settings.accept_clock));
            builder.disks(disks).journal_clock(journal_clock).start()
        }
    }
}

/// Takes a sample of the signals each minute until `stopping` is set.
async fn take_samples(app: Arc<App>, mut stopping: watch::Receiver<bool>) {
    loop {
        app.take_sample(app.now_micros().div_euclid(1_000_000));
        let stopped = stopping.wait_for(|stop| *stop);
        // A sample is taken when a minute has passed; this only looks.
        if tokio::time::timeout(LOOK_AT_SIGNALS_EVERY, stopped).await.is_ok() {
            return;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Asked,
    JournalFailed,
}

/// The effect of SIGHUP, which a closed terminal sends to its programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hangup {
    /// A stop, like SIGTERM.
    Stops,
    /// A line in the log: scripts send SIGHUP to let a service read its files again.
    Ignored,
}

impl Hangup {
    /// For a program of a terminal, which ends with it unless `nohup` started it.
    pub fn of_terminal() -> Hangup {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        // The lowest bit is signal 1.
        if ignored & 1 == 1 { Hangup::Ignored } else { Hangup::Stops }
    }
}

/// Signals that stop the service, caught from when this is created.
#[derive(Debug)]
struct Signals(Vec<Signal>);

impl Signals {
    fn register(runtime: &Runtime, hangup: Hangup) -> Result<Signals, ServiceError> {
        let _inside = runtime.enter();
        let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
        if hangup == Hangup::Stops {
            kinds.push(SignalKind::hangup());
        }
        let caught = kinds.into_iter().map(signal).collect::<io::Result<_>>();
        caught.map(Signals).map_err(ServiceError::Signals)
    }

    /// Waits for any of them.
    async fn recv(&mut self) {
        poll_fn(|context| match self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}

/// Catches the signals that would end the process at once and that mean nothing here. Each has a line in the log.
fn ignore_signals(runtime: &Runtime, hangup: Hangup) -> Result<(), ServiceError> {
    let _inside = runtime.enter();
    let mut ignored =
        vec![("SIGUSR1", SignalKind::user_defined1()), ("SIGUSR2", SignalKind::user_defined2())];
    if hangup == Hangup::Ignored {
        ignored.push(("SIGHUP", SignalKind::hangup()));
    }
    for (name, kind) in ignored {
        let mut caught = signal(kind).map_err(ServiceError::Signals)?;
        runtime.spawn(async move {
            while caught.recv().await.is_some() {
                tracing::warn!(
                    signal = name,
                    "ignored a signal: TLS files are read again when they change, other settings at the next start; SIGTERM stops the exchange"
                );
            }
        });
    }
    Ok(())
}

/// Waits for a reason to stop.
async fn until_end(app: &App, signals: &mut Signals) -> Ended {
    tokio::select! {
        () = signals.recv() => Ended::Asked,
        () = journal_failed(app) => Ended::JournalFailed,
    }
}

/// Serves on while `/ready` says no, until the time is over, a second signal arrives or the journal fails.
async fn be_lame_duck(app: &App, signals: &mut Signals, drain: Duration) -> Ended {
    tokio::time::timeout(drain, until_end(app, signals)).await.unwrap_or(Ended::Asked)
}

async fn journal_failed(app: &App) {
    while !app.writing().sequencer().writer_status().has_failed() {
        tokio::time::sleep(LOOK_AT_JOURNAL_EVERY).await;
    }
}

/// Afterwards no task is left, and so no reference to the `App`.
fn shut_down(runtime: Runtime) {
    runtime.shutdown_timeout(LAST_MOMENT);
}

fn finish(node: Node, ended: Ended) -> Result<ExitCode, ServiceError> {
    if node.app.writing().sequencer().writer_status().has_diverged() {
        tracing::error!("this node's state differs from the other nodes': it has stopped serving");
        return Ok(ExitCode::from(DIGESTS_DIFFER));
    }
    if ended == Ended::JournalFailed {
        // Acknowledged requests are in the journal; others may be. Only replaying it tells which.
        tracing::error!("the journal failed: fix the error logged above, then restart");
        return Ok(ExitCode::from(JOURNAL_FAILED));
    }
    let stopped = node.stop()?;
    let digest = HEXLOWER.encode(&stopped.live[..8]);
    if stopped.live != stopped.replayed {
        tracing::error!(sequence = stopped.seq, digest, "the live state differs from the journal's");
        return Ok(ExitCode::from(DIGESTS_DIFFER));
    }
    tracing::info!(sequence = stopped.seq, digest, "stopped; the replayed journal has the same digest");
    Ok(ExitCode::SUCCESS)
}

fn bind(address: SocketAddr) -> Result<(net::TcpListener, SocketAddr), ServiceError> {
    let listen = |cause| ServiceError::Listen { address, cause };
    let listener = net::TcpListener::bind(address).map_err(listen)?;
    let bound = listener.local_addr().map_err(listen)?;
    Ok((listener, bound))
}

fn adopt(listener: net::TcpListener, address: SocketAddr) -> Result<TcpListener, ServiceError> {
    let adopted = listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener));
    adopted.map_err(|cause| ServiceError::Listen { address, cause })
}

/// The documents that this executable embeds.
pub fn make_guide() -> Vec<GuideFile> {
    let file = |(path, page): (&'static str, &'static guide::Page)| GuideFile {
        path,
        content_type: page.content_type,
        bytes: &page.bytes,
    };
    guide::pages().map(file).collect()
}
