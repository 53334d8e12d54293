//! The table of the specification's endpoints, in its order. A test proves that each of them has a check.

/// An endpoint of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Method and path, as checks name it.
    pub name: &'static str,
    /// Who may call it: Public, Session, Read or Write.
    pub access: &'static str,
}

const fn endpoint(name: &'static str, access: &'static str) -> Endpoint {
    Endpoint { name, access }
}

/// Every endpoint that the specification names.
pub const ENDPOINTS: &[Endpoint] = &[
    endpoint("GET /health", "Public"),
    endpoint("GET /version", "Public"),
    endpoint("POST /v1/user/login", "Public"),
    endpoint("POST /v1/user/me/api-keys", "Session"),
    endpoint("GET /v1/user/me/api-keys", "Session"),
    endpoint("DELETE /v1/user/me/api-keys/{keyId}", "Session"),
    endpoint("POST /v1/user/me/api-keys/{keyId}/rotate", "Session"),
    endpoint("GET /v1/pm/events", "Public"),
    endpoint("GET /v1/pm/events/{eventId}", "Public"),
    endpoint("GET /v1/pm/events/series", "Public"),
    endpoint("GET /v1/pm/events/series/{seriesSlug}/lean-events", "Public"),
    endpoint("POST /v1/pm/events/{eventId}/markets/{marketId}/quote", "Public"),
    endpoint("POST /v1/pm/events/{eventId}/markets/{marketId}/orders", "Write"),
    endpoint("DELETE /v1/pm/orders/{orderId}", "Write"),
    endpoint("DELETE /v1/pm/orders/batch", "Write"),
    endpoint("POST /v1/pm/orders/batch", "Write"),
    endpoint("POST /v1/pm/orders/batch/amend", "Write"),
    endpoint("POST /v1/pm/markets/{marketId}/mint", "Write"),
    endpoint("POST /v1/pm/markets/{marketId}/burn", "Write"),
    endpoint("GET /v1/pm/trades", "Public"),
    endpoint("GET /v1/pm/markets/{marketId}/ticker", "Public"),
    endpoint("GET /v1/pm/sports/teams", "Public"),
    endpoint("GET /v1/pm/sports/games", "Public"),
    endpoint("GET /v1/pm/portfolio", "Read"),
    endpoint("GET /v1/pm/orders", "Read"),
    endpoint("GET /v1/pm/orders/{orderId}", "Read"),
    endpoint("GET /v1/pm/activities", "Read"),
    endpoint("GET /v1/wallet/assets", "Read"),
    endpoint("GET /v1/pm/events/{eventId}/price-history", "Public"),
    endpoint("GET /v1/pm/books", "Public"),
    endpoint("GET /v1/pm/sports/leagues", "Public"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ENDPOINTS;
    use crate::checks;
    use crate::extensions::ROUTES;

    /// The document of our own server.
    const DOCUMENT: &str = include_str!("../../server/documents/openapi.json");

    fn operations() -> BTreeSet<String> {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).expect("valid JSON");
        let paths = document["paths"].as_object().expect("paths");
        let methods = ["get", "post", "put", "delete"];
        paths
            .iter()
            .flat_map(|(path, item)| {
                let has = methods.into_iter().filter(|method| item.get(method).is_some());
                has.map(move |method| format!("{} {path}", method.to_uppercase()))
            })
            .collect()
    }

    /// Checks that only compare refusals for missing credentials.
    const CREDENTIALS: [&str; 5] =
        ["account.no_key", "account.unknown_key", "account.hidden_no_key", "signing.none", "session.none"];

    #[test]
    fn every_endpoint_of_the_specification_has_a_check_beyond_its_credentials() {
        let checks = checks::all();
        for id in CREDENTIALS {
            assert!(checks.iter().any(|check| check.id == id), "{id}");
        }
        let beyond = checks.iter().filter(|check| !CREDENTIALS.contains(&check.id));
        let checked: BTreeSet<&str> = beyond.flat_map(|check| check.endpoints).copied().collect();
        let missing: Vec<_> = ENDPOINTS.iter().filter(|endpoint| !checked.contains(endpoint.name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_check_names_endpoints_of_the_table_only() {
        let known: BTreeSet<&str> = ENDPOINTS.iter().map(|endpoint| endpoint.name).collect();
        for check in checks::all() {
            for endpoint in check.endpoints {
                assert!(known.contains(endpoint), "{}: {endpoint}", check.id);
            }
        }
    }

    #[test]
    fn every_operation_of_our_own_document_is_an_endpoint_or_a_known_extension() {
        let operations = operations();
        let endpoints: BTreeSet<String> = ENDPOINTS.iter().map(|endpoint| endpoint.name.to_owned()).collect();
        let extensions: BTreeSet<String> = ROUTES.iter().map(|route| route.name.to_owned()).collect();
        let lost: Vec<_> = endpoints.difference(&operations).collect();
        assert!(lost.is_empty(), "not served by us: {lost:?}");
        let known: BTreeSet<String> = endpoints.union(&extensions).cloned().collect();
        let unknown: Vec<_> = operations.difference(&known).collect();
        assert!(unknown.is_empty(), "neither an endpoint nor an extension: {unknown:?}");
    }
}
