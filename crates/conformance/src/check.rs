//! A check: its rule with the source, its needs, its function; and its verdict.

use serde::Serialize;

use crate::probe::Probe;

/// The needs of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: it reads public data.
    Nothing,
    /// A key, for reads and for signed requests that change nothing.
    Key,
    /// A key, and money: it places orders or mints. The text says what it does.
    Money(&'static str),
    /// Two keys of different accounts, and money.
    TwoKeys(&'static str),
    /// An email address and a password. The text says what it does.
    Login(&'static str),
}

/// The origin of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// The specification states it. A difference means that the server does not conform.
    Specification,
    /// Public clients of this API rely on it, or it is our answer where the specification shows nothing. A difference is
    /// reported and does not count.
    PublicClients,
}

impl Source {
    /// The source in words.
    pub fn words(self) -> &'static str {
        match self {
            Source::Specification => "specification",
            Source::PublicClients => "public clients",
        }
    }
}

/// One check: a rule and the function that examines it.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Area and name, such as `orders.cancel`.
    pub id: &'static str,
    /// The section of the specification, or the other source of the rule.
    pub section: &'static str,
    pub source: Source,
    /// The rule, as a sentence.
    pub title: &'static str,
    /// The endpoints that it examines, as method and path.
    pub endpoints: &'static [&'static str],
    pub needs: Needs,
    /// Examines the rule.
    pub(crate) run: fn(&mut Probe<'_>) -> Result<(), Stop>,
}

/// A difference between the specification and the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The request and the place in its answer.
    pub what: String,
    pub expected: String,
    pub seen: String,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Differs(Vec<Difference>),
    /// With the reason.
    NotTried(String),
}

/// Why a check ended before its last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It cannot be tried here. Differences found until then count.
    NotTried(String),
    /// Nothing after this difference would mean anything.
    Broken(Difference),
}

impl Stop {
    pub(crate) fn not_tried(reason: impl Into<String>) -> Stop {
        Stop::NotTried(reason.into())
    }
}
