//! Error responses: one table from every `Reject` to its status, code and message.
//!
//! 400: malformed. 401, 403: authentication and permission. 404: does not exist, or is not the caller's. 422:
//! well-formed, but refused by a rule, which `code` names. 429: too many requests. 503: temporarily unavailable.

use api::error::{ErrorBody, ErrorCode, ErrorKind, ItemErrorCode};
use api::response::ItemError;
use api::{Word, error};
use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::numbers::{Currency, Money};
use exchange::order::{OrderRecord, Side};
use exchange::reject::Reject;
use exchange::time::{Span, Time};

use super::order;
use super::words::ToApi;

/// The body of an error response. `now_micros` is needed to compute how long to wait.
pub fn refusal(reject: &Reject, now_micros: i64) -> ErrorBody {
    explain(reject, Time::from_micros(now_micros)).body
}

/// The code of the rule behind a refusal.
pub fn word(reject: &Reject) -> &'static str {
    explain(reject, Time::ZERO).word
}

/// The error of a batch item: one of five codes, with the finer code as its reason.
pub fn of_item(reject: &Reject) -> ItemError {
    let code = match reject {
        Reject::OrderNotFound => ItemErrorCode::OrderNotFound,
        Reject::UnsupportedEngine => ItemErrorCode::UnsupportedEngine,
        Reject::InsufficientBalance { .. } => ItemErrorCode::InsufficientBalance,
        Reject::InsufficientShares { .. } => ItemErrorCode::InsufficientShares,
        _ => ItemErrorCode::BadRequest,
    };
    let explained = explain(reject, Time::ZERO);
    ItemError { code, message: explained.body.message, reason: Some(explained.word.into()) }
}

/// Why the caller's own closed order cannot be cancelled. The exchange has only open orders and answers "not found"; a
/// caller that has found the order in history uses this instead.
pub fn of_closed(exchange: &Exchange, closed: &OrderRecord) -> ErrorBody {
    let (code, message) = closed_reason(exchange, closed);
    ErrorBody::unprocessable(code, message)
}

/// Like `of_closed`, for a batch item.
pub fn of_closed_item(exchange: &Exchange, closed: &OrderRecord) -> ItemError {
    let (reason, message) = closed_reason(exchange, closed);
    let code = match reason {
        ErrorCode::UnsupportedEngine => ItemErrorCode::UnsupportedEngine,
        _ => ItemErrorCode::OrderNotFound,
    };
    ItemError { code, message, reason: Some(reason.as_str().into()) }
}

fn closed_reason(exchange: &Exchange, record: &OrderRecord) -> (ErrorCode, String) {
    match order::instrument(exchange, record).engine {
        Engine::Amm => (ErrorCode::UnsupportedEngine, NOT_ON_A_BOOK.to_owned()),
        Engine::Clob => (
            ErrorCode::OrderNotOpen,
            format!("The order is no longer open: it is {}", record.status.to_api()),
        ),
    }
}

const NOT_ON_A_BOOK: &str = "Only orders of a CLOB event can be cancelled, amended or placed in a batch";
/// Each key expires a day after its use; retrying once a minute is enough to find a free slot.
const IDEMPOTENCY_RETRY_SECONDS: u64 = 60;

/// The end of cancel-only mode is not predictable; this interval keeps the load of retries low.
const CANCEL_ONLY_RETRY_SECONDS: u64 = 30;

/// A refusal with a code that is finer than the status.
struct CodedRefusal {
    word: &'static str,
    body: ErrorBody,
}

/// The table becomes one `match`: a `Reject` without a row does not compile.
macro_rules! refusals {
    (|$reject:ident, $now:ident| $($pattern:pat => $explained:expr;)*) => {
        fn explain($reject: &Reject, $now: Time) -> CodedRefusal {
            match $reject { $($pattern => $explained,)* }
        }
    };
}

use Reject as R;
use error::ErrorCode as C;

refusals! { |reject, now|
    // Authentication and permission.
    R::UnknownKey => unauthorized("unknown_key", "The public key is unknown or was revoked", now);
    R::StaleKey => unauthorized("stale_key", "The key was rotated: its old secret is void", now);
    R::UnknownSession => unauthorized("unknown_session", "The session is unknown or over", now);
    R::UnknownOperator => unauthorized("unknown_operator", "The operator is unknown or was revoked", now);
    R::UserSuspended => forbidden("USER_SUSPENDED", "The account is suspended");
    R::UserFrozen => forbidden("USER_FROZEN", "The account is frozen");
    R::OperatorSuspended => forbidden("OPERATOR_SUSPENDED", "The operator is suspended");
    R::NotAllowed => forbidden("NOT_ALLOWED", "Not allowed");

    // Too many requests.
    R::LimitReached { retry_at } => limit_reached(*retry_at, now);
    R::TooManyIdempotencyKeys => too_many_idempotency_keys();
    R::IdempotencyMismatch => refused(C::IdempotencyKeyReused, "The Idempotency-Key was used with another body");

    // Malformed.
    R::Malformed { message } => bad("MALFORMED", message.to_string());
    R::BatchSize { max } => bad_batch(*max);
    R::PriceMissing => bad("PRICE_MISSING", "price: is required for a LIMIT order");
    R::PostOnlyMarket => bad("POST_ONLY_MARKET", "postOnly: is for LIMIT orders only");
    R::PostOnlyImmediate => bad("POST_ONLY_IMMEDIATE", "postOnly: does not go with timeInForce FAK or FOK");
    R::MarketOrderRests => bad("MARKET_ORDER_RESTS", "timeInForce: a MARKET order is FAK or FOK");
    R::ExpiryMissing => bad("EXPIRY_MISSING", "expiresAt: is required for a GTD order");
    R::ExpiryPast => bad("EXPIRY_PAST", "expiresAt: must be in the future");
    R::AmountNotPositive => bad("AMOUNT_NOT_POSITIVE", "The amount must be above 0");
    R::AmountTooLarge => bad("AMOUNT_TOO_LARGE", "The amount must not exceed 1000000000 in money or in shares");
    R::BelowMinimum { side, currency, minimum } => below_minimum(*side, *currency, *minimum);
    R::ClientOrderIdInvalid =>
        bad("CLIENT_ORDER_ID_INVALID", "clientOrderId: must be 1 to 64 letters, digits, _ or -");
    R::NothingToAmend => bad("NOTHING_TO_AMEND", "newPrice or newSize: one of them is required");
    R::SizeNotAboveFilled { filled } =>
        bad("SIZE_NOT_ABOVE_FILLED", format!("newSize: must be above what has filled, {filled}"));
    R::AmendedTwice => bad("AMENDED_TWICE", "The batch names this order twice");
    R::NoWholeSet => bad("NO_WHOLE_SET", "The amount is less than the smallest part of a share costs");
    R::InvalidField { field, rule } => bad("INVALID_FIELD", format!("{field}: {rule}"));

    // Does not exist, or is not the caller's.
    R::UserNotFound => missing("USER_NOT_FOUND", "User not found");
    R::EventNotFound => missing("EVENT_NOT_FOUND", "Event not found");
    R::MarketNotFound => missing("MARKET_NOT_FOUND", "Market not found");
    R::OutcomeNotFound => missing("OUTCOME_NOT_FOUND", "Outcome not found");
    R::OutcomeNotInMarket => missing("OUTCOME_NOT_IN_MARKET", "Outcome not found in this market");
    R::OrderNotFound => missing("ORDER_NOT_FOUND", "Order not found");
    R::KeyNotFound => missing("KEY_NOT_FOUND", "API key not found");
    R::SeriesNotFound => missing("SERIES_NOT_FOUND", "Series not found");
    R::GameNotFound => missing("GAME_NOT_FOUND", "Game not found");
    R::TeamNotFound => missing("TEAM_NOT_FOUND", "Team not found");
    R::LeagueNotFound => missing("LEAGUE_NOT_FOUND", "League not found");
    R::OperatorNotFound => missing("OPERATOR_NOT_FOUND", "Operator not found");
    R::ProposalNotFound => missing("PROPOSAL_NOT_FOUND", "Proposal not found");
    R::TokenNotFound => missing("TOKEN_NOT_FOUND", "The token is unknown, used or over");

    // Well-formed, but refused.
    R::DuplicateId => refused(C::DuplicateId, "The id is taken");
    R::DuplicateSlug => refused(C::DuplicateSlug, "The slug is taken");
    R::DuplicateEmail => refused(C::DuplicateEmail, "The email address is taken");
    R::DuplicateTag => refused(C::DuplicateTag, "The tag is taken");
    R::DuplicateName => refused(C::DuplicateName, "Another key of the account has this name");
    R::DuplicateReference => refused(C::DuplicateReference, "The reference was used before");
    R::ReferenceUsed { seq } => conflict(
        C::ReferenceUsed,
        format!("The reference was used for another movement of money, at sequence {seq}"),
    );
    R::TooManyApiKeys => refused(C::TooManyApiKeys, "The account has 2 active API keys, which is all it may have");
    R::TooManyConnections =>
        refused(C::TooManyConnections, "The account has armed cancelOnDisconnect on 10 connections, which is all it may");
    R::WatchlistFull => refused(C::WatchlistFull, "The watchlist is full");
    R::PasswordChanged => refused(C::PasswordChanged, "The password was changed meanwhile");
    R::RowExpired => row_expired();
    R::AccountNotEmpty =>
        refused(C::AccountNotEmpty, "The account has money, shares or open orders: it is erased when it is empty");
    R::UnsupportedEngine => refused(C::UnsupportedEngine, NOT_ON_A_BOOK);
    R::UnsupportedCurrency => refused(C::UnsupportedCurrency, "The event does not trade in this currency");
    R::MarketNotOpen => refused(C::MarketNotOpen, "The market is not open");
    R::StatusNotAllowed { status } =>
        refused(C::StatusNotAllowed, format!("Not allowed while the status is {}", status.to_api()));
    R::NotDraft => refused(C::NotDraft, "The event is no longer a draft");
    R::AlreadyWon => refused(C::AlreadyWon, "Another market of the event has resolved YES");
    R::PoolNotSeeded => refused(C::PoolNotSeeded, "The market's pool is not seeded");
    R::PoolAlreadySeeded => refused(C::PoolAlreadySeeded, "The market's pool is seeded already");
    R::PoolTooLarge => refused(C::PoolTooLarge, "The market's pool would become too large");
    R::PoolOutsideBand => refused(C::PoolOutsideBand, "The price of the pool would leave 0.01 to 0.99");
    R::TooManyOpenOrders => refused(C::TooManyOpenOrders, "Too many open orders, in this market or altogether");
    R::DuplicateClientOrderId =>
        refused(C::DuplicateClientOrderId, "Another open order of the account has this clientOrderId");
    R::OverMaxLiability => refused(C::OverMaxLiability, "The trade exceeds the maximum liability of the pool");
    R::PriceLimit => refused(C::PriceLimit, "The average price would be worse than the limit");
    R::Slippage => refused(C::Slippage, "The average price would be further away than maxSlippage allows");
    R::PostOnlyWouldCross => refused(C::PostOnlyWouldCross, "The order is postOnly and would cross the spread");
    R::InsufficientBalance { need, have } =>
        refused(C::InsufficientBalance, format!("Insufficient balance: need {need}, have {have}"));
    R::InsufficientShares { need, have } =>
        refused(C::InsufficientShares, format!("Insufficient shares: need {need}, have {have}"));
    R::TotalTooLarge => refused(C::TotalTooLarge, "The exchange cannot hold so much of one currency");
    R::VersionNotNewer => refused(C::VersionNotNewer, "The log is at these rules or at newer ones");
    R::OverEntryCap { currency, max } =>
        refused(C::OverEntryCap, format!("One entry may move {} {max} at most", currency.code()));
    R::OverDayCap { currency, left } =>
        refused(C::OverDayCap, format!("The day's cap leaves {} {left} for you to move", currency.code()));
    R::NeedsProposal => refused(C::NeedsProposal, "This is proposed first and finalised later");
    R::NeedsAnother => refused(C::NeedsAnother, "An approver who is another person than the proposer must finalise this");
    R::NotProposable => refused(C::NotProposable, "This is done at once and never proposed");
    R::ProposalTooYoung { until } => too_young(*until, now);
    R::ProposalPending => refused(C::ProposalPending, "Another proposal for this is pending: withdraw it first");
    R::TooManyProposals => refused(C::TooManyProposals, "Too many proposals are pending or were withdrawn");
    R::ProposerNotActive => refused(
        C::ProposerNotActive,
        "Whoever proposed this was suspended or revoked, or lost the role for it: withdraw it and propose it anew",
    );
    R::VerdictChanged => refused(
        C::VerdictChanged,
        "The result would now decide otherwise than was proposed: withdraw it and propose it anew",
    );
    R::GameFixed => refused(C::GameFixed, "Sides, league and sport of a game with events stay as they are");
    R::NameFixed { name } =>
        refused(C::GameFixed, format!("{name} keeps its names and its league: people trade on a game with it"));
    R::GameNotStarted => refused(C::GameNotStarted, "The game has not begun");
    R::GameOver => refused(C::GameOver, "The game has begun, or people were paid by its score");
    R::PriceOutsideRange { price } =>
        refused(C::PriceOutsideRange, format!("The pool's price is {price}, outside the range for which this is meant"));
    R::EditedMeanwhile => conflict(C::EditedMeanwhile, "The draft was edited meanwhile: read it again");
    R::LastApprover => refused(C::LastApprover, "The last approver stays: create another one first");
    R::SuspensionNeedsEnd => refused(
        C::SuspensionNeedsEnd,
        "Fewer than two approvers would be left, and nothing could be finalised: give the suspension an end",
    );
    R::TooFewApprovers => refused(C::TooFewApprovers, "Two approvers are needed: create another one first");

    // Temporarily unavailable.
    R::CancelOnly => cancel_only();
}

fn conflict(code: ErrorCode, message: impl Into<String>) -> CodedRefusal {
    CodedRefusal { word: code.as_str(), body: ErrorBody { code: Some(code), ..ErrorBody::conflict(message) } }
}

fn bad(word: &'static str, message: impl Into<String>) -> CodedRefusal {
    CodedRefusal { word, body: ErrorBody::bad_request(message) }
}

fn below_minimum(side: Side, currency: Currency, minimum: Money) -> CodedRefusal {
    let side = match side {
        Side::Buy => "buy",
        Side::Sell => "sell",
    };
    bad("BELOW_MINIMUM", format!("Minimum {side} amount is {} {minimum}", currency.code()))
}

fn bad_batch(max: usize) -> CodedRefusal {
    CodedRefusal { word: "BATCH_SIZE", body: ErrorBody::bad_batch(format!("A batch has 1 to {max} items")) }
}

fn unauthorized(word: &'static str, message: &str, now: Time) -> CodedRefusal {
    CodedRefusal { word, body: ErrorBody::unauthorized(message, word, now.micros().div_euclid(1_000_000)) }
}

fn forbidden(word: &'static str, message: &str) -> CodedRefusal {
    CodedRefusal { word, body: ErrorBody::new(ErrorKind::Forbidden, message) }
}

fn missing(word: &'static str, message: &str) -> CodedRefusal {
    CodedRefusal { word, body: ErrorBody::not_found(message) }
}

fn refused(code: ErrorCode, message: impl Into<String>) -> CodedRefusal {
    CodedRefusal { word: code.as_str(), body: ErrorBody::unprocessable(code, message) }
}

/// Whole seconds, rounded up: a caller that waits this long is accepted.
fn limit_reached(retry_at: Time, now: Time) -> CodedRefusal {
    let micros = Span::micros(retry_at - now).max(1).unsigned_abs();
    let seconds = micros.div_ceil(1_000_000);
    let message = format!("Too many attempts: try again in {}", duration(seconds));
    CodedRefusal { word: "LIMIT_REACHED", body: ErrorBody::rate_limit(message, seconds) }
}

/// Formats a number of seconds: `4 min 10 s`.
fn duration(seconds: u64) -> String {
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let shown = parts.into_iter().filter(|(count, _)| *count > 0);
    shown.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
}

fn too_young(until: Time, now: Time) -> CodedRefusal {
    let seconds = Span::micros(until - now).max(1).unsigned_abs().div_ceil(1_000_000);
    refused(C::ProposalTooYoung, format!("The proposal stands in public for another {seconds} s"))
}

/// The people-store row written for the command may have been deleted by now. The command had no effect.
fn row_expired() -> CodedRefusal {
    let message = "The request was not taken in time: send it again";
    CodedRefusal { word: "ROW_EXPIRED", body: ErrorBody::unavailable(message, 1) }
}

fn cancel_only() -> CodedRefusal {
    let message = "The exchange takes no new orders for now: what rests can be cancelled";
    let body = ErrorBody::unavailable(message, CANCEL_ONLY_RETRY_SECONDS);
    CodedRefusal { word: C::CancelOnly.as_str(), body: ErrorBody { code: Some(C::CancelOnly), ..body } }
}

fn too_many_idempotency_keys() -> CodedRefusal {
    let code = ErrorCode::TooManyIdempotencyKeys;
    let message =
        "Too many idempotency keys are in use: they are kept for 24 hours, or for their Idempotency-Window";
    let body = ErrorBody::rate_limit(message, IDEMPOTENCY_RETRY_SECONDS);
    CodedRefusal { word: code.as_str(), body: ErrorBody { code: Some(code), ..body } }
}
