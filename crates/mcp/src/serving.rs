//! Serves the tools over standard input and output, or over HTTP on a loopback address.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal;

use crate::agent::{Agent, Reach};
use crate::budget::Budget;
use crate::exchange::Exchange;
use crate::guard::{Bearer, admit};
use crate::handler::Handler;
use crate::settings::{McpError, Settings, Transport};

/// The path of the protocol.
const PATH: &str = "/mcp";

pub(crate) fn run(settings: &Settings, announce: &dyn Fn(&str)) -> Result<(), McpError> {
    let reach = match &settings.key {
        None => Reach::Public,
        Some(key) if key.secret.is_none() => Reach::Account,
        Some(_) => Reach::Trading,
    };
    let budget = match &settings.spent_file {
        None => Budget::new(settings.caps),
        Some(path) => Budget::open(settings.caps, path, settings.currency)
            .map_err(|error| McpError::SpentFile { path: path.clone(), error })?,
    };
    let agent = Arc::new(Agent::new(Exchange::new(settings)?, reach, settings.currency, budget));
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(async {
        match settings.transport {
            Transport::Stdio => serve_stdio(agent).await,
            Transport::Http(address) => serve_http(agent, address, announce).await,
        }
    });
    // A thread that reads standard input cannot be stopped: after a signal it would keep the process until the next line.
    runtime.shutdown_background();
    served
}

/// Serves until the client closes standard input.
async fn serve_stdio(agent: Arc<Agent<Exchange>>) -> Result<(), McpError> {
    let failed = |error: &dyn std::error::Error| McpError::Protocol(error.to_string());
    let serving = async {
        let session =
            Handler(agent).serve(rmcp::transport::stdio_pipes()).await.map_err(|error| failed(&error))?;
        session.waiting().await.map_err(|error| failed(&error))?;
        Ok(())
    };
    tokio::select! {
        served = serving => served,
        stopped = stop_signal() => Ok(stopped?),
    }
}

async fn serve_http(
    agent: Arc<Agent<Exchange>>,
    address: SocketAddr,
    announce: &dyn Fn(&str),
) -> Result<(), McpError> {
    if !address.ip().is_loopback() {
        return Err(McpError::NotLoopback(address));
    }
    let failed = |error| McpError::Listen { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    let bearer = Bearer::random();
    announce(&format!("Listening on http://{bound}{PATH}"));
    announce(&format!("Authorization: Bearer {}", bearer.reveal()));
    let service = StreamableHttpService::new(
        move || Ok(Handler(Arc::clone(&agent))),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let router = Router::new()
        .route_service(PATH, service)
        .layer(middleware::from_fn_with_state(Admission { bearer, port: bound.port() }, guard));
    let serving = axum::serve(listener, router);
    tokio::select! {
        served = serving.into_future() => served.map_err(failed),
        stopped = stop_signal() => Ok(stopped?),
    }
}

#[derive(Clone)]
struct Admission {
    bearer: Bearer,
    port: u16,
}

/// Refuses a request before anything reads it.
async fn guard(State(admission): State<Admission>, request: Request, next: Next) -> Response {
    match admit(request.headers(), &admission.bearer, admission.port) {
        Ok(()) => next.run(request).await,
        Err(status) => (status, [(header::WWW_AUTHENTICATE, "Bearer")]).into_response(),
    }
}

async fn stop_signal() -> std::io::Result<()> {
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    tokio::select! {
        stopped = signal::ctrl_c() => stopped,
        _ = terminate.recv() => Ok(()),
    }
}
