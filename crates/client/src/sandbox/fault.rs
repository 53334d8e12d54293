//! Faults of a sandbox: lost answers, refusals, cut and slow streams.

use serde::{Deserialize, Serialize};

use super::Sandbox;
use crate::error::{Error, Result};

/// The kinds of faults. Those that begin with `Stream` happen to messages, the others to requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The request is executed, and its answer is lost.
    LostAnswer,
    /// The request arrives twice.
    Twice,
    /// The answer comes after `millis`.
    Delay,
    /// Refused with 429.
    #[serde(rename = "429")]
    RateLimit,
    /// Refused with 503.
    #[serde(rename = "503")]
    Unavailable,
    /// Answered with an unknown outcome; `committed` says whether it was executed.
    Unknown,
    /// The answer is cut after `byte` bytes.
    Cut,
    /// The stream's connection is cut.
    StreamCut,
    /// A message is left out.
    StreamGap,
    /// A message comes twice.
    StreamDuplicate,
    /// A message comes after `millis`.
    StreamSlow,
}

/// The requests or messages that a fault hits, and its parameters. A field that is none has the sandbox's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FaultConditions {
    /// The method of a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A path in which `*` stands for any characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// An id, a tag or a public key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The first match that is hit; 1 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nth: Option<u64>,
    /// How many are hit; 1 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
    /// The byte of the cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// The seconds that a refusal names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Whether a write with an unknown outcome was executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed: Option<bool>,
}

/// A planted fault.
#[derive(Debug)]
pub struct Fault<'a> {
    sandbox: &'a Sandbox,
    id: u64,
}

/// How often a fault's conditions were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultCounts {
    /// Requests or messages that matched.
    pub seen: u64,
    /// Those of them that were hit.
    pub fired: u64,
}

#[derive(Serialize)]
struct NewRule<'a> {
    fault: FaultKind,
    #[serde(flatten)]
    conditions: &'a FaultConditions,
}

#[derive(Deserialize)]
struct Rules {
    faults: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: u64,
    seen: u64,
    fired: u64,
}

impl<'a> Fault<'a> {
    pub(super) async fn plant(
        sandbox: &'a Sandbox,
        kind: FaultKind,
        conditions: &FaultConditions,
    ) -> Result<Fault<'a>> {
        let Rule { id, .. } = sandbox.post("/faults", &NewRule { fault: kind, conditions }).await?;
        Ok(Fault { sandbox, id })
    }

    /// How many requests or messages have matched, and how many of them were hit.
    pub async fn counts(&self) -> Result<FaultCounts> {
        let Rules { faults } = self.sandbox.get("/faults").await?;
        let found = faults.into_iter().find(|rule| rule.id == self.id);
        let Rule { seen, fired, .. } =
            found.ok_or_else(|| Error::Missing(format!("fault {} is removed", self.id)))?;
        Ok(FaultCounts { seen, fired })
    }

    /// Removes the fault. A fault that is only dropped stays.
    pub async fn remove(self) -> Result<()> {
        self.sandbox.delete(&format!("/faults/{}", self.id)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_only_the_conditions_that_are_set() {
        let conditions = FaultConditions { path: Some("*/orders".to_owned()), ..FaultConditions::default() };
        let text = serde_json::to_string(&NewRule { fault: FaultKind::LostAnswer, conditions: &conditions });
        assert_eq!(text.expect("JSON"), r#"{"fault":"lost-answer","path":"*/orders"}"#);
        assert_eq!(serde_json::to_string(&FaultKind::RateLimit).expect("JSON"), r#""429""#);
    }
}
