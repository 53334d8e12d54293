//! Finds the row of a request by method and path, for both transports.
//!
//! Static segments take precedence over `{names}`. HEAD has the row of GET. Parameters are percent-decoded, static segments
//! are compared as sent.

use std::borrow::Cow;
use std::sync::OnceLock;

use percent_encoding::percent_decode_str;

use super::fare::Fare;
use super::operation::{Method, Operation};
use crate::signals::access_lines::WrittenFields;
use crate::signals::requests::{RequestCounters, RouteSlot};

/// Parameters of a path.
pub(crate) const PARAMETERS_MAX: usize = 2;

/// The decoded parameters of a path, in order.
pub(crate) type Parameters<'p> = [Cow<'p, str>; PARAMETERS_MAX];

/// A path could not be percent-decoded to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecodable;

/// A row with what is prepared for its requests.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) operation: &'static Operation,
    /// Its place in the table of endpoints.
    pub(crate) number: usize,
    pub(crate) fare: Fare,
    pub(crate) slot: RouteSlot,
    /// Its fields of the access log, written with the first line.
    pub(crate) fields: OnceLock<WrittenFields>,
}

/// The rows of one path.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) pattern: &'static str,
    rows: Vec<Row>,
}

impl Path {
    fn row(&self, method: &str) -> Option<&Row> {
        // A response to HEAD is that to GET without its body.
        let method = if method == "HEAD" { Method::Get.as_str() } else { method };
        self.rows.iter().find(|row| row.operation.method.as_str() == method)
    }

    pub(crate) fn is_any(&self, is_it: impl Fn(&Operation) -> bool) -> bool {
        self.rows.iter().any(|row| is_it(row.operation))
    }

    /// The value of `Allow`.
    pub(crate) fn allowed(&self) -> String {
        let methods = self.rows.iter().map(|row| match row.operation.method {
            Method::Get => "GET,HEAD",
            other => other.as_str(),
        });
        methods.collect::<Vec<_>>().join(",")
    }
}

/// Where a request leads.
#[derive(Debug)]
pub(crate) struct Found<'r, 'p> {
    /// None: no row has the path.
    pub(crate) path: Option<&'r Path>,
    /// None: no row of the path has the method.
    pub(crate) row: Option<&'r Row>,
    pub(crate) parameters: Result<Parameters<'p>, Undecodable>,
}

/// All rows of a listener.
#[derive(Debug)]
pub(crate) struct Rows {
    router: matchit::Router<usize>,
    paths: Vec<Path>,
    /// Path and place in it, by number.
    places: Vec<(usize, usize)>,
}

impl Rows {
    /// `operations` are numbered in order.
    pub(crate) fn new(
        operations: impl Iterator<Item = &'static Operation>,
        counters: &RequestCounters,
    ) -> Rows {
        let (mut router, mut paths, mut places) = (matchit::Router::new(), Vec::<Path>::new(), Vec::new());
        for (number, operation) in operations.enumerate() {
            let slot = counters.slot(operation.method.as_str(), Some(operation.path));
            let row = Row { operation, number, fare: Fare::of(operation), slot, fields: OnceLock::new() };
            let known = paths.iter().position(|path| path.pattern == operation.path);
            let path = known.unwrap_or_else(|| {
                router.insert(operation.path, paths.len()).expect("the patterns of a table do not collide");
                paths.push(Path { pattern: operation.path, rows: Vec::new() });
                paths.len() - 1
            });
            places.push((path, paths[path].rows.len()));
            paths[path].rows.push(row);
        }
        Rows { router, paths, places }
    }

    /// A row by its number.
    pub(crate) fn row(&self, number: usize) -> &Row {
        let (path, place) = self.places[number];
        &self.paths[path].rows[place]
    }

    pub(crate) fn find<'p>(&self, method: &str, path: &'p str) -> Found<'_, 'p> {
        let Ok(matched) = self.router.at(path) else {
            return Found { path: None, row: None, parameters: Ok(Parameters::default()) };
        };
        let mut parameters = Parameters::default();
        let mut decoded = Ok(());
        for (place, (_, value)) in parameters.iter_mut().zip(matched.params.iter()) {
            match percent_decode_str(value).decode_utf8() {
                Ok(value) => *place = value,
                Err(_) => decoded = Err(Undecodable),
            }
        }
        let found = &self.paths[*matched.value];
        Found { path: Some(found), row: found.row(method), parameters: decoded.map(|()| parameters) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::operation::Access;

    const fn row(id: &'static str, method: Method, path: &'static str) -> Operation {
        Operation::new(id, method, path, Access::Public)
    }

    const ROWS: &[Operation] = &[
        row("list_orders", Method::Get, "/orders"),
        row("cancel_all", Method::Delete, "/orders"),
        row("cancel_by_post", Method::Post, "/orders/batch/cancel"),
        row("get_order", Method::Get, "/orders/{order}"),
        row("quote", Method::Post, "/events/{event}/markets/{market}/quote"),
        row("guide", Method::Get, "/guide/{*path}"),
    ];

    fn find(method: &str, path: &str) -> String {
        let rows = Rows::new(ROWS.iter(), &RequestCounters::new([]));
        let found = rows.find(method, path);
        let name = match (found.path, found.row) {
            (None, _) => "no path",
            (Some(_), None) => "no method",
            (Some(_), Some(row)) => row.operation.id,
        };
        match found.parameters {
            Ok([first, second]) => format!("{name} {first} {second}").trim().to_owned(),
            Err(Undecodable) => format!("{name} undecodable"),
        }
    }

    #[test]
    fn a_row_is_found_by_method_and_path_with_its_decoded_parameters() {
        for (method, path, expected) in [
            ("GET", "/orders", "list_orders"),
            ("HEAD", "/orders", "list_orders"),
            ("DELETE", "/orders", "cancel_all"),
            ("PUT", "/orders", "no method"),
            ("GET", "/orders/", "no path"),
            ("GET", "/orders/a", "get_order a"),
            ("GET", "/orders/batch", "get_order batch"),
            ("GET", "/orders/%61%2Fb", "get_order a/b"),
            ("GET", "/orders/%ff", "get_order undecodable"),
            ("HEAD", "/orders/a", "get_order a"),
            ("POST", "/orders/batch/cancel", "cancel_by_post"),
            ("GET", "/orders/batch/cancel", "no method"),
            ("POST", "/orders/batch%2Fcancel", "no method batch/cancel"),
            ("POST", "/events/1/markets/2/quote", "quote 1 2"),
            ("POST", "/events/1/markets/2/quote/", "no path"),
            ("GET", "/guide/a/b", "guide a/b"),
            ("GET", "/", "no path"),
            ("GET", "", "no path"),
        ] {
            assert_eq!(find(method, path), expected, "{method} {path}");
        }
    }

    #[test]
    fn the_allowed_methods_of_a_path_are_those_of_its_rows() {
        let rows = Rows::new(ROWS.iter(), &RequestCounters::new([]));
        assert_eq!(rows.find("PUT", "/orders").path.map(Path::allowed).as_deref(), Some("GET,HEAD,DELETE"));
    }
}
