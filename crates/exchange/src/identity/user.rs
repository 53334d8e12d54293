//! A user: an opaque id, sessions, keys and the state of the account. Email and password hash are in the people store;
//! the user refers to its row.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::{Decode, Encode};

use super::{ApiKey, Session};
use crate::id::{ConnectionId, EventId, Hash32, KeyId, RowId, SessionId, UserId};
use crate::index::ListingIndex;
use crate::order::OpenOrders;
use crate::position::PositionSlot;
use crate::reject::Reject;
use crate::sparse::Sparse;
use crate::text::Text;
use crate::time::{Span, Time};

/// Events on a user's watchlist.
pub const WATCHLIST_MAX: usize = 1_000;

/// Armed connections per user.
pub const CONNECTIONS_MAX: usize = 10;

/// How long a password reset can be approved and used.
pub const RESET_LIFE: Span = Span::hours(24);
/// Password resets per user. A further one removes the oldest.
pub const RESETS_MAX: usize = 50;

/// A request for a new password. The token was generated in the person's browser; once an operator has approved the
/// request, the token can set a password once.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PasswordReset {
    #[n(0)]
    pub token_hash: Hash32,
    /// The code that the person reads to the operator.
    #[n(1)]
    pub code: Text,
    /// A keyed hash of the requesting network. A new request from a network replaces its earlier one.
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
    /// A keyed hash of the email address, unique. `None` for the house and erased users.
    pub address: Option<Hash32>,
    /// Unique, case-insensitive. An erased user's tag stays taken.
    pub tag: Text,
    /// The row of the people store with email and password hash. `None` for the house and erased users.
    pub row: Option<RowId>,
    /// Incremented with each new password: a login that started with the old one fails.
    pub password_version: u32,
    /// Oldest first.
    pub password_resets: Sparse<Vec<PasswordReset>>,
    /// Suspended: every command is refused.
    pub disabled: bool,
    /// Frozen: every command is refused, and only settlement changes the wallet and the positions.
    pub frozen: bool,
    /// Erased: the account is empty, every command is refused, and the id remains in trades.
    pub erased: bool,
    pub created_at: Time,
    /// Oldest first.
    pub sessions: Box<[Session]>,
    pub keys: Box<[ApiKey]>,
    pub watchlist: Sparse<BTreeSet<EventId>>,
    /// When all resting orders are cancelled, unless the switch is renewed.
    pub cancel_at: Option<Time>,
    /// Connections whose end cancels all resting orders.
    pub connections: Sparse<BTreeSet<ConnectionId>>,
    pub(crate) positions: BTreeMap<ListingIndex, PositionSlot>,
    pub(crate) open_orders: Sparse<OpenOrders>,
}

impl User {
    pub(crate) fn new(id: UserId, tag: Text, created_at: Time) -> User {
        User {
            id,
            address: None,
            tag,
            row: None,
            password_version: 0,
            password_resets: Sparse::empty(),
            disabled: false,
            frozen: false,
            erased: false,
            created_at,
            sessions: Box::default(),
            keys: Box::default(),
            watchlist: Sparse::empty(),
            cancel_at: None,
            connections: Sparse::empty(),
            positions: BTreeMap::new(),
            open_orders: Sparse::empty(),
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

    /// Whether the user may log in and send commands.
    pub const fn is_active(&self) -> bool {
        !self.disabled && !self.frozen && !self.erased
    }

    /// The number of open orders.
    pub fn open_orders(&self) -> u32 {
        self.open_orders.len()
    }

    pub fn open_order_list(&self) -> &OpenOrders {
        &self.open_orders
    }
}
