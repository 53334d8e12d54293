//! The access log: a line for each response, with the target `access`. It names callers by ids and never contains a
//! secret, a public key or an email.
//!
//! Level: `debug` for a success, 429 or a probe, `info` for other client errors, `warn` for server errors. A login has a further
//! line at `info` with its outcome.

use std::fmt::Display;
use std::net::IpAddr;

use exchange::id::{OperatorId, UserId};
use tracing::field::display;
use tracing::{Level, enabled};

use super::Failure;
use super::charged::{self, Party};
use super::fare::PROBES;
use crate::app::App;
use crate::signals::request_id::RequestId;

/// A response, as the log shows it.
#[derive(Debug)]
pub(crate) struct AccessLine<'a> {
    pub(crate) id: RequestId,
    /// The trace id of `traceparent`, or `x-trace-id`.
    pub(crate) trace: Option<&'a str>,
    pub(crate) method: &'a str,
    /// The pattern of the path, never the path itself.
    pub(crate) route: &'a str,
    pub(crate) status: u16,
    pub(crate) micros: u64,
    pub(crate) address: Option<IpAddr>,
    pub(crate) party: Party,
}

/// A log event whose level is computed at run time.
macro_rules! leveled {
    ($level:expr, $($event:tt)+) => {
        match $level {
            Level::WARN => tracing::warn!(target: "access", $($event)+),
            Level::INFO => tracing::info!(target: "access", $($event)+),
            _ => tracing::debug!(target: "access", $($event)+),
        }
    };
}

/// Whether the log has any line of a response with this status.
fn is_wanted(level: Level) -> bool {
    match level {
        Level::WARN => enabled!(target: "access", Level::WARN),
        Level::INFO => enabled!(target: "access", Level::INFO),
        _ => enabled!(target: "access", Level::DEBUG),
    }
}

impl AccessLine<'_> {
    pub(crate) fn write(&self, app: &App) {
        let level = match self.status {
            // A failing probe has its reasons in its response, and comes again every few seconds.
            _ if PROBES.contains(&self.route) => Level::DEBUG,
            ..400 | 429 => Level::DEBUG,
            400..500 => Level::INFO,
            _ => Level::WARN,
        };
        if !is_wanted(level) {
            return;
        }
        let AccessLine { id, trace, method, route, status, micros, address, party } = self;
        let Party { user, key, operator, command } = *party;
        let user = user.map(|index| app.reading().state().directory().user(index).id);
        leveled!(
            level,
            id = id.as_str(),
            trace,
            method,
            route,
            status,
            micros,
            address = shown(*address),
            user = shown(user),
            key = shown(key),
            operator = shown(operator),
            command = shown(command),
            "answered"
        );
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
    let id = charged::request_id();
    let (id, user) = (id.as_ref().map(RequestId::as_str), shown(user));
    tracing::info!(target: "access", id, %address, user, outcome, "login");
}

/// Logs the outcome of an operator's login at the console.
pub(crate) fn log_operator_login(address: IpAddr, operator: Option<OperatorId>) {
    let outcome = if operator.is_some() { "accepted" } else { "unknown_operator" };
    let id = charged::request_id();
    let (id, operator) = (id.as_ref().map(RequestId::as_str), shown(operator));
    tracing::info!(target: "access", id, %address, operator, outcome, "login");
}
