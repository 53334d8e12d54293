//! A rule: which requests or messages it counts, from which of them on it fires, how often, and with which effect.

use serde::{Deserialize, Serialize};

use crate::error::Refusal;

/// The kinds of faults. Those that begin with `stream` happen to messages of a stream, the others to requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    LostAnswer,
    Twice,
    Delay,
    #[serde(rename = "429")]
    RateLimit,
    #[serde(rename = "503")]
    Unavailable,
    Unknown,
    Cut,
    StreamCut,
    StreamGap,
    StreamDuplicate,
    StreamSlow,
}

impl Fault {
    pub(crate) fn is_of_streams(self) -> bool {
        matches!(self, Fault::StreamCut | Fault::StreamGap | Fault::StreamDuplicate | Fault::StreamSlow)
    }
}

/// The effect on a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    LostAnswer,
    Twice,
    Delay { millis: u64 },
    RateLimit { seconds: u64 },
    Unavailable { seconds: u64 },
    Unknown { committed: bool },
    Cut { byte: u64 },
}

/// The effect on a message of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamEffect {
    Cut,
    Gap,
    Duplicate,
    Slow { millis: u64 },
}

/// A rule as a client sends it. All but the fault have defaults.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewRule {
    pub(crate) fault: Fault,
    /// `POST`, …; any method without it.
    #[serde(default)]
    method: Option<String>,
    /// A path in which `*` stands for any characters; any path without it.
    #[serde(default)]
    path: Option<String>,
    /// A user's id, tag or public key; requests of anyone without it.
    #[serde(default)]
    user: Option<String>,
    /// The first counted request or message that is hit; 1 without it.
    #[serde(default)]
    pub(crate) nth: Option<u64>,
    /// How many are hit; 1 without it.
    #[serde(default)]
    pub(crate) count: Option<u64>,
    #[serde(default)]
    pub(crate) millis: Option<u64>,
    #[serde(default)]
    pub(crate) byte: Option<u64>,
    #[serde(default)]
    pub(crate) retry_after: Option<u64>,
    #[serde(default)]
    pub(crate) committed: Option<bool>,
}

/// A planted rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rule {
    pub(crate) id: u64,
    fault: Fault,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<String>,
    nth: u64,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    millis: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    committed: Option<bool>,
    /// Requests or messages that matched.
    seen: u64,
    /// How many of them were hit.
    fired: u64,
}

/// Longer than any client's timeout.
const MILLIS_MAX: u64 = 600_000;

impl NewRule {
    pub(crate) fn of(fault: Fault) -> NewRule {
        NewRule {
            fault,
            method: None,
            path: None,
            user: None,
            nth: None,
            count: None,
            millis: None,
            byte: None,
            retry_after: None,
            committed: None,
        }
    }

    /// Checks the rule's fields.
    pub(crate) fn check(self) -> Result<Rule, Refusal> {
        let NewRule { fault, method, path, user, nth, count, millis, byte, retry_after, committed } = self;
        let (has_delay, is_cut) = (matches!(fault, Fault::Delay | Fault::StreamSlow), fault == Fault::Cut);
        let is_refusal = matches!(fault, Fault::RateLimit | Fault::Unavailable);
        if has_delay != millis.is_some() || millis.is_some_and(|millis| millis > MILLIS_MAX) {
            return Err(Refusal::bad("millis: given for delay and stream-slow alone, at most 600000"));
        }
        if is_cut != byte.is_some() {
            return Err(Refusal::bad("byte: given for cut alone"));
        }
        if retry_after.is_some() && !is_refusal {
            return Err(Refusal::bad("retryAfter: given for 429 and 503 alone"));
        }
        if committed.is_some() && fault != Fault::Unknown {
            return Err(Refusal::bad("committed: given for unknown alone"));
        }
        if nth == Some(0) || count == Some(0) {
            return Err(Refusal::bad("nth and count begin at 1"));
        }
        if fault.is_of_streams() && method.is_some() {
            return Err(Refusal::bad("method: messages of a stream have none"));
        }
        // A stream names its user in its messages, and may have several.
        if fault.is_of_streams() && user.is_some() {
            return Err(Refusal::bad("user: given for faults of requests alone"));
        }
        let (nth, count) = (nth.unwrap_or(1), count.unwrap_or(1));
        let (id, seen, fired) = (0, 0, 0);
        Ok(Rule {
            id,
            fault,
            method,
            path,
            user,
            nth,
            count,
            millis,
            byte,
            retry_after,
            committed,
            seen,
            fired,
        })
    }
}

impl Rule {
    /// Whether the rule is about messages of streams.
    pub(crate) fn is_of_streams(&self) -> bool {
        self.fault.is_of_streams()
    }

    /// Whether the rule counts a request with this method, or without one a message of a stream.
    pub(crate) fn matches(&self, method: Option<&str>, path: &str, user: Option<&[String]>) -> bool {
        let is_kind = method.is_none() == self.fault.is_of_streams();
        let is_method = match (&self.method, method) {
            (Some(wanted), Some(method)) => wanted.eq_ignore_ascii_case(method),
            _ => true,
        };
        let is_path = self.path.as_ref().is_none_or(|pattern| is_like(pattern, path));
        let is_user = match (&self.user, user) {
            (None, _) => true,
            (Some(wanted), Some(names)) => names.iter().any(|name| name == wanted),
            (Some(_), None) => false,
        };
        is_kind && is_method && is_path && is_user
    }

    /// Counts a request that another rule has hit.
    pub(crate) fn count_passed(&mut self) {
        self.seen += 1;
    }

    /// Counts a request or a message, and returns whether it is hit.
    fn fires(&mut self) -> bool {
        self.seen += 1;
        let fires = self.seen >= self.nth && self.fired < self.count;
        self.fired += u64::from(fires);
        fires
    }

    /// Counts a request, and returns the effect if it is hit.
    pub(crate) fn next_effect(&mut self) -> Option<Effect> {
        let effect = match self.fault {
            Fault::LostAnswer => Effect::LostAnswer,
            Fault::Twice => Effect::Twice,
            Fault::Delay => Effect::Delay { millis: self.millis.unwrap_or(0) },
            Fault::RateLimit => Effect::RateLimit { seconds: self.retry_after.unwrap_or(1) },
            Fault::Unavailable => Effect::Unavailable { seconds: self.retry_after.unwrap_or(1) },
            Fault::Unknown => Effect::Unknown { committed: self.committed.unwrap_or(true) },
            Fault::Cut => Effect::Cut { byte: self.byte.unwrap_or(0) },
            Fault::StreamCut | Fault::StreamGap | Fault::StreamDuplicate | Fault::StreamSlow => return None,
        };
        self.fires().then_some(effect)
    }

    /// Counts a message of a stream, and returns the effect if it is hit.
    pub(crate) fn next_stream_effect(&mut self) -> Option<StreamEffect> {
        let effect = match self.fault {
            Fault::StreamCut => StreamEffect::Cut,
            Fault::StreamGap => StreamEffect::Gap,
            Fault::StreamDuplicate => StreamEffect::Duplicate,
            Fault::StreamSlow => StreamEffect::Slow { millis: self.millis.unwrap_or(0) },
            _ => return None,
        };
        self.fires().then_some(effect)
    }
}

/// Whether a path matches a pattern in which `*` stands for any characters.
fn is_like(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(before) = last.replace(part) {
            match rest.find(before) {
                Some(at) => rest = &rest[at + before.len()..],
                None => return false,
            }
        }
    }
    match last {
        Some(end) => rest.ends_with(end),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Rule {
        let new: NewRule = serde_json::from_str(text).expect("a rule");
        new.check().expect("a valid rule")
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, path, expected) in [
            ("/v1/pm/orders", "/v1/pm/orders", true),
            ("/v1/pm/orders", "/v1/pm/orders/1", false),
            ("/v1/pm/orders*", "/v1/pm/orders/1", true),
            ("/v1/*/orders", "/v1/pm/events/1/markets/2/orders", true),
            ("*/orders", "/v1/pm/orders", true),
            ("/v1/*/markets/*/orders", "/v1/pm/events/1/markets/2/orders", true),
            ("/v1/*/markets/*/orders", "/v1/pm/markets/2/mint", false),
            ("*", "/", true),
            ("/a*a", "/a", false),
        ] {
            assert_eq!(is_like(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_rule_hits_from_its_nth_match_on_as_often_as_it_says() {
        let mut rule = rule(r#"{"fault":"503","nth":2,"count":2,"retryAfter":3}"#);
        let hits: Vec<bool> = (0..5).map(|_| rule.next_effect().is_some()).collect();
        assert_eq!(hits, [false, true, true, false, false]);
        assert_eq!((rule.seen, rule.fired), (5, 2));
    }

    #[test]
    fn a_rule_counts_requests_of_its_method_path_and_user_alone() {
        let rule = rule(r#"{"fault":"lost-answer","method":"post","path":"/v1/*","user":"ada"}"#);
        let ada = ["1".to_owned(), "ada".to_owned()];
        assert!(rule.matches(Some("POST"), "/v1/pm", Some(&ada)));
        assert!(!rule.matches(Some("GET"), "/v1/pm", Some(&ada)));
        assert!(!rule.matches(Some("POST"), "/v2", Some(&ada)));
        assert!(!rule.matches(Some("POST"), "/v1/pm", Some(&["bola".to_owned()])));
        assert!(!rule.matches(Some("POST"), "/v1/pm", None));
        assert!(!rule.matches(None, "/v1/pm", Some(&ada)), "a message is no request");
    }

    #[test]
    fn fields_of_other_faults_are_refused() {
        for text in [
            r#"{"fault":"delay"}"#,
            r#"{"fault":"delay","millis":600001}"#,
            r#"{"fault":"twice","millis":1}"#,
            r#"{"fault":"cut"}"#,
            r#"{"fault":"429","byte":1}"#,
            r#"{"fault":"cut","byte":1,"retryAfter":1}"#,
            r#"{"fault":"503","committed":true}"#,
            r#"{"fault":"503","nth":0}"#,
            r#"{"fault":"stream-gap","method":"GET"}"#,
            r#"{"fault":"stream-gap","user":"ada"}"#,
        ] {
            let new: NewRule = serde_json::from_str(text).expect("a rule");
            assert!(new.check().is_err(), "{text}");
        }
    }
}
