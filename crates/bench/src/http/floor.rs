//! The floor: the same framework, serving code, signature check and JSON types, without anything behind them. No
//! limits, no idempotency, no extra headers, no state; each response is a recorded body of the exchange.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use api::request::PlaceOrder;
use api::signing::{PUBLIC_KEY_HEADER, SIGNATURE_HEADER, SignedRequest, SigningKey, TIMESTAMP_HEADER};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{delete, get, post};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use serde::Deserialize;

use crate::stage::User;

const BODY_BYTES_MAX: usize = 64 << 10;

/// Recorded responses of the exchange, one of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    pub(crate) place: Bytes,
    pub(crate) cancel: Bytes,
    pub(crate) batch: Bytes,
    pub(crate) event: Bytes,
}

#[derive(Debug)]
struct Floor {
    keys: HashMap<Vec<u8>, SigningKey>,
    bodies: Bodies,
}

#[derive(Deserialize)]
struct Batch {
    orders: Vec<PlaceOrder>,
}

type Shared = State<Arc<Floor>>;

pub(crate) fn router(users: &[User], bodies: Bodies) -> Router {
    let keys = users.iter().map(|user| (user.public_key.clone().into_bytes(), user.key.clone())).collect();
    Router::new()
        .route("/v1/pm/events/{eventId}", get(event))
        .route("/v1/pm/books", get(event))
        .route("/v1/pm/markets/{marketId}/ticker", get(event))
        .route("/v1/pm/events/{eventId}/markets/{marketId}/orders", post(place))
        .route("/v1/pm/orders/batch", post(batch))
        .route("/v1/pm/orders/{orderId}", delete(cancel))
        .with_state(Arc::new(Floor { keys, bodies }))
}

async fn event(State(floor): Shared) -> Response {
    answer(StatusCode::OK, floor.bodies.event.clone())
}

async fn place(State(floor): Shared, request: Request) -> Response {
    match floor.verified(request).await {
        Some(body) if serde_json::from_slice::<PlaceOrder>(&body).is_ok() => {
            answer(StatusCode::OK, floor.bodies.place.clone())
        }
        _ => refused(),
    }
}

async fn cancel(State(floor): Shared, request: Request) -> Response {
    match floor.verified(request).await {
        Some(_) => answer(StatusCode::OK, floor.bodies.cancel.clone()),
        None => refused(),
    }
}

async fn batch(State(floor): Shared, request: Request) -> Response {
    let body = floor.verified(request).await.unwrap_or_default();
    match serde_json::from_slice::<Batch>(&body) {
        Ok(batch) if !batch.orders.is_empty() => answer(StatusCode::OK, floor.bodies.batch.clone()),
        _ => refused(),
    }
}

impl Floor {
    /// The body, if its signature is valid.
    async fn verified(&self, request: Request) -> Option<Bytes> {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, BODY_BYTES_MAX).await.ok()?;
        let header = |name| parts.headers.get(name).map(HeaderValue::as_bytes);
        let key = self.keys.get(header(PUBLIC_KEY_HEADER)?)?;
        let signed = SignedRequest {
            timestamp: header(TIMESTAMP_HEADER),
            signature: header(SIGNATURE_HEADER),
            method: parts.method.as_str(),
            path: parts.uri.path(),
            body: &body,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
        signed.verify(key, now.cast_signed()).ok()?;
        Some(body)
    }
}

fn answer(status: StatusCode, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn refused() -> Response {
    answer(StatusCode::UNAUTHORIZED, Bytes::new())
}
