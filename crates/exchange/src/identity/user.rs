//! A user: an opaque id, sessions, keys, and what belongs to the account. Email and password hash are in the people store; the
//! rules know which row of it counts.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::{Decode, Encode};

use super::{ApiKey, Session};
use crate::id::{ConnectionId, EventId, Hash32, KeyId, RowId, SessionId, UserId};
use crate::index::ListingIndex;
use crate::position::PositionSlot;
use crate::reject::Reject;
use crate::text::Text;
use crate::time::{Span, Time};

/// Events a user may follow at once.
pub const WATCHLIST_MAX: usize = 1_000;

/// Connections that a user may have armed at once.
pub const CONNECTIONS_MAX: usize = 10;

/// How long a password reset can be approved and used.
pub const RESET_LIFE: Span = Span::hours(24);
/// Password resets that a user may have at once. One more drops the oldest.
pub const RESETS_MAX: usize = 50;

/// A request for a new password. Its token was made in the person's browser; once an operator has approved it, the token
/// sets a password, once.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PasswordReset {
    #[n(0)]
    pub token_hash: Hash32,
    /// What the person reads to the operator.
    #[n(1)]
    pub code: Text,
    /// A keyed hash of the network that asked. A new request of a network replaces its earlier one.
    #[n(2)]
    pub network: Hash32,
    #[n(3)]
    pub requested_at: Time,
    #[n(4)]
    pub is_approved: bool,
}

impl PasswordReset {
    pub fn expires_at(&self) -> Time {
        self.requested_at + RESET_LIFE
    }
}

#[derive(Clone, Debug)]
pub struct User {
    pub id: UserId,
    /// A keyed hash of the email address, unique. None: the house, or an erased user.
    pub address: Option<Hash32>,
    /// Unique, whatever the case. An erased user's stays taken.
    pub tag: Text,
    /// The row of the people store that holds email and password hash. None: the house, or an erased user.
    pub row: Option<RowId>,
    /// Grows with each new password: a login that began with the old one comes to nothing.
    pub password_version: u32,
    /// Oldest first.
    pub password_resets: Vec<PasswordReset>,
    /// Suspended: may do nothing.
    pub disabled: bool,
    /// Frozen: may do nothing, and only settlement moves the wallet and the positions.
    pub frozen: bool,
    /// Erased: has nothing, may do nothing, and stays an opaque id in trades.
    pub erased: bool,
    pub created_at: Time,
    /// Oldest first.
    pub sessions: Vec<Session>,
    pub keys: Vec<ApiKey>,
    pub watchlist: BTreeSet<EventId>,
    /// When everything that rests is cancelled, unless the switch is set again.
    pub cancel_at: Option<Time>,
    /// Connections whose end cancels everything that rests.
    pub connections: BTreeSet<ConnectionId>,
    pub(crate) positions: BTreeMap<ListingIndex, PositionSlot>,
    pub(crate) open_orders: u32,
    /// Idempotency keys remembered for this user.
    pub(crate) idempotency_keys: u32,
}

impl User {
    pub(crate) fn new(id: UserId, tag: Text, created_at: Time) -> User {
        User {
            id,
            address: None,
            tag,
            row: None,
            password_version: 0,
            password_resets: Vec::new(),
            disabled: false,
            frozen: false,
            erased: false,
            created_at,
            sessions: Vec::new(),
            keys: Vec::new(),
            watchlist: BTreeSet::new(),
            cancel_at: None,
            connections: BTreeSet::new(),
            positions: BTreeMap::new(),
            open_orders: 0,
            idempotency_keys: 0,
        }
    }

    pub fn key(&self, id: KeyId) -> Option<&ApiKey> {
        self.keys.iter().find(|key| key.id == id)
    }

    pub fn session(&self, id: SessionId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    pub(crate) fn check_active(&self) -> Result<(), Reject> {
        match (self.frozen, self.disabled) {
            (true, _) => Err(Reject::UserFrozen),
            (false, true) => Err(Reject::UserSuspended),
            (false, false) => Ok(()),
        }
    }

    /// May log in and send commands.
    pub const fn is_active(&self) -> bool {
        !self.disabled && !self.frozen && !self.erased
    }

    pub fn open_orders(&self) -> u32 {
        self.open_orders
    }
}
