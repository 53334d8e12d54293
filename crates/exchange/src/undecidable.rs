//! Requests that this build cannot decide: unreadable bytes and unsupported rules.
//!
//! A refusal is a decision, and every build makes the same one. A request that this build cannot decide leaves the
//! state unchanged; the node stops there until a newer build takes over.

use core::fmt;

use crate::codec::CodecError;
use crate::command::{Command, Request, UpgradeRules};
use crate::exchange::Exchange;

#[derive(Debug)]
pub enum Undecidable {
    /// The bytes contain a command, a field or a form that this build does not support.
    Unreadable(CodecError),
    /// The request requires rules that this build does not support.
    UnknownRules { version: u32, known: u32 },
    /// The command, or a field of its request, belongs to rules that the log has not been upgraded to.
    NewerCommand { name: &'static str, rules: u32, current: u32 },
}

impl fmt::Display for Undecidable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecidable::Unreadable(cause) => write!(f, "the request cannot be read: {cause}"),
            Undecidable::UnknownRules { version, known } => {
                write!(f, "the request asks for rules {version}, and this build knows rules up to {known}")
            }
            Undecidable::NewerCommand { name, rules, current } => {
                write!(f, "{name} needs rules {rules}, and the log is at rules {current}")
            }
        }
    }
}

impl core::error::Error for Undecidable {}

impl From<CodecError> for Undecidable {
    fn from(cause: CodecError) -> Undecidable {
        Undecidable::Unreadable(cause)
    }
}

impl Exchange {
    /// Checks that this build can decide a request of a log that is at rules `current`.
    #[inline]
    pub fn check_decidable_by(current: u32, request: &Request) -> Result<(), Undecidable> {
        let command = &request.command;
        // Rules before 4 refuse a proposed upgrade, whatever its version.
        let upgrade = if current >= 4 { command.innermost() } else { command };
        if let Command::UpgradeRules(UpgradeRules { version }) = *upgrade
            && version > Exchange::rules_known()
        {
            return Err(Undecidable::UnknownRules { version, known: Exchange::rules_known() });
        }
        let rules = request.rules();
        if rules > current {
            return Err(Undecidable::NewerCommand { name: command.name(), rules, current });
        }
        Ok(())
    }
}
