//! The error body, with one constructor per status. The server maps refusals to statuses.

use std::fmt;

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::json::WriteJson;
use crate::signing::SigningFault;
use crate::words::words;

words! {
    /// The kind of failure: `error`.
    ErrorKind {
        BadRequest = "bad_request",
        Unauthorized = "unauthorized",
        InvalidSignature = "invalid_signature",
        TimestampExpired = "timestamp_expired",
        Forbidden = "forbidden",
        NotFound = "not_found",
        MethodNotAllowed = "method_not_allowed",
        RequestTimeout = "request_timeout",
        Conflict = "conflict",
        PayloadTooLarge = "payload_too_large",
        UnsupportedMediaType = "unsupported_media_type",
        UnprocessableEntity = "unprocessable_entity",
        RateLimit = "rate_limit",
        InternalServerError = "internal_server_error",
        ServiceUnavailable = "service_unavailable",
    }

    /// Which rule refused a request that was well-formed: `code`.
    ErrorCode {
        BadRequest = "BAD_REQUEST",
        InsufficientBalance = "INSUFFICIENT_BALANCE",
        InsufficientShares = "INSUFFICIENT_SHARES",
        MarketNotOpen = "MARKET_NOT_OPEN",
        UnsupportedCurrency = "UNSUPPORTED_CURRENCY",
        UnsupportedEngine = "UNSUPPORTED_ENGINE",
        OverMaxLiability = "OVER_MAX_LIABILITY",
        Slippage = "SLIPPAGE",
        PriceLimit = "PRICE_LIMIT",
        TooManyOpenOrders = "TOO_MANY_OPEN_ORDERS",
        OrderNotOpen = "ORDER_NOT_OPEN",
        DuplicateClientOrderId = "DUPLICATE_CLIENT_ORDER_ID",
        PostOnlyWouldCross = "POST_ONLY_WOULD_CROSS",
        TooManyApiKeys = "TOO_MANY_API_KEYS",
        DuplicateName = "DUPLICATE_NAME",
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
        TooManyIdempotencyKeys = "TOO_MANY_IDEMPOTENCY_KEYS",
        WatchlistFull = "WATCHLIST_FULL",
        TooManyConnections = "TOO_MANY_CONNECTIONS",
        PasswordChanged = "PASSWORD_CHANGED",
        AccountNotEmpty = "ACCOUNT_NOT_EMPTY",
        DuplicateId = "DUPLICATE_ID",
        DuplicateSlug = "DUPLICATE_SLUG",
        DuplicateEmail = "DUPLICATE_EMAIL",
        DuplicateTag = "DUPLICATE_TAG",
        DuplicateReference = "DUPLICATE_REFERENCE",
        ReferenceUsed = "REFERENCE_USED",
        ProposerNotActive = "PROPOSER_NOT_ACTIVE",
        VerdictChanged = "VERDICT_CHANGED",
        GameFixed = "GAME_FIXED",
        GameNotStarted = "GAME_NOT_STARTED",
        GameOver = "GAME_OVER",
        PriceOutsideRange = "PRICE_OUTSIDE_RANGE",
        EditedMeanwhile = "EDITED_MEANWHILE",
        StatusNotAllowed = "STATUS_NOT_ALLOWED",
        NotDraft = "NOT_DRAFT",
        AlreadyWon = "ALREADY_WON",
        PoolNotSeeded = "POOL_NOT_SEEDED",
        PoolAlreadySeeded = "POOL_ALREADY_SEEDED",
        PoolTooLarge = "POOL_TOO_LARGE",
        PoolOutsideBand = "POOL_OUTSIDE_BAND",
        TotalTooLarge = "TOTAL_TOO_LARGE",
        VersionNotNewer = "VERSION_NOT_NEWER",
        OverEntryCap = "OVER_ENTRY_CAP",
        OverDayCap = "OVER_DAY_CAP",
        NeedsProposal = "NEEDS_PROPOSAL",
        NeedsAnother = "NEEDS_ANOTHER",
        ProposalTooYoung = "PROPOSAL_TOO_YOUNG",
        ProposalPending = "PROPOSAL_PENDING",
        TooManyProposals = "TOO_MANY_PROPOSALS",
        LastApprover = "LAST_APPROVER",
        TooFewApprovers = "TOO_FEW_APPROVERS",
        SuspensionNeedsEnd = "SUSPENSION_NEEDS_END",
        NotProposable = "NOT_PROPOSABLE",
        CancelOnly = "CANCEL_ONLY",
        SessionOfAnother = "SESSION_OF_ANOTHER",
    }

    /// Why an item of a batch failed.
    ItemErrorCode {
        OrderNotFound = "ORDER_NOT_FOUND",
        UnsupportedEngine = "UNSUPPORTED_ENGINE",
        BadRequest = "BAD_REQUEST",
        InsufficientBalance = "INSUFFICIENT_BALANCE",
        InsufficientShares = "INSUFFICIENT_SHARES",
    }

    /// The result of a write whose response was lost.
    Outcome { Unknown = "unknown", }
}

impl ErrorKind {
    /// The HTTP status of the kind.
    pub const fn status(self) -> u16 {
        match self {
            ErrorKind::BadRequest => 400,
            ErrorKind::Unauthorized | ErrorKind::InvalidSignature | ErrorKind::TimestampExpired => 401,
            ErrorKind::Forbidden => 403,
            ErrorKind::NotFound => 404,
            ErrorKind::MethodNotAllowed => 405,
            ErrorKind::RequestTimeout => 408,
            ErrorKind::Conflict => 409,
            ErrorKind::PayloadTooLarge => 413,
            ErrorKind::UnsupportedMediaType => 415,
            ErrorKind::UnprocessableEntity => 422,
            ErrorKind::RateLimit => 429,
            ErrorKind::InternalServerError => 500,
            ErrorKind::ServiceUnavailable => 503,
        }
    }
}

/// The body of every answer that is not a success.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    #[schema(inline)]
    pub error: ErrorKind,
    /// In words, for people.
    #[schema(example = "Event not found")]
    pub message: String,
    /// The HTTP status again.
    #[schema(example = 404)]
    pub status_code: u16,
    /// 422, 400 for a batch of the wrong size, 409 for a page that shows another person, 503 while only cancelling is
    /// possible: the rule that refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub code: Option<ErrorCode>,
    /// 401: the check that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "timestamp_outside_window")]
    pub reason: Option<&'static str>,
    /// 401: the server's time in Unix seconds, to compare with `X-Timestamp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 1730000000)]
    pub server_time: Option<i64>,
    /// 429 and 503: seconds until a retry can succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 120)]
    pub retry_after: Option<u64>,
    /// 503: present when the write may have happened. Read the state, or retry with the same `Idempotency-Key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub outcome: Option<Outcome>,
    /// 503 with an unknown outcome: the id under which the write is found if it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_id: Option<Uuid>,
}

impl ErrorBody {
    /// An error of any kind with a message; the named constructors add the fields of their status.
    pub fn new(error: ErrorKind, message: impl Into<String>) -> ErrorBody {
        ErrorBody {
            error,
            message: message.into(),
            status_code: error.status(),
            code: None,
            reason: None,
            server_time: None,
            retry_after: None,
            outcome: None,
            command_id: None,
        }
    }

    pub fn bad_request(message: impl Into<String>) -> ErrorBody {
        ErrorBody::new(ErrorKind::BadRequest, message)
    }

    /// A batch refused as a whole, before any of its items is processed.
    pub fn bad_batch(message: impl Into<String>) -> ErrorBody {
        ErrorBody { code: Some(ErrorCode::BadRequest), ..ErrorBody::bad_request(message) }
    }

    /// Credentials are missing, unknown or no longer valid.
    pub fn unauthorized(message: impl Into<String>, reason: &'static str, server_time: i64) -> ErrorBody {
        ErrorBody {
            reason: Some(reason),
            server_time: Some(server_time),
            ..ErrorBody::new(ErrorKind::Unauthorized, message)
        }
    }

    /// A check of the signature failed.
    pub fn signing(fault: &SigningFault, server_time: i64) -> ErrorBody {
        let kind = match fault {
            SigningFault::HeaderMissing { .. } | SigningFault::TimestampNotANumber => ErrorKind::Unauthorized,
            SigningFault::TimestampOutsideWindow { .. } => ErrorKind::TimestampExpired,
            SigningFault::SignatureNotBase64
            | SigningFault::SignatureLength { .. }
            | SigningFault::BodyHashMismatch
            | SigningFault::SignatureMismatch => ErrorKind::InvalidSignature,
        };
        ErrorBody { error: kind, ..ErrorBody::unauthorized(fault.to_string(), fault.reason(), server_time) }
    }

    pub fn not_found(message: impl Into<String>) -> ErrorBody {
        ErrorBody::new(ErrorKind::NotFound, message)
    }

    pub fn conflict(message: impl Into<String>) -> ErrorBody {
        ErrorBody::new(ErrorKind::Conflict, message)
    }

    pub fn unprocessable(code: ErrorCode, message: impl Into<String>) -> ErrorBody {
        ErrorBody { code: Some(code), ..ErrorBody::new(ErrorKind::UnprocessableEntity, message) }
    }

    pub fn rate_limit(message: impl Into<String>, retry_after: u64) -> ErrorBody {
        ErrorBody { retry_after: Some(retry_after), ..ErrorBody::new(ErrorKind::RateLimit, message) }
    }

    /// A bug on our side. The message reveals no internal details.
    pub fn internal() -> ErrorBody {
        ErrorBody::new(ErrorKind::InternalServerError, "Internal server error")
    }

    /// Nothing was written; a later retry is safe.
    pub fn unavailable(message: impl Into<String>, retry_after: u64) -> ErrorBody {
        ErrorBody { retry_after: Some(retry_after), ..ErrorBody::new(ErrorKind::ServiceUnavailable, message) }
    }

    /// The write was submitted and its result was lost: it may have been carried out.
    pub fn outcome_unknown(command_id: Uuid) -> ErrorBody {
        let message = "The outcome of this request is not known: it may have been carried out";
        ErrorBody {
            outcome: Some(Outcome::Unknown),
            command_id: Some(command_id),
            ..ErrorBody::new(ErrorKind::ServiceUnavailable, message)
        }
    }
}

/// A request that cannot be parsed. The message names the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest {
    pub message: String,
}

/// The longest message returned; the client's own text in it may be of any length.
const MESSAGE_BYTES_MAX: usize = 300;

impl BadRequest {
    pub fn new(message: impl Into<String>) -> BadRequest {
        let mut message = message.into();
        if message.len() > MESSAGE_BYTES_MAX {
            message.truncate(message.floor_char_boundary(MESSAGE_BYTES_MAX));
            message.push('…');
        }
        BadRequest { message }
    }

    /// An error in the field at `path`.
    pub fn at(path: impl fmt::Display, what: impl fmt::Display) -> BadRequest {
        BadRequest::new(format!("{path}: {what}"))
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for BadRequest {}

impl From<BadRequest> for ErrorBody {
    fn from(bad_request: BadRequest) -> ErrorBody {
        ErrorBody::bad_request(bad_request.message)
    }
}
