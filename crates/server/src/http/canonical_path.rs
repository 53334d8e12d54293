//! The canonical spelling of a write's operation: the scope of an `Idempotency-Key`.
//!
//! A signature covers the path as sent. A retry may spell the same path differently, or use the route's alias, and must
//! still match the first request. So the scope is built from the matched route and its decoded parameters, never from
//! the raw path. A path that is already canonical is its own scope.

use std::borrow::Cow;

use api::identifier;
use axum::RequestPartsExt;
use axum::extract::{MatchedPath, RawPathParams};
use http::request::Parts;

type MethodAndPath = (&'static str, &'static str);

/// Aliases: the alias's method and route, then the operation's.
const ALIASES: [(MethodAndPath, MethodAndPath); 2] = [
    (("POST", "/v1/pm/orders/cancel-all"), ("DELETE", "/v1/pm/orders")),
    (("POST", "/v1/pm/orders/batch/cancel"), ("DELETE", "/v1/pm/orders/batch")),
];

/// The method and path of the operation.
pub(super) async fn canonical_operation(parts: &mut Parts) -> (Cow<'static, str>, String) {
    let method = parts.method.as_str().to_owned();
    // An unmatched route or an undecodable parameter is refused later, before anything changes.
    let route = parts.extensions.get::<MatchedPath>().cloned();
    let (Some(route), Ok(parameters)) = (route, parts.extract::<RawPathParams>().await) else {
        return (method.into(), parts.uri.path().to_owned());
    };
    let route = route.as_str();
    if let Some((_, (method, path))) = ALIASES.iter().find(|(alias, _)| *alias == (method.as_str(), route)) {
        return (Cow::Borrowed(method), (*path).to_owned());
    }
    let mut values = parameters.iter().map(|(_, value)| canonical_parameter(value));
    let segments = route.split('/').map(|segment| match segment.starts_with('{') {
        true => values.next().unwrap_or_default(),
        false => segment.to_owned(),
    });
    (method.into(), segments.collect::<Vec<_>>().join("/"))
}

/// Identifiers are case-insensitive; their canonical form is lower case.
fn canonical_parameter(value: &str) -> String {
    identifier::parse(value).map_or_else(|_| value.to_owned(), |id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::extract::Request;
    use axum::routing::any;
    use tower_service::Service;

    async fn canonical(method: &str, path: &str) -> String {
        let tell = async |request: Request| {
            let (method, path) = canonical_operation(&mut request.into_parts().0).await;
            format!("{method} {path}")
        };
        let mut router = Router::new()
            .route("/v1/pm/orders", any(tell))
            .route("/v1/pm/orders/cancel-all", any(tell))
            .route("/v1/pm/orders/batch/cancel", any(tell))
            .route("/v1/pm/orders/{orderId}", any(tell))
            .route("/v1/pm/events/{eventId}/markets/{marketId}/orders", any(tell));
        let request = http::Request::builder().method(method).uri(path).body(axum::body::Body::empty());
        let response = router.call(request.expect("a request")).await.expect("an answer");
        let body = axum::body::to_bytes(response.into_body(), 1_000).await.expect("a body");
        String::from_utf8(body.to_vec()).expect("text")
    }

    #[tokio::test]
    async fn every_spelling_of_a_path_is_one_operation() {
        const EVENT: &str = "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
        const MARKET: &str = "01980d2f-7c1e-7a64-9a53-3f7d2b8c1eab";
        let path = |event: &str, market: &str| format!("/v1/pm/events/{event}/markets/{market}/orders");
        let plain = path(EVENT, MARKET);
        let spellings = [
            plain.clone(),
            path(&EVENT.to_uppercase(), &MARKET.to_uppercase()),
            path(EVENT, &MARKET.replace("-", "%2D")),
            path(EVENT, &MARKET.replace("-", "%2d").replace("ab", "%61%42")),
        ];
        for spelling in spellings {
            assert_eq!(canonical("POST", &spelling).await, format!("POST {plain}"), "{spelling}");
        }
        assert_ne!(canonical("POST", &path(MARKET, EVENT)).await, format!("POST {plain}"));
    }

    #[tokio::test]
    async fn an_alias_is_its_operation() {
        assert_eq!(canonical("POST", "/v1/pm/orders/cancel-all").await, "DELETE /v1/pm/orders");
        assert_eq!(canonical("DELETE", "/v1/pm/orders").await, "DELETE /v1/pm/orders");
        assert_eq!(canonical("POST", "/v1/pm/orders/batch/cancel").await, "DELETE /v1/pm/orders/batch");
        assert_eq!(
            canonical("DELETE", "/v1/pm/orders/cancel%2Dall").await,
            "DELETE /v1/pm/orders/cancel-all"
        );
    }
}
