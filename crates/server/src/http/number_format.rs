//! `X-Number-Format: string`: every decimal of the answer is a string, for clients whose JSON numbers are floats.
//!
//! The handler answers with numbers, and one pass puts the decimals into quotes (`openapi/string_numbers.rs`). Such an
//! answer is not compressed, and its entity tag is another one. Requests without the header take no extra allocation.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use api::error::{BadRequest, ErrorBody};
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use futures_util::future::Either;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use tower_layer::Layer;
use tower_service::Service;

use super::Failure;
use super::charged::count_unread;
use crate::openapi::ANSWER_SHAPES;

pub(crate) const NUMBER_FORMAT: HeaderName = HeaderName::from_static("x-number-format");
pub(crate) const STRING: HeaderValue = HeaderValue::from_static("string");
/// Ends the tag of an answer in the string form.
const TAG_END: &str = "-s\"";

/// Whether the header is there once, with its only value.
pub(super) fn is_string(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(&NUMBER_FORMAT).iter();
    values.next().is_some_and(|value| *value == STRING) && values.next().is_none()
}

#[derive(Clone, Copy, Debug)]
pub struct NumberFormatLayer;

impl<S> Layer<S> for NumberFormatLayer {
    type Service = NumberFormat<S>;

    fn layer(&self, inner: S) -> NumberFormat<S> {
        NumberFormat { inner }
    }
}

#[derive(Clone, Debug)]
pub struct NumberFormat<S> {
    inner: S,
}

type Boxed = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

impl<S> Service<Request> for NumberFormat<S>
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

    fn call(&mut self, mut request: Request) -> Self::Future {
        if !request.headers().contains_key(&NUMBER_FORMAT) {
            return Either::Left(self.inner.call(request));
        }
        if !is_string(request.headers()) {
            let refused = Failure::from(BadRequest::new("X-Number-Format must be string, given once"));
            return Either::Right(Box::pin(async move { Ok(refused.into_response()) }));
        }
        let route = request.extensions().get::<MatchedPath>().cloned();
        // The router answers HEAD with the handler of GET.
        let method = if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
        ask_for_numbers(request.headers_mut());
        let answering = self.inner.call(request);
        Either::Right(Box::pin(async move {
            let Ok(response) = answering.await;
            Ok(match route {
                Some(route) => in_strings(method.as_str(), route.as_str(), response).await,
                None => response,
            })
        }))
    }
}

/// The handler gets a request for the other form: not compressed, and with the tags of that form.
fn ask_for_numbers(headers: &mut HeaderMap) {
    headers.remove(header::ACCEPT_ENCODING);
    let fields: Vec<HeaderValue> = headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect();
    let texts = fields.iter().filter_map(|field| field.to_str().ok());
    let known = texts.flat_map(|field| field.split(',')).filter_map(|tag| match tag.trim() {
        "*" => Some("*".to_owned()),
        tag => tag.strip_suffix(TAG_END).map(|tag| format!("{tag}\"")),
    });
    let known = known.collect::<Vec<_>>().join(", ");
    headers.remove(header::IF_NONE_MATCH);
    if let Some(known) = HeaderValue::try_from(known).ok().filter(|known| !known.is_empty()) {
        headers.insert(header::IF_NONE_MATCH, known);
    }
}

async fn in_strings(method: &str, route: &str, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let tag = parts.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
    let tag = tag.and_then(|tag| tag.strip_suffix('"')).map(|tag| format!("{tag}{TAG_END}"));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::try_from(tag).ok()) {
        parts.headers.insert(header::ETAG, tag);
    }
    if parts.headers.get(header::CONTENT_TYPE).is_none_or(|kind| kind != "application/json") {
        return Response::from_parts(parts, body);
    }
    // Bodies of our handlers are whole and in memory.
    let Ok(json) = to_bytes(body, usize::MAX).await else {
        return Failure::from(ErrorBody::internal()).into_response();
    };
    let body = match ANSWER_SHAPES.quote(method, route, parts.status.as_u16(), &json) {
        Some(quoted) => {
            parts.headers.remove(header::CONTENT_LENGTH);
            Body::from(count_unread(quoted))
        }
        None => Body::from(json),
    };
    Response::from_parts(parts, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_of_one_form_is_unknown_in_the_other() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        for field in ["W/\"1a-2b\", W/\"1a-3c-s\"", "\"4d-s\""] {
            headers.append(header::IF_NONE_MATCH, HeaderValue::from_static(field));
        }
        ask_for_numbers(&mut headers);
        assert_eq!(headers.get(header::ACCEPT_ENCODING), None);
        assert_eq!(headers.get_all(header::IF_NONE_MATCH).iter().count(), 1);
        assert_eq!(headers[header::IF_NONE_MATCH], "W/\"1a-3c\", \"4d\"");
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static("W/\"1a-2b\""));
        ask_for_numbers(&mut headers);
        assert_eq!(headers.get(header::IF_NONE_MATCH), None);
    }
}
