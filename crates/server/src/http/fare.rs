//! The rate limit that a request is charged to before its handler runs. Only the route decides; no header makes a
//! request cheaper.
//!
//! The access column of the operations table (`openapi/operations.rs`) is the only source. A new route is charged as
//! soon as it is described; an undescribed route is charged as public.

use std::collections::HashMap;

use axum::extract::{MatchedPath, Request};

use crate::openapi::{Access, OPERATIONS};
use crate::signals::PROBES;
use crate::web;

/// The bucket that a request is charged to first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fare {
    /// None: a probe. A flood of requests cannot make a healthy node look dead.
    Free,
    /// The network's bucket for files of the web page.
    Files,
    /// The network's bucket for public requests. Reads by public key use it too, because a public key proves nothing.
    Public,
    /// The network's bucket for credentials. Verified credentials refund the token; failed ones do not.
    Proof,
    /// The bucket of an operator, or of a network, on the operator listener.
    Operators,
}

/// The fares of all described routes.
#[derive(Debug)]
pub(crate) struct Fares {
    described: HashMap<&'static str, Vec<(&'static str, Fare)>>,
}

impl Fares {
    pub(crate) fn new() -> Fares {
        let mut described: HashMap<_, Vec<_>> = HashMap::new();
        for operation in OPERATIONS {
            let fare = match operation.access {
                Access::Public if PROBES.contains(&operation.path) => Fare::Free,
                Access::Public | Access::Personal | Access::Read => Fare::Public,
                Access::Session | Access::Private | Access::Write => Fare::Proof,
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
        self.of_route(request.method().as_str(), route.as_str())
    }

    pub(crate) fn of_route(&self, method: &str, route: &str) -> Fare {
        let Some(methods) = self.described.get(route) else { return Fare::Public };
        // The router answers HEAD with the handler of GET.
        let method = if method == "HEAD" { "GET" } else { method };
        methods.iter().find(|(described, _)| *described == method).map_or(Fare::Public, |(_, fare)| *fare)
    }
}
