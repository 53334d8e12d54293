//! An API key pair in the exchange: not the secret, only its valid generation.

use minicbor::{Decode, Encode};

use crate::id::KeyId;
use crate::text::Text;
use crate::time::Time;

/// Active keys per user. Spec, Limits.
pub const KEYS_MAX: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ApiKey {
    #[n(0)]
    pub id: KeyId,
    /// Unique among the user's keys.
    #[n(1)]
    pub name: Text,
    #[n(2)]
    pub public_key: Text,
    /// Incremented by each rotation; older secrets are then invalid.
    #[n(3)]
    pub generation: u32,
    #[n(4)]
    pub created_at: Time,
    /// The master key was replaced; the key is refused until its owner rotates it.
    #[n(5)]
    pub needs_rotation: bool,
}
