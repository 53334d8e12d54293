//! The rate limit that a request is charged to before its function runs. Only the row decides; no header makes a request
//! cheaper. A request without a row is public.

use super::operation::{Access, Operation};

/// The bucket that a request is charged to first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fare {
    /// None: a probe. A flood of requests cannot make a healthy node look dead.
    Free,
    /// The network's bucket for files of the web page.
    Files,
    /// The network's bucket for public requests. Reads by public key use it too, because a public key proves nothing.
    Public,
    /// The network's bucket for credentials. Verified credentials refund the token; failed ones do not.
    Proof,
    /// The bucket of an operator, or of a network, on the operator listener.
    Operators,
}

impl Fare {
    pub(crate) fn of(operation: &Operation) -> Fare {
        match operation.access {
            _ if operation.is_probe => Fare::Free,
            _ if operation.is_file => Fare::Files,
            Access::Public | Access::Personal | Access::Read => Fare::Public,
            Access::Session | Access::Private | Access::Write => Fare::Proof,
            Access::Viewer | Access::Operator | Access::Approver => Fare::Operators,
        }
    }
}
