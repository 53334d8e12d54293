//! Strings of JSON documents. The documents themselves are templates, because their structure is fixed.

/// A JSON string with its quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", control as u32)),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

/// A JSON list of strings.
pub(crate) fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", items.join(", "))
}

/// The first string value of a key in a document, without a parser: keys of a response are unique enough for a trial.
pub(crate) fn find<'a>(document: &'a str, key: &str) -> Result<&'a str, String> {
    let value = document.split(&format!("\"{key}\":\"")).nth(1).and_then(|rest| rest.split('"').next());
    value.ok_or_else(|| format!("no `{key}` in {document}"))
}

#[cfg(test)]
mod tests {
    use super::{find, list, quoted};

    #[test]
    fn quotes_backslashes_and_control_characters_are_escaped() {
        assert_eq!(quoted("a \"b\" \\ c\n"), "\"a \\\"b\\\" \\\\ c\\u000a\"");
        assert_eq!(list(["a", "é"]), "[\"a\", \"é\"]");
        assert_eq!(list([]), "[]");
    }

    #[test]
    fn a_value_is_found_by_its_key() {
        assert_eq!(find("{\"a\":\"1\",\"id\":\"x-1\",\"b\":2}", "id"), Ok("x-1"));
        assert!(find("{\"a\":1}", "id").unwrap_err().contains("`id`"));
    }
}
