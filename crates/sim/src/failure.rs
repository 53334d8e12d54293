//! A broken rule with a description; the common type of all checks.

use core::fmt;

use exchange::invariants::Broken;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub rule: String,
    pub detail: String,
}

impl Failure {
    pub fn new(rule: &str, detail: impl fmt::Display) -> Failure {
        Failure { rule: rule.to_owned(), detail: detail.to_string() }
    }
}

impl From<Broken> for Failure {
    fn from(broken: Broken) -> Failure {
        Failure { rule: broken.rule.to_owned(), detail: broken.detail }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.detail)
    }
}

/// `Ok` if it holds; the detail is formatted only if it does not.
#[inline]
pub fn ensure(holds: bool, rule: &str, detail: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure { rule: rule.to_owned(), detail: detail() }) }
}
