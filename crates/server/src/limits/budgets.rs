//! The rate limits of a node and their defaults. docs/security.md lists them in one table.

use std::sync::Arc;

use exchange::id::{Hash32, KeyId, OperatorId};
use exchange::index::UserIndex;

use super::{Buckets, KnownNetworks, Network, Rate, UnreadBytes};

/// Requests per second. Spec, Limits; the public rate is our own.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    pub read: Rate,
    pub write: Rate,
    pub public: Rate,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates { read: Rate::per_second(30), write: Rate::per_second(20), public: Rate::per_second(100) }
    }
}

/// The account of a rate limit: each key has its own bucket, all web sessions of a user share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BucketOwner {
    Key(KeyId),
    WebSessions(UserIndex),
}

/// Page files allowed per API request of an address. A page consists of a dozen files, and a whole office may open it
/// from one address. A page whose file was refused stays empty, because the browser does not retry.
const FILES_PER_REQUEST: u32 = 10;

/// Requests of one operator, over all tokens and sessions. The capacity lets a script of a hundred commands run at
/// once.
pub const OPERATOR_RATE: Rate = Rate { tokens: 50, seconds: 1, capacity: 200 };
/// Tokens of the operator's bucket for an upload of a picture: decoding takes up to a second of a core.
pub const UPLOAD_TOKENS: u32 = 20;
/// Requests of one network to the operator listener without a valid token: console files, guessed tokens.
pub const OPERATOR_NETWORK_RATE: Rate = Rate::per_second(100);

/// Logins and password resets of one network. Each takes tens of milliseconds of CPU time.
pub const PASSWORD_WORK: Rate = Rate { tokens: 2, seconds: 1, capacity: 60 };

/// What strangers leave in the journal: each failed login and each request for a new password stays there for ever.
pub const STRANGERS: Rate = Rate { tokens: 1, seconds: 30, capacity: 200 };
/// Logins with one email from sites that have used that up. They write nothing unless the password is right, so that the
/// failures of others at a site do not lock anybody out, and guessing stays as slow as the rules have it.
pub const UNWRITTEN_LOGINS: Rate = Rate { tokens: 1, seconds: 120, capacity: 1 };
/// Logins with an email in a browser that it has logged in from before. They pay neither for their network nor for its site.
pub const KNOWN_BROWSERS: Rate = Rate { tokens: 1, seconds: 30, capacity: 5 };

/// All limits of a node that are not rules. docs/security.md lists what each one limits and in which order they are charged.
#[derive(Debug)]
pub struct Limits {
    pub public: Buckets<Network>,
    pub files: Buckets<Network>,
    /// Requests that present credentials, charged until the credentials are verified. Failed verifications are not
    /// refunded.
    pub proofs: Buckets<Network>,
    /// By key and network: a public key is no secret, so another client that sends it must drain a bucket of its own.
    pub read: Buckets<(BucketOwner, Network)>,
    pub write: Buckets<BucketOwner>,
    /// Separate from other writes, so that a trader at the write limit can still cancel.
    pub cancel: Buckets<BucketOwner>,
    pub operators: Buckets<OperatorId>,
    pub operator_networks: Buckets<Network>,
    pub passwords: Buckets<Network>,
    /// By site.
    pub strangers: Buckets<Network>,
    /// By the hash of the email.
    pub unwritten_logins: Buckets<Hash32>,
    /// By the hash of the email.
    pub known_browsers: Buckets<Hash32>,
    pub unread: Arc<UnreadBytes>,
    pub known_operators: Arc<KnownNetworks>,
}

impl Limits {
    pub fn new(rates: Rates) -> Limits {
        Limits {
            public: Buckets::new(rates.public),
            files: Buckets::new(rates.public.times(FILES_PER_REQUEST)),
            proofs: Buckets::new(rates.public),
            read: Buckets::new(rates.read),
            write: Buckets::new(rates.write),
            cancel: Buckets::new(rates.write),
            operators: Buckets::new(OPERATOR_RATE),
            operator_networks: Buckets::new(OPERATOR_NETWORK_RATE),
            passwords: Buckets::new(PASSWORD_WORK),
            strangers: Buckets::new(STRANGERS),
            unwritten_logins: Buckets::new(UNWRITTEN_LOGINS),
            known_browsers: Buckets::new(KNOWN_BROWSERS),
            unread: Arc::default(),
            known_operators: Arc::default(),
        }
    }
}
