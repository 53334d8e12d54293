//! The canonical spelling of a write's operation: the scope of an `Idempotency-Key`.
//!
//! A signature covers the path as sent. A retry may spell the same path differently, or use the route's alias, and must
//! still match the first request. So the scope is built from the matched route and its decoded parameters, never from
//! the raw path. A path that is already canonical is its own scope.

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

/// The method and path of the operation of a routed request.
pub(super) async fn canonical_operation(parts: &mut Parts) -> (String, String) {
    let method = parts.method.as_str().to_owned();
    // An unmatched route or an undecodable parameter is refused later, before anything changes.
    let route = parts.extensions.get::<MatchedPath>().cloned();
    let (Some(route), Ok(parameters)) = (route, parts.extract::<RawPathParams>().await) else {
        return (method, parts.uri.path().to_owned());
    };
    let (method, path) = canonical(&method, route.as_str(), parameters.iter().map(|(_, value)| value));
    (method.to_owned(), path)
}

/// The method and path of the operation of a route with its decoded parameters.
pub(super) fn canonical<'a>(
    method: &'a str,
    route: &str,
    parameters: impl IntoIterator<Item = &'a str>,
) -> (&'a str, String) {
    if let Some((_, (method, path))) = ALIASES.iter().find(|(alias, _)| *alias == (method, route)) {
        return (method, (*path).to_owned());
    }
    let (mut path, mut parameters) = (String::with_capacity(128), parameters.into_iter());
    for (place, segment) in route.split('/').enumerate() {
        if place > 0 {
            path.push('/');
        }
        match segment.starts_with('{') {
            true => push_canonical(&mut path, parameters.next().unwrap_or_default()),
            false => path.push_str(segment),
        }
    }
    (method, path)
}

/// Identifiers are case-insensitive; their canonical form is lower case.
fn push_canonical(path: &mut String, parameter: &str) {
    match identifier::parse(parameter) {
        Ok(_) => path.extend(parameter.chars().map(|letter| letter.to_ascii_lowercase())),
        Err(_) => path.push_str(parameter),
    }
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
