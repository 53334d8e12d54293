//! What a request pays before its handler runs. The route alone decides; no header makes a request cheaper.
//!
//! The access column of the operations table (`openapi/operations.rs`) is the only source, so a new route is charged as
//! soon as it is described, and a route that nobody described is charged as a public one.

use std::collections::HashMap;

use axum::extract::{MatchedPath, Request};

use crate::openapi::{Access, OPERATIONS};
use crate::web;

/// Supervisors and load balancers ask these. A flood of traders must not make a healthy node look dead.
const PROBES: [&str; 2] = ["/health", "/ready"];

/// The bucket that a request is charged to first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fare {
    /// Nothing: a probe.
    Free,
    /// The network's bucket for files of the page.
    Files,
    /// The network's bucket for public requests. Reads by a public key pay it too, because a public key proves nothing.
    Public,
    /// The network's bucket for proofs. A verified signature or session returns the token; a failed proof does not.
    Proof,
    /// The bucket of an operator, or of a network on the operators' listener.
    Operators,
}

/// The fares of all described routes.
#[derive(Debug)]
pub(super) struct Fares {
    described: HashMap<&'static str, Vec<(&'static str, Fare)>>,
}

impl Fares {
    pub(super) fn new() -> Fares {
        let mut described: HashMap<_, Vec<_>> = HashMap::new();
        for operation in OPERATIONS {
            let fare = match operation.access {
                Access::Public if PROBES.contains(&operation.path) => Fare::Free,
                Access::Public | Access::Personal | Access::Read => Fare::Public,
                Access::Session | Access::Write => Fare::Proof,
                Access::Viewer | Access::Operator | Access::Approver => Fare::Operators,
            };
            described.entry(operation.path).or_default().push((operation.method.as_str(), fare));
        }
        Fares { described }
    }

    pub(super) fn of(&self, request: &Request) -> Fare {
        if web::is_file(request) {
            return Fare::Files;
        }
        let Some(route) = request.extensions().get::<MatchedPath>() else { return Fare::Public };
        let Some(methods) = self.described.get(route.as_str()) else { return Fare::Public };
        // The router answers HEAD by the handler of GET.
        let method = match request.method().as_str() {
            "HEAD" => "GET",
            method => method,
        };
        methods.iter().find(|(described, _)| *described == method).map_or(Fare::Public, |(_, fare)| *fare)
    }
}
