//! A login session: 30 days, at most 20 per user.

use minicbor::{Decode, Encode};

use super::Allowance;
use crate::id::{Hash32, SessionId};
use crate::text::Text;
use crate::time::{Span, Time};

pub const SESSION_LIFE: Span = Span::days(30);
/// A further session removes the oldest.
pub const SESSIONS_MAX: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Session {
    #[n(0)]
    pub id: SessionId,
    /// SHA-256 of the token; only the user has the token.
    #[n(1)]
    pub token_hash: Hash32,
    #[n(2)]
    pub device: Text,
    #[n(3)]
    pub created_at: Time,
    #[n(4)]
    pub key_creations: Allowance,
    /// Revocations and rotations share this allowance.
    #[n(5)]
    pub key_changes: Allowance,
}

impl Session {
    pub(crate) fn new(id: SessionId, token_hash: Hash32, device: Text, created_at: Time) -> Session {
        let (key_creations, key_changes) = (Allowance::default(), Allowance::default());
        Session { id, token_hash, device, created_at, key_creations, key_changes }
    }

    pub fn expires_at(&self) -> Time {
        self.created_at + SESSION_LIFE
    }
}
