//! The state of the service, and responses that are only a message.

use crate::json::WriteJson;
use crate::schema::ToSchema;

use crate::Timestamp;
use crate::words::words;

words! {
    /// Whether the service can write.
    HealthStatus { Ok = "ok", Unavailable = "unavailable", }

    /// Why a node wants no requests.
    NotReadyCode {
        Draining = "draining",
        WriterFailed = "writer_failed",
        StateDiverged = "state_diverged",
        LogLag = "log_lag",
        LogAge = "log_age",
        ClockAhead = "clock_ahead",
        ClockBehind = "clock_behind",
        HistoryStopped = "history_stopped",
        HistoryLag = "history_lag",
        DiskLow = "disk_low",
    }
}

/// Whether the service can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Health {
    pub status: HealthStatus,
}

impl Health {
    pub const fn new(can_write: bool) -> Health {
        Health { status: if can_write { HealthStatus::Ok } else { HealthStatus::Unavailable } }
    }
}

/// The running version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Version {
    #[schema(example = "0.1.0")]
    pub version: &'static str,
    /// The commit it was built from.
    pub commit: &'static str,
}

/// A reason why requests should not be sent to a node.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct NotReady {
    #[schema(inline)]
    pub code: NotReadyCode,
    /// In words, for people.
    #[schema(example = "The node is stopping")]
    pub message: String,
}

/// Whether requests should be sent here.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    pub ready: bool,
    /// Whether the journal has been replayed to its end.
    pub replayed: bool,
    /// The last sequence that was applied.
    pub sequence: u64,
    /// How many sequences history is behind.
    pub history_lag: u64,
    /// Nothing new is taken for now; what rests can be cancelled.
    pub cancel_only: bool,
    /// By how many seconds the machine's clock has run ahead since the start, when that is too far for writes to be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_ahead: Option<u64>,
    /// By how many seconds the machine's clock is behind the journal, when that is too far for orders to be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_behind: Option<u64>,
    /// Where nodes share a log: how many sequences this one is behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_lag: Option<u64>,
    /// And how many milliseconds ago this node last saw the log to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_age: Option<u64>,
    /// Why the node is not ready; absent if it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<NotReady>,
}

/// A request whose signature was checked and found right.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthCheck {
    /// Always true; a wrong signature is a 401.
    pub valid: bool,
    /// Unix seconds.
    pub server_time: i64,
    /// By how many seconds `X-Timestamp` was ahead.
    pub skew_seconds: i64,
    /// The hash of this body, as the signed text contains it.
    pub body_hash: String,
}

/// A request for a new password was taken. Nothing says whether the email has an account.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordResetRequested {
    /// The code that the person reads to an operator.
    #[schema(example = "K7RW3M")]
    pub code: String,
    pub expires_at: Timestamp,
}

/// An answer in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Message {
    #[schema(example = "API key revoked")]
    pub message: &'static str,
}

impl Message {
    pub const API_KEY_REVOKED: Message = Message { message: "API key revoked" };
    pub const LOGGED_OUT: Message = Message { message: "Logged out" };
    pub const NOTIFICATIONS_READ: Message = Message { message: "Notifications read" };
    pub const PRICE_ALERT_REMOVED: Message = Message { message: "Price alert removed" };
    pub const PUSH_UNSUBSCRIBED: Message = Message { message: "Push subscription removed" };
    pub const PASSWORD_RESET: Message = Message { message: "Password reset" };
}
