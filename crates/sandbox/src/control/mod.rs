//! The sandbox's own API on its own listener: every path, its methods and its handlers.

mod clock;
mod faults;
mod moves;
mod snapshots;
mod traders;
mod users;

use std::sync::Arc;

use api::error::{ErrorBody, ErrorKind};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use server::http::Failure;

use crate::error::{Refusal, SandboxError};
use crate::running::Running;
use crate::venue::Venue;
use crate::{Addresses, front::Front};

/// The state of the control listener.
#[derive(Debug)]
pub(crate) struct Control {
    pub(crate) front: Front,
    pub(crate) running: Arc<Running>,
    pub(crate) addresses: Addresses,
    pub(crate) operator_token: String,
}

type Answered = Result<Response, Refusal>;
type Shared = State<Arc<Control>>;

/// The router of the control listener.
pub(crate) fn router(control: Arc<Control>) -> Router {
    Router::new()
        .route("/sandbox/v1", get(about))
        .route("/sandbox/v1/clock", get(clock::read))
        .route("/sandbox/v1/clock/advance", post(clock::advance))
        .route("/sandbox/v1/clock/jump", post(clock::jump))
        .route("/sandbox/v1/clock/run", post(clock::run))
        .route("/sandbox/v1/clock/stop", post(clock::stop))
        .route("/sandbox/v1/users", post(users::create).get(users::list))
        .route("/sandbox/v1/credit", post(users::credit))
        .route("/sandbox/v1/fill", post(moves::fill))
        .route("/sandbox/v1/price", post(moves::price))
        .route("/sandbox/v1/resolve", post(moves::resolve))
        .route("/sandbox/v1/traders", post(traders::create).get(traders::list).delete(traders::remove_all))
        .route("/sandbox/v1/traders/{name}", delete(traders::remove))
        .route("/sandbox/v1/faults", post(faults::plant).get(faults::list).delete(faults::remove_all))
        .route("/sandbox/v1/faults/{id}", delete(faults::remove))
        .route("/sandbox/v1/past", get(clock::past))
        .route("/sandbox/v1/reset", post(snapshots::reset))
        .route("/sandbox/v1/snapshots", post(snapshots::take).get(snapshots::list))
        .route("/sandbox/v1/snapshots/{name}/return", post(snapshots::return_to))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn(refuse_pages))
        .with_state(control)
}

async fn not_found() -> Refusal {
    Refusal::missing("No such resource")
}

async fn method_not_allowed() -> Refusal {
    ErrorBody::new(ErrorKind::MethodNotAllowed, "This method is not allowed here").into()
}

/// A page in a browser must not control the sandbox: browsers state the origin of such requests.
async fn refuse_pages(request: Request, next: Next) -> Response {
    match request.headers().contains_key(header::ORIGIN) {
        true => Refusal::from(ErrorBody::new(ErrorKind::Forbidden, "Pages may not use the sandbox's API"))
            .into_response(),
        false => next.run(request).await,
    }
}

impl Control {
    /// Runs `work` on the venue while no request runs, then writes the sandbox's record.
    pub(crate) async fn with_venue<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Venue) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let mut venue = self.front.venue.clone().lock_owned().await;
        let working = tokio::task::spawn_blocking(move || {
            let done = work(&mut venue);
            // Also after a refusal: the clock may have moved part of the way.
            venue.save()?;
            done
        });
        working.await.unwrap_or_else(|error| Err(SandboxError::Stage(error.to_string()).into()))
    }
}

/// Facts about a sandbox.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct About {
    seed: u64,
    base_url: String,
    admin_url: String,
    sandbox_url: String,
    operator_token: String,
    #[serde(flatten)]
    clock: clock::ClockState,
}

async fn about(State(control): Shared) -> Answered {
    let clock = clock::state(&control).await?;
    let seed = control.front.venue.lock().await.record.seed;
    let Addresses { public, operators, sandbox } = control.addresses;
    ok(&About {
        seed,
        base_url: format!("http://{public}"),
        admin_url: format!("http://{operators}"),
        sandbox_url: format!("http://{sandbox}"),
        operator_token: control.operator_token.clone(),
        clock,
    })
}

/// 200 with a JSON body.
fn ok(body: &impl Serialize) -> Answered {
    let bytes = serde_json::to_vec(body).map_err(|error| SandboxError::Stage(error.to_string()))?;
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// 201 with a JSON body.
fn created(body: &impl Serialize) -> Answered {
    let mut response = ok(body)?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// Parses a body; an empty one has no fields.
fn read<'a, T: Deserialize<'a>>(body: &'a Bytes) -> Result<T, Refusal> {
    let body = if body.is_empty() { b"{}" } else { &body[..] };
    Ok(api::read::read(body)?)
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        Failure::from(self.into_body()).into_response()
    }
}
