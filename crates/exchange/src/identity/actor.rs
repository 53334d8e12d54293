//! The sender of a command. It is in the journal, so that a key revoked before the command is refused.

use minicbor::{Decode, Encode};

use crate::id::{KeyId, OperatorId, SessionId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Actor {
    /// The node: ticks, feeds, the first operator.
    #[n(0)]
    System,
    /// A signed request. The generation is that of the secret that signed it.
    #[n(1)]
    Key {
        #[n(0)]
        key: KeyId,
        #[n(1)]
        generation: u32,
    },
    #[n(2)]
    Session {
        #[n(0)]
        session: SessionId,
    },
    #[n(3)]
    Operator {
        #[n(0)]
        operator: OperatorId,
    },
}
