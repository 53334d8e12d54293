//! The header by which a request names its own fault: `X-Sandbox-Fault: cut; byte=20`.

use http::HeaderValue;

use super::rule::{Fault, NewRule, Rule};
use crate::error::Refusal;

/// The header's name.
pub(crate) const FAULT_HEADER: &str = "x-sandbox-fault";

/// Reads a fault and its parameters.
pub(crate) fn read_header(value: &HeaderValue) -> Result<Rule, Refusal> {
    let text = value.to_str().map_err(|_| Refusal::bad("X-Sandbox-Fault: is not text"))?;
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let fault: Fault = serde_json::from_value(serde_json::Value::from(name))
        .map_err(|_| Refusal::bad(format!("X-Sandbox-Fault: no fault is called {name:?}")))?;
    let mut rule = NewRule::of(fault);
    for part in parts.filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let number = || value.trim().parse::<u64>().ok();
        let field = match name.trim() {
            "millis" => &mut rule.millis,
            "byte" => &mut rule.byte,
            "nth" => &mut rule.nth,
            "count" => &mut rule.count,
            "retryAfter" => &mut rule.retry_after,
            "committed" => {
                let committed = value.trim().parse().ok();
                rule.committed = Some(committed.ok_or_else(|| wrong(part))?);
                continue;
            }
            _ => return Err(wrong(part)),
        };
        *field = Some(number().ok_or_else(|| wrong(part))?);
    }
    rule.check()
}

fn wrong(part: &str) -> Refusal {
    Refusal::bad(format!("X-Sandbox-Fault: {part:?} is no parameter"))
}

#[cfg(test)]
mod tests {
    use super::super::rule::{Effect, StreamEffect};
    use super::*;

    fn read(text: &'static str) -> Result<Rule, Refusal> {
        read_header(&HeaderValue::from_static(text))
    }

    #[test]
    fn a_header_names_a_fault_and_its_parameters() {
        let effect = |text| read(text).expect("a fault").next_effect();
        assert_eq!(effect("lost-answer"), Some(Effect::LostAnswer));
        assert_eq!(effect("cut; byte=20"), Some(Effect::Cut { byte: 20 }));
        assert_eq!(effect("delay;millis = 5"), Some(Effect::Delay { millis: 5 }));
        assert_eq!(effect("429; retryAfter=3"), Some(Effect::RateLimit { seconds: 3 }));
        assert_eq!(effect("unknown; committed=false"), Some(Effect::Unknown { committed: false }));
        let mut gap = read("stream-gap; nth=2").expect("a fault");
        assert_eq!(gap.next_stream_effect(), None);
        assert_eq!(gap.next_stream_effect(), Some(StreamEffect::Gap));
    }

    #[test]
    fn another_fault_or_parameter_is_refused() {
        for text in ["", "explode", "cut; byte=x", "cut", "cut; bytes=1", "unknown; committed=maybe"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
