//! Query strings, and texts as segments of a path.

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::{Error, Result};

/// Everything but letters, digits and the marks that no address treats specially.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The parameters of a query, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(Vec<(&'static str, String)>);

impl Query {
    pub(crate) fn with(mut self, name: &'static str, value: impl Display) -> Query {
        self.0.push((name, value.to_string()));
        self
    }

    /// Leaves a parameter without a value out.
    pub(crate) fn and(self, name: &'static str, value: Option<impl Display>) -> Query {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// With its question mark; empty without parameters.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.0 {
            text.push(if text.is_empty() { '?' } else { '&' });
            text.extend(utf8_percent_encode(name, ESCAPED));
            text.push('=');
            text.extend(utf8_percent_encode(value, ESCAPED));
        }
        text
    }
}

/// One segment of a path. A slash in a slug must not lead to another path.
pub(crate) fn segment(text: &str) -> Result<String> {
    if matches!(text, "" | "." | "..") {
        return Err(Error::Usage(format!("not an id or a slug: {text:?}")));
    }
    Ok(utf8_percent_encode(text, ESCAPED).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_escaped_and_leaves_out_parameters_without_a_value() {
        let query =
            Query::default().with("q", "rain & fog").and("page", None::<u32>).with("outcomeId[]", "a,b");
        assert_eq!(query.text(), "?q=rain%20%26%20fog&outcomeId%5B%5D=a%2Cb");
        assert_eq!(Query::default().text(), "");
    }

    #[test]
    fn a_segment_stays_one_segment() {
        assert_eq!(segment("a/../b?c").ok().as_deref(), Some("a%2F..%2Fb%3Fc"));
        assert_eq!(segment("crypto-btc-1h").ok().as_deref(), Some("crypto-btc-1h"));
        assert!(["", ".", ".."].into_iter().all(|text| segment(text).is_err()));
    }
}
