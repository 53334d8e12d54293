//! The access log: a line for each response, and for each request whose connection ended before its response, with the
//! target `access`. It names callers by ids and never contains a secret, a public key or an email.
//!
//! Level: `info` for a success or a client error, `debug` for 429 or a probe, `warn` for server errors
//! (`AccessLines`). A login has a further line at `info` with its outcome.

use std::fmt::Display;
use std::net::IpAddr;

use exchange::id::{KeyId, OperatorId, UserId};
use tracing::field::display;
use uuid::Uuid;

use super::Failure;

use crate::admin::access::OperatorCaller;
use crate::edge::meter::{self, Party};
use crate::signals::access_lines::{Line, WriteFields, field_name};
use crate::signals::request_id::RequestId;

/// Status of a request whose connection ended before its response, as nginx logs it. No client receives it.
pub(crate) const CLIENT_CLOSED_REQUEST: u16 = 499;
/// Status of a request whose handler panicked. No client receives it.
pub(crate) const HANDLER_PANICKED: u16 = 500;

/// A response, as the log shows it.
pub(crate) struct AccessLine<'a> {
    pub(crate) id: RequestId,
    /// The trace id of `traceparent`, or `x-trace-id`.
    pub(crate) trace: Option<&'a str>,
    /// `RouteFields`, written now or before.
    pub(crate) route: &'a dyn WriteFields,
    pub(crate) status: u16,
    pub(crate) micros: u64,
    /// `CallerFields`, written now or before.
    pub(crate) caller: &'a dyn WriteFields,
    /// The order, or another object of the request.
    pub(crate) command: Option<Uuid>,
}

impl WriteFields for AccessLine<'_> {
    fn write(&self, line: &mut Line<'_>) {
        line.token(field_name!("id"), self.id.as_bytes());
        if let Some(trace) = self.trace {
            line.text(field_name!("trace"), trace);
        }
        self.route.write(line);
        line.number(field_name!("status"), u64::from(self.status));
        line.number(field_name!("micros"), self.micros);
        self.caller.write(line);
        line.id(field_name!("command"), self.command.map(|command| command.as_u128()));
    }
}

/// What was called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RouteFields<'a> {
    /// Of letters and signs that need no escape, as HTTP wants it.
    pub(crate) method: &'a str,
    /// The pattern of the path, never the path itself.
    pub(crate) route: &'a str,
}

impl WriteFields for RouteFields<'_> {
    fn write(&self, line: &mut Line<'_>) {
        line.token(field_name!("method"), self.method.as_bytes());
        line.token(field_name!("route"), self.route.as_bytes());
    }
}

/// Who called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallerFields {
    address: IpAddr,
    user: Option<UserId>,
    key: Option<KeyId>,
    operator: Option<OperatorId>,
}

impl CallerFields {
    pub(crate) fn new(address: IpAddr, party: Party) -> CallerFields {
        let Party { user, key, operator, command: _ } = party;
        CallerFields { address, user, key, operator }
    }
}

impl WriteFields for CallerFields {
    fn write(&self, line: &mut Line<'_>) {
        line.address(field_name!("address"), self.address);
        line.id(field_name!("user"), self.user.map(UserId::as_u128));
        line.id(field_name!("key"), self.key.map(KeyId::as_u128));
        line.id(field_name!("operator"), self.operator.map(OperatorId::as_u128));
    }
}

fn shown<T: Display>(value: Option<T>) -> Option<tracing::field::DisplayValue<T>> {
    value.map(display)
}

/// Logs the outcome of a login. `user` is known if the address has an account, even if the password was wrong.
pub(crate) fn log_login<T>(address: IpAddr, user: Option<UserId>, result: &Result<T, Failure>) {
    let outcome = match result {
        Ok(_) => "accepted",
        Err(failure) => match failure.body.reason {
            Some(reason) => reason,
            None => api::Word::as_str(failure.body.error),
        },
    };
    let id = meter::current().map(|meter| meter.id());
    let (id, user) = (id.as_ref().map(RequestId::as_str), shown(user));
    tracing::info!(target: "access", id, %address, user, outcome, "login");
}

/// Logs the outcome of an operator's login at the console.
pub(crate) fn log_operator_login(address: IpAddr, operator: &Result<Option<OperatorCaller>, Failure>) {
    let (outcome, operator) = match operator {
        Ok(Some(operator)) => ("accepted", Some(operator.0)),
        Ok(None) => ("unknown_operator", None),
        Err(_) => ("operator_suspended", None),
    };
    let id = meter::current().map(|meter| meter.id());
    let (id, operator) = (id.as_ref().map(RequestId::as_str), shown(operator));
    tracing::info!(target: "access", id, %address, operator, outcome, "login");
}
