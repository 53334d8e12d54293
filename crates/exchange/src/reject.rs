//! Refusals. One flat list, named by the violated rule; checks run in this order.
//!
//! A refusal changes nothing but its own record (a spent allowance, a remembered idempotency key).

use crate::numbers::{Currency, Money, Ppm, Shares};
use crate::order::Side;
use crate::text::Text;
use crate::time::Time;

#[rustfmt::skip]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reject {
    // Authentication and authorisation (401, 403).
    UnknownKey, StaleKey, UnknownSession, UnknownOperator, UserSuspended, UserFrozen, OperatorSuspended,
    NotAllowed,
    // Rate limits (429).
    LimitReached { retry_at: Time },
    TooManyIdempotencyKeys,
    // An idempotency key with another body (422).
    IdempotencyMismatch,

    // Malformed in itself (400).
    Malformed { message: Text },
    BatchSize { max: usize },
    PriceMissing,
    PostOnlyMarket, PostOnlyImmediate,
    MarketOrderRests,
    ExpiryMissing, ExpiryPast,
    AmountNotPositive, AmountTooLarge,
    BelowMinimum { side: Side, currency: Currency, minimum: Money },
    ClientOrderIdInvalid,
    NothingToAmend, SizeNotAboveFilled { filled: Shares }, AmendedTwice,
    NoWholeSet,
    InvalidField { field: &'static str, rule: &'static str },

    // Not found, or another user's (404).
    UserNotFound, EventNotFound, MarketNotFound, OutcomeNotFound, OutcomeNotInMarket, OrderNotFound, KeyNotFound,
    SeriesNotFound, GameNotFound, TeamNotFound, LeagueNotFound, OperatorNotFound, TokenNotFound, ProposalNotFound,

    // Well-formed, but refused (422).
    DuplicateId, DuplicateSlug, DuplicateEmail, DuplicateTag, DuplicateName, DuplicateReference,
    ReferenceUsed { seq: u64 },
    TooManyApiKeys,
    WatchlistFull,
    TooManyConnections,
    PasswordChanged, RowExpired, AccountNotEmpty,
    UnsupportedEngine,
    UnsupportedCurrency,
    MarketNotOpen,
    StatusNotAllowed { status: crate::catalogue::Status },
    NotDraft,
    AlreadyWon,
    PoolNotSeeded, PoolAlreadySeeded, PoolTooLarge, PoolOutsideBand,
    TooManyOpenOrders,
    DuplicateClientOrderId,
    OverMaxLiability,
    PriceLimit, Slippage,
    PostOnlyWouldCross,
    InsufficientBalance { need: Money, have: Money },
    InsufficientShares { need: Shares, have: Shares },
    TotalTooLarge,
    VersionNotNewer,
    OverEntryCap { currency: Currency, max: Money }, OverDayCap { currency: Currency, left: Money },
    NeedsProposal, NeedsAnother, ProposalTooYoung { until: Time }, ProposalPending, TooManyProposals,
    ProposerNotActive, VerdictChanged, GameFixed, NameFixed { name: Text }, GameNotStarted, GameOver, PriceOutsideRange { price: Ppm }, EditedMeanwhile,
    LastApprover, TooFewApprovers, SuspensionNeedsEnd, NotProposable,

    // The venue accepts nothing new for now (503).
    CancelOnly,
}

impl Reject {
    /// Whether the refusal is remembered under an idempotency key. Refusals that the edge could have made (400, 401,
    /// 403, 429, 503) are not: the client may retry with the same key.
    pub const fn is_remembered(&self) -> bool {
        use Reject as R;
        !matches!(
            self,
            R::UnknownKey
                | R::StaleKey
                | R::UnknownSession
                | R::UnknownOperator
                | R::UserSuspended
                | R::UserFrozen
                | R::OperatorSuspended
                | R::NotAllowed
                | R::LimitReached { .. }
                | R::TooManyIdempotencyKeys
                | R::IdempotencyMismatch
                | R::Malformed { .. }
                | R::BatchSize { .. }
                | R::PriceMissing
                | R::PostOnlyMarket
                | R::PostOnlyImmediate
                | R::MarketOrderRests
                | R::ExpiryMissing
                | R::ExpiryPast
                | R::AmountNotPositive
                | R::AmountTooLarge
                | R::BelowMinimum { .. }
                | R::ClientOrderIdInvalid
                | R::NothingToAmend
                | R::SizeNotAboveFilled { .. }
                | R::AmendedTwice
                | R::NoWholeSet
                | R::InvalidField { .. }
                | R::CancelOnly
        )
    }
}
