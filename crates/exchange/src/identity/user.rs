//! A user: name, password, sessions, keys, and what belongs to the account.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::{Decode, Encode};

use super::{ApiKey, Session};
use crate::id::{ConnectionId, EventId, Hash32, KeyId, SessionId, UserId};
use crate::index::ListingIndex;
use crate::position::PositionSlot;
use crate::text::Text;
use crate::time::Time;

/// Events a user may follow at once.
pub const WATCHLIST_MAX: usize = 1_000;

/// Connections that a user may have armed at once.
pub const CONNECTIONS_MAX: usize = 10;

/// A one-time token that lets its bearer set a new password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PasswordReset {
    #[n(0)]
    pub token_hash: Hash32,
    #[n(1)]
    pub expires_at: Time,
}

#[derive(Clone, Debug)]
pub struct User {
    pub id: UserId,
    pub email: Text,
    /// Unique, whatever the case.
    pub tag: Text,
    /// Argon2id, made at the edge. None: the account has no password yet.
    pub password_hash: Option<Text>,
    /// Grows with each new password: a login that began with the old one comes to nothing.
    pub password_version: u32,
    pub password_reset: Option<PasswordReset>,
    pub disabled: bool,
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
    pub(crate) fn new(id: UserId, email: Text, tag: Text, created_at: Time) -> User {
        User {
            id,
            email,
            tag,
            password_hash: None,
            password_version: 0,
            password_reset: None,
            disabled: false,
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

    pub fn open_orders(&self) -> u32 {
        self.open_orders
    }
}
