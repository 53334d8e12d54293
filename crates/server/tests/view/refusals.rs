//! Every refusal with its status, its code and its message.

use api::json;
use exchange::catalogue::Status;
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::Side;
use exchange::reject::Reject as R;
use exchange::text::Text;
use exchange::time::{Span, Time};
use expect_test::expect;
use server::view;

use crate::stage::START;

/// One of each refusal of an invalid request, of its sender, or of an unknown id.
#[rustfmt::skip]
pub(crate) fn amiss() -> Vec<R> {
    vec![
        R::UnknownKey, R::StaleKey, R::UnknownSession, R::UnknownOperator, R::UserSuspended, R::UserFrozen,
        R::OperatorSuspended, R::NotAllowed,
        R::LimitReached { retry_at: START + Span::seconds(120) },
        R::TooManyIdempotencyKeys, R::IdempotencyMismatch,
        R::Malformed { message: Text::from("price: must be a number, not a string") },
        R::BatchSize { max: 20 }, R::PriceMissing, R::PostOnlyMarket, R::PostOnlyImmediate, R::MarketOrderRests,
        R::ExpiryMissing, R::ExpiryPast, R::AmountNotPositive, R::AmountTooLarge,
        R::BelowMinimum { side: Side::Buy, currency: Currency::Usd, minimum: Money::whole(1) },
        R::BelowMinimum { side: Side::Sell, currency: Currency::Ngn, minimum: Money::whole(100) },
        R::ClientOrderIdInvalid, R::NothingToAmend, R::SizeNotAboveFilled { filled: Shares::new(45_000) },
        R::AmendedTwice, R::NoWholeSet, R::InvalidField { field: "name", rule: "1 to 64 printable characters" },
        R::UserNotFound, R::EventNotFound, R::MarketNotFound, R::OutcomeNotFound, R::OutcomeNotInMarket, R::OrderNotFound, R::KeyNotFound,
        R::SeriesNotFound, R::GameNotFound, R::TeamNotFound, R::LeagueNotFound, R::OperatorNotFound, R::ProposalNotFound, R::TokenNotFound,
    ]
}

/// One of each refusal by the rules of a well-formed request.
#[rustfmt::skip]
pub(crate) fn unprocessable() -> Vec<R> {
    let (need, have) = (Money::whole(102), Money::whole(100));
    vec![
        R::DuplicateId, R::DuplicateSlug, R::DuplicateEmail, R::DuplicateTag, R::DuplicateName, R::DuplicateReference,
        R::ReferenceUsed { seq: 7 },
        R::TooManyApiKeys, R::WatchlistFull, R::TooManyConnections, R::PasswordChanged, R::RowExpired, R::AccountNotEmpty,
        R::UnsupportedEngine, R::UnsupportedCurrency,
        R::MarketNotOpen, R::StatusNotAllowed { status: Status::Closed }, R::NotDraft, R::AlreadyWon,
        R::PoolNotSeeded, R::PoolAlreadySeeded, R::PoolTooLarge, R::PoolOutsideBand, R::TooManyOpenOrders,
        R::DuplicateClientOrderId, R::OverMaxLiability, R::PriceLimit, R::Slippage, R::PostOnlyWouldCross,
        R::InsufficientBalance { need, have },
        R::InsufficientShares { need: Shares::whole(10), have: Shares::new(95_000) },
        R::TotalTooLarge, R::VersionNotNewer,
        R::OverEntryCap { currency: Currency::Ngn, max: Money::whole(500) },
        R::OverDayCap { currency: Currency::Usd, left: Money::whole(20) },
        R::NeedsProposal, R::NeedsAnother, R::ProposalTooYoung { until: START + Span::seconds(90) },
        R::ProposalPending, R::TooManyProposals, R::ProposerNotActive, R::VerdictChanged, R::GameFixed, R::NameFixed { name: Text::from("reds") }, R::GameNotStarted,
        R::GameOver, R::PriceOutsideRange { price: Ppm::HALF }, R::EditedMeanwhile,
        R::LastApprover, R::SuspensionNeedsEnd, R::TooFewApprovers,
        R::NotProposable, R::CancelOnly,
    ]
}

fn lines(rejects: &[R]) -> String {
    let line = |reject: &R| {
        let body = view::refusal(reject, START.micros());
        let code = body.code.map(|code| format!(" {code}")).unwrap_or_default();
        format!("{} {}{code}: {}\n", body.status_code, body.error, body.message)
    };
    rejects.iter().map(line).collect()
}

#[test]
fn an_invalid_request_has_a_status_and_a_message() {
    expect![[r#"
        401 unauthorized: The public key is unknown or was revoked
        401 unauthorized: The key was rotated: its old secret is void
        401 unauthorized: The session is unknown or over
        401 unauthorized: The operator is unknown or was revoked
        403 forbidden: The account is suspended
        403 forbidden: The account is frozen
        403 forbidden: The operator is suspended
        403 forbidden: Not allowed
        429 rate_limit: Too many attempts: try again in 2 min
        429 rate_limit TOO_MANY_IDEMPOTENCY_KEYS: Too many idempotency keys are in use: they are kept for 24 hours, or for their Idempotency-Window
        422 unprocessable_entity IDEMPOTENCY_KEY_REUSED: The Idempotency-Key was used with another body
        400 bad_request: price: must be a number, not a string
        400 bad_request BAD_REQUEST: A batch has 1 to 20 items
        400 bad_request: price: is required for a LIMIT order
        400 bad_request: postOnly: is for LIMIT orders only
        400 bad_request: postOnly: does not go with timeInForce FAK or FOK
        400 bad_request: timeInForce: a MARKET order is FAK or FOK
        400 bad_request: expiresAt: is required for a GTD order
        400 bad_request: expiresAt: must be in the future
        400 bad_request: The amount must be above 0
        400 bad_request: The amount must not exceed 1000000000 in money or in shares
        400 bad_request: Minimum buy amount is USD 1.00
        400 bad_request: Minimum sell amount is NGN 100.00
        400 bad_request: clientOrderId: must be 1 to 64 letters, digits, _ or -
        400 bad_request: newPrice or newSize: one of them is required
        400 bad_request: newSize: must be above what has filled, 4.5
        400 bad_request: The batch names this order twice
        400 bad_request: The amount is less than the smallest part of a share costs
        400 bad_request: name: 1 to 64 printable characters
        404 not_found: User not found
        404 not_found: Event not found
        404 not_found: Market not found
        404 not_found: Outcome not found
        404 not_found: Outcome not found in this market
        404 not_found: Order not found
        404 not_found: API key not found
        404 not_found: Series not found
        404 not_found: Game not found
        404 not_found: Team not found
        404 not_found: League not found
        404 not_found: Operator not found
        404 not_found: Proposal not found
        404 not_found: The token is unknown, used or over
    "#]].assert_eq(&lines(&amiss()));
}

#[test]
fn a_refusal_by_the_rules_has_a_code_and_a_message() {
    expect![[r#"
        422 unprocessable_entity DUPLICATE_ID: The id is taken
        422 unprocessable_entity DUPLICATE_SLUG: The slug is taken
        422 unprocessable_entity DUPLICATE_EMAIL: The email address is taken
        422 unprocessable_entity DUPLICATE_TAG: The tag is taken
        422 unprocessable_entity DUPLICATE_NAME: Another key of the account has this name
        422 unprocessable_entity DUPLICATE_REFERENCE: The reference was used before
        409 conflict REFERENCE_USED: The reference was used for another movement of money, at sequence 7
        422 unprocessable_entity TOO_MANY_API_KEYS: The account has 2 active API keys, which is all it may have
        422 unprocessable_entity WATCHLIST_FULL: The watchlist is full
        422 unprocessable_entity TOO_MANY_CONNECTIONS: The account has armed cancelOnDisconnect on 10 connections, which is all it may
        422 unprocessable_entity PASSWORD_CHANGED: The password was changed meanwhile
        503 service_unavailable: The request was not taken in time: send it again
        422 unprocessable_entity ACCOUNT_NOT_EMPTY: The account has money, shares or open orders: it is erased when it is empty
        422 unprocessable_entity UNSUPPORTED_ENGINE: Only orders of a CLOB event can be cancelled, amended or placed in a batch
        422 unprocessable_entity UNSUPPORTED_CURRENCY: The event does not trade in this currency
        422 unprocessable_entity MARKET_NOT_OPEN: The market is not open
        422 unprocessable_entity STATUS_NOT_ALLOWED: Not allowed while the status is closed
        422 unprocessable_entity NOT_DRAFT: The event is no longer a draft
        422 unprocessable_entity ALREADY_WON: Another market of the event has resolved YES
        422 unprocessable_entity POOL_NOT_SEEDED: The market's pool is not seeded
        422 unprocessable_entity POOL_ALREADY_SEEDED: The market's pool is seeded already
        422 unprocessable_entity POOL_TOO_LARGE: The market's pool would become too large
        422 unprocessable_entity POOL_OUTSIDE_BAND: The price of the pool would leave 0.01 to 0.99
        422 unprocessable_entity TOO_MANY_OPEN_ORDERS: Too many open orders, in this market or altogether
        422 unprocessable_entity DUPLICATE_CLIENT_ORDER_ID: Another open order of the account has this clientOrderId
        422 unprocessable_entity OVER_MAX_LIABILITY: The trade exceeds the maximum liability of the pool
        422 unprocessable_entity PRICE_LIMIT: The average price would be worse than the limit
        422 unprocessable_entity SLIPPAGE: The average price would be further away than maxSlippage allows
        422 unprocessable_entity POST_ONLY_WOULD_CROSS: The order is postOnly and would cross the spread
        422 unprocessable_entity INSUFFICIENT_BALANCE: Insufficient balance: need 102.00, have 100.00
        422 unprocessable_entity INSUFFICIENT_SHARES: Insufficient shares: need 10, have 9.5
        422 unprocessable_entity TOTAL_TOO_LARGE: The exchange cannot hold so much of one currency
        422 unprocessable_entity VERSION_NOT_NEWER: The log is at these rules or at newer ones
        422 unprocessable_entity OVER_ENTRY_CAP: One entry may move NGN 500.00 at most
        422 unprocessable_entity OVER_DAY_CAP: The day's cap leaves USD 20.00 for you to move
        422 unprocessable_entity NEEDS_PROPOSAL: This is proposed first and finalised later
        422 unprocessable_entity NEEDS_ANOTHER: An approver who is another person than the proposer must finalise this
        422 unprocessable_entity PROPOSAL_TOO_YOUNG: The proposal stands in public for another 90 s
        422 unprocessable_entity PROPOSAL_PENDING: Another proposal for this is pending: withdraw it first
        422 unprocessable_entity TOO_MANY_PROPOSALS: Too many proposals are pending or were withdrawn
        422 unprocessable_entity PROPOSER_NOT_ACTIVE: Whoever proposed this was suspended or revoked, or lost the role for it: withdraw it and propose it anew
        422 unprocessable_entity VERDICT_CHANGED: The result would now decide otherwise than was proposed: withdraw it and propose it anew
        422 unprocessable_entity GAME_FIXED: Sides, league and sport of a game with events stay as they are
        422 unprocessable_entity GAME_FIXED: reds keeps its names and its league: people trade on a game with it
        422 unprocessable_entity GAME_NOT_STARTED: The game has not begun
        422 unprocessable_entity GAME_OVER: The game has begun, or people were paid by its score
        422 unprocessable_entity PRICE_OUTSIDE_RANGE: The pool's price is 0.5, outside the range for which this is meant
        409 conflict EDITED_MEANWHILE: The draft was edited meanwhile: read it again
        422 unprocessable_entity LAST_APPROVER: The last approver stays: create another one first
        422 unprocessable_entity SUSPENSION_NEEDS_END: Fewer than two approvers would be left, and nothing could be finalised: give the suspension an end
        422 unprocessable_entity TOO_FEW_APPROVERS: Two approvers are needed: create another one first
        422 unprocessable_entity NOT_PROPOSABLE: This is done at once and never proposed
        503 service_unavailable CANCEL_ONLY: The exchange takes no new orders for now: what rests can be cancelled
    "#]].assert_eq(&lines(&unprocessable()));
}

#[test]
fn the_table_names_every_refusal_that_the_exchange_knows() {
    // The exchange's own list, parsed from its source: a variant is a word at the beginning of a line or after a
    // comma.
    let source = include_str!("../../../exchange/src/reject.rs");
    let (_, list) = source.split_once("pub enum Reject {").expect("the list");
    let (list, _) = list.split_once("\n}\n").expect("its end");
    let names = list.lines().map(|line| line.split("//").next().unwrap_or_default()).flat_map(|line| {
        let without_fields: String =
            line.split('{').map(|part| part.split('}').next_back().unwrap_or("")).collect();
        without_fields.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    });
    let named: Vec<String> =
        amiss().iter().chain(&unprocessable()).map(|reject| format!("{reject:?}")).collect();
    let is_named = |name: &String| named.iter().any(|line| line.split([' ', '{']).next() == Some(name));
    let missing: Vec<String> = names.filter(|name| !name.is_empty() && !is_named(name)).collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn a_limit_returns_the_whole_seconds_to_wait() {
    let retry_at = START + Span::seconds(120);
    let body = |now: Time| view::refusal(&R::LimitReached { retry_at }, now.micros());
    assert_eq!(body(START).retry_after, Some(120));
    assert_eq!(body(Time::from_micros(START.micros() + 1)).retry_after, Some(120));
    assert_eq!(body(START + Span::seconds(119)).retry_after, Some(1));
    assert_eq!(body(retry_at).retry_after, Some(1), "never zero");
    assert_eq!(body(retry_at + Span::hours(1)).retry_after, Some(1));
}

#[test]
fn an_unauthenticated_caller_gets_the_failed_check_and_the_time() {
    let json = json::pretty(&json::to_vec(&view::refusal(&R::StaleKey, START.micros())));
    expect![[r#"
        {
          "error": "unauthorized",
          "message": "The key was rotated: its old secret is void",
          "statusCode": 401,
          "reason": "stale_key",
          "serverTime": 1767225600
        }"#]]
    .assert_eq(&json);
}
