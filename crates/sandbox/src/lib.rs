//! A venue to rehearse on: an ordinary node whose clock stands until a request moves it, whose ids, secrets and salts
//! follow from a seed, and between whose clients and itself faults can be planted.
//!
//! `venue` is the node with the sandbox's `record`; `stage`, `samples` and `people` fill it; `advancing` and `running`
//! move its `clock`, `traders` act when it moves, `moves` are commands on request, `snapshots` bring it back. `front` is
//! the public listener with the `faults`, `control` the sandbox's own API. docs/sandbox.md describes all of it.
//!
//! `serve` has nothing of this: this crate composes the server, and the server does not know it.

mod advancing;
mod clock;
mod control;
mod error;
mod faults;
mod front;
mod moves;
mod orders;
mod past;
mod people;
mod record;
mod running;
mod samples;
mod snapshots;
mod stage;
mod traders;
mod venue;

use std::net::{self, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use exchange::time::Time;
use http_body_util::BodyExt;
use serde::Serialize;
use server::admin::access::read_token;
use server::folder::{lock_rehearsal, remove_if_exists, write_atomically};
use server::http::serving;
use server::limits::Rates;
use server::randomness;
use server::web::MakeGuide;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Mutex, watch};
use tower_service::Service;

pub use error::SandboxError;
pub use running::read_speed;

use clock::VenueClock;
use control::Control;
use error::Refusal;
use faults::Faults;
use front::{Front, InFlight, banner};
use past::Past;
use record::Record;
use running::Running;
use venue::{Fixed, Venue, token_file};

/// The seed of a new sandbox, if none is given.
const SEED: u64 = 1;
/// When the venue of a new sandbox begins, if nothing else is given: 2026-01-05T12:00:00Z, a Monday.
const START: Time = Time::from_seconds(1_767_614_400);
/// The file with the addresses, written when the sandbox serves.
const ADDRESSES: &str = "sandbox-addresses.json";

/// Settings of a sandbox.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data folder: empty, or of an earlier sandbox.
    pub folder: PathBuf,
    pub listen: SocketAddr,
    pub admin_listen: SocketAddr,
    /// The listener of the sandbox's own API.
    pub sandbox_listen: SocketAddr,
    pub seed: Option<u64>,
    /// When the venue of a new folder begins, in microseconds since 1970.
    pub start: Option<i64>,
    pub rates: Rates,
    pub guide: MakeGuide,
    /// Relives the journal of this data folder instead of beginning with sample events.
    pub journal: Option<PathBuf>,
    /// Where the clock stands first when a journal is relived, in microseconds since 1970; by default at its beginning.
    pub from: Option<i64>,
    /// Lets the clock run at this speed from the start.
    pub speed: Option<u32>,
}

/// The bound addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    pub public: SocketAddr,
    pub operators: SocketAddr,
    pub sandbox: SocketAddr,
}

/// The content of the file with the addresses.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready<'a> {
    base_url: String,
    admin_url: String,
    sandbox_url: String,
    operator_token: &'a str,
    seed: u64,
}

/// A sandbox that has bound its addresses and built its venue, but does not serve yet.
#[derive(Debug)]
pub struct Sandbox {
    venue: Venue,
    speed: Option<u32>,
    faults: Arc<Faults>,
    listeners: [net::TcpListener; 3],
    addresses: Addresses,
}

impl Sandbox {
    /// Starts on a folder. Once in a process, whose random bytes follow from the seed from then on.
    pub fn start(options: Options) -> Result<Sandbox, SandboxError> {
        let (public, public_address) = bind(options.listen)?;
        let (operators, operators_address) = bind(options.admin_listen)?;
        let (sandbox, sandbox_address) = bind(options.sandbox_listen)?;
        let folder_lock = lock_rehearsal(&options.folder)?;
        // A program that waits for this file must not read that of an earlier start.
        remove_if_exists(&options.folder.join(ADDRESSES))?;
        let past = options.journal.as_deref().map(Past::open).transpose()?;
        let record = find_record(&options, past.as_ref())?;
        let clock = VenueClock::new(record.now());
        let seeded = randomness::seed_process(record.seed, Box::new(clock.clone()))?;
        // The mark: from here on no venue starts on this folder.
        record.write(&options.folder)?;
        let in_flight = Arc::new(InFlight::default());
        let Options { rates, guide, speed, .. } = options;
        let is_past = past.is_some();
        let is_stopping = AtomicBool::new(false);
        let fixed =
            Arc::new(Fixed { folder_lock, clock, seeded, rates, guide, in_flight, is_past, is_stopping });
        let venue = match past {
            Some(past) => open_past(fixed, record, past, options.from)?,
            None => open_or_build(fixed, record)?,
        };
        Ok(Sandbox {
            venue,
            speed,
            faults: Arc::default(),
            listeners: [public, operators, sandbox],
            addresses: Addresses {
                public: public_address,
                operators: operators_address,
                sandbox: sandbox_address,
            },
        })
    }

    pub fn addresses(&self) -> Addresses {
        self.addresses
    }

    pub fn seed(&self) -> u64 {
        self.venue.record.seed
    }

    /// Where the clock stands, in microseconds since 1970.
    pub fn now(&self) -> i64 {
        self.venue.fixed.clock.time().micros()
    }

    /// The file with the operator's token. A venue that relives a journal has no operator of its own.
    pub fn token_file(&self) -> Option<PathBuf> {
        (!self.venue.fixed.is_past).then(|| token_file(self.venue.folder()))
    }

    /// Serves until a signal arrives, then stops the venue.
    pub fn run(self) -> Result<(), SandboxError> {
        let runtime = Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(self) -> Result<(), SandboxError> {
        let Sandbox { venue, speed, faults, listeners, addresses } = self;
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let [public, operators, sandbox] = listeners.map(adopt);
        let (public, operators, sandbox) = (public?, operators?, sandbox?);
        let (folder, seed) = (venue.folder().to_owned(), venue.record.seed);
        let operator_token = read_token(&token_file(&folder))?.unwrap_or_default();
        let fixed = venue.fixed.clone();
        let venue = Arc::new(Mutex::new(venue));
        let front = Front { venue: venue.clone(), faults, in_flight: fixed.in_flight.clone() };
        let running = Arc::new(Running::default());
        if let Some(speed) = speed {
            venue.lock().await.record.deterministic = false;
            running.start(venue.clone(), speed);
        }
        let (stop, stopping) = watch::channel(false);
        let ready = ready(&addresses, &operator_token, seed);
        let control = Control { front: front.clone(), running: running.clone(), addresses, operator_token };
        let serving = [
            tokio::spawn(front.serve(public, stopping.clone())),
            tokio::spawn(serving::serve(operators, operators_router(venue.clone()), stopping.clone())),
            tokio::spawn(serving::serve(sandbox, control::router(Arc::new(control)), stopping)),
        ];
        write_atomically(&folder.join(ADDRESSES), &ready)?;
        tracing::info!(public = %addresses.public, sandbox = %addresses.sandbox, "listening");
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        running.stop();
        // A request that advances the clock ends at the next moment.
        fixed.is_stopping.store(true, Ordering::Release);
        // The servers may have ended by themselves.
        let _ = stop.send(true);
        for server in serving {
            if let Err(error) = server.await {
                tracing::error!(%error, "a listener failed");
            }
        }
        let mut venue = venue.lock_owned().await;
        let stopped = tokio::task::spawn_blocking(move || venue.save().and_then(|()| venue.stop())).await;
        stopped.unwrap_or_else(|error| Err(SandboxError::Stage(error.to_string())))
    }
}

fn ready(addresses: &Addresses, operator_token: &str, seed: u64) -> Vec<u8> {
    let url = |address: SocketAddr| format!("http://{address}");
    let ready = Ready {
        base_url: url(addresses.public),
        admin_url: url(addresses.operators),
        sandbox_url: url(addresses.sandbox),
        operator_token,
        seed,
    };
    serde_json::to_vec(&ready).expect("texts and a number are always JSON")
}

/// The record of the folder, which the given settings must match, or a new one.
fn find_record(options: &Options, past: Option<&Past>) -> Result<Record, SandboxError> {
    let Some(record) = Record::load(&options.folder)? else {
        let begin = past.and_then(Past::next_at);
        let start = begin.or(options.start.map(Time::from_micros)).unwrap_or(START);
        return Ok(Record::new(options.seed.unwrap_or(SEED), start, past.is_some()).started());
    };
    if record.is_past || past.is_some() {
        // The position in a relived journal is not stored.
        return Err(SandboxError::NotEmpty { folder: options.folder.display().to_string() });
    }
    if options.seed.is_some_and(|seed| seed != record.seed) {
        return Err(SandboxError::OtherSettings { what: "seed", recorded: record.seed.to_string() });
    }
    if options.start.is_some_and(|start| start != record.start().micros()) {
        let recorded = api::Timestamp::from_micros(record.start().micros()).to_string();
        return Err(SandboxError::OtherSettings { what: "start", recorded });
    }
    Ok(record.started())
}

/// Opens the venue of the folder. A first start that was interrupted begins again.
fn open_or_build(fixed: Arc<Fixed>, record: Record) -> Result<Venue, SandboxError> {
    if snapshots::has_start(fixed.folder_lock.folder()) {
        return Venue::start(fixed, record);
    }
    snapshots::remove_unfinished(fixed.folder_lock.folder())?;
    let mut venue = Venue::start(fixed, record)?;
    let built = stage::build(&mut venue).and_then(|()| venue.take_snapshot(snapshots::START));
    let about = built.map_err(|refusal| SandboxError::Stage(refusal.into_body().message))?;
    // As after a reset: what follows depends on the seed and the sequence.
    venue.begin_epoch(about.sequence);
    Ok(venue)
}

/// Opens a venue that relives a journal, and relives it up to a time. After the journal's end the clock goes on alone.
fn open_past(
    fixed: Arc<Fixed>,
    record: Record,
    past: Past,
    from: Option<i64>,
) -> Result<Venue, SandboxError> {
    let mut venue = Venue::start(fixed, record)?;
    venue.past = Some(past);
    if let Some(from) = from.map(Time::from_micros) {
        venue.relive_until(from)?;
        let target = from.max(venue.fixed.clock.time());
        let advanced = venue.advance_within(target, usize::MAX);
        advanced.map_err(|refusal| SandboxError::Stage(refusal.into_body().message))?;
    }
    venue.save()?;
    Ok(venue)
}

/// Passes the operators' requests on, one at a time, to whichever node runs.
fn operators_router(venue: Arc<Mutex<Venue>>) -> Router {
    Router::new().fallback(move |request: Request| {
        let venue = venue.clone();
        async move { answer_operator(&venue, request).await.unwrap_or_else(IntoResponse::into_response) }
    })
}

async fn answer_operator(venue: &Mutex<Venue>, mut request: Request) -> Result<Response, Refusal> {
    if request.uri().path() == banner::STYLE_PATH {
        return Ok(banner::style());
    }
    banner::ask_for_whole(request.headers_mut());
    let venue = venue.lock().await;
    let (mut router, messages) = (venue.live()?.operators.clone(), venue.messages()?);
    let Ok(response) = router.call(request).await;
    drop(router);
    let (mut parts, body) = response.into_parts();
    let body = body.collect().await.map_err(|error| SandboxError::Stage(error.to_string()))?;
    messages.settle().await;
    drop(venue);
    let body = banner::mark(parts.status, &mut parts.headers, body.to_bytes());
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn bind(address: SocketAddr) -> Result<(net::TcpListener, SocketAddr), SandboxError> {
    let listen = |cause| SandboxError::Listen { address, cause };
    let listener = net::TcpListener::bind(address).map_err(listen)?;
    let bound = listener.local_addr().map_err(listen)?;
    Ok((listener, bound))
}

fn adopt(listener: net::TcpListener) -> Result<TcpListener, SandboxError> {
    listener.set_nonblocking(true)?;
    Ok(TcpListener::from_std(listener)?)
}
