//! `x-wait-for-sequence`: delays a request until the node has applied a sequence, so that a client's write at one node
//! is visible at every other. Requests without the header take no extra allocation.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use api::error::ErrorBody;
use axum::extract::Request;
use axum::response::Response;
use futures_util::future::Either;
use http::{HeaderMap, HeaderName};
use tower_layer::Layer;
use tower_service::Service;

use super::Failure;
use crate::app::App;

pub(crate) const WAIT: HeaderName = HeaderName::from_static("x-wait-for-sequence");
/// Enough for a healthy node, and short enough for the client to try another one.
const WAIT_MAX: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct WaitForSequenceLayer {
    app: Arc<App>,
}

impl WaitForSequenceLayer {
    pub fn new(app: Arc<App>) -> WaitForSequenceLayer {
        WaitForSequenceLayer { app }
    }
}

impl<S> Layer<S> for WaitForSequenceLayer {
    type Service = WaitForSequence<S>;

    fn layer(&self, inner: S) -> WaitForSequence<S> {
        WaitForSequence { app: self.app.clone(), inner }
    }
}

#[derive(Clone, Debug)]
pub struct WaitForSequence<S> {
    app: Arc<App>,
    inner: S,
}

type Boxed = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

impl<S> Service<Request> for WaitForSequence<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<S::Future, Boxed>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if !request.headers().contains_key(&WAIT) {
            return Either::Left(self.inner.call(request));
        }
        let app = self.app.clone();
        // Call the service that was polled ready, and leave its clone in place (see `tower::Service`).
        let fresh = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, fresh);
        Either::Right(Box::pin(async move {
            match wait(&app, request.headers()).await {
                Ok(()) => inner.call(request).await,
                Err(failure) => Ok(failure.into_response()),
            }
        }))
    }
}

async fn wait(app: &App, headers: &HeaderMap) -> Result<(), Failure> {
    let sequence = wanted(headers).ok_or_else(|| {
        Failure::from(ErrorBody::bad_request("X-Wait-For-Sequence must be a whole number, given once"))
    })?;
    tokio::time::timeout(WAIT_MAX, app.reading().shared().wait_for(sequence)).await.map_err(|_| {
        let at = app.reading().state().seq();
        ErrorBody::unavailable(format!("This node is at sequence {at}, not yet at {sequence}"), 1).into()
    })
}

fn wanted(headers: &HeaderMap) -> Option<u64> {
    let mut values = headers.get_all(&WAIT).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    let text = value.to_str().ok()?;
    // `parse` would accept a sign.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::{WAIT, wanted};
    use http::{HeaderMap, HeaderValue};

    #[test]
    fn a_sequence_is_digits_and_there_once() {
        let of = |text: &'static str| wanted(&HeaderMap::from_iter([(WAIT, HeaderValue::from_static(text))]));
        assert_eq!((of("0"), of("17")), (Some(0), Some(17)));
        for bad in ["", "+1", "-1", "1.0", "seven", "99999999999999999999"] {
            assert_eq!(of(bad), None, "{bad}");
        }
        let mut twice = HeaderMap::new();
        twice.append(WAIT, HeaderValue::from_static("1"));
        twice.append(WAIT, HeaderValue::from_static("1"));
        assert_eq!(wanted(&twice), None);
    }
}
