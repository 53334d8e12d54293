//! The OpenAPI document as YAML: blocks for objects and lists, JSON for everything else, which is YAML too.

use std::fmt::Write;

use serde_json::{Map, Value};

/// The order of the document's parts. JSON objects are sorted by key.
const PARTS: [&str; 6] = ["openapi", "info", "servers", "tags", "paths", "components"];

/// A document as YAML 1.2.
pub fn yaml(document: &Value) -> String {
    let mut out = String::with_capacity(1 << 20);
    let Some(parts) = document.as_object() else { return out };
    let named = PARTS.into_iter().filter_map(|part| parts.get_key_value(part));
    let others = parts.iter().filter(|(key, _)| !PARTS.contains(&key.as_str()));
    named.chain(others).for_each(|(key, value)| member(&mut out, 0, key, value));
    out
}

fn member(out: &mut String, depth: usize, key: &str, value: &Value) {
    indent(out, depth);
    push_key(out, key);
    out.push(':');
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            out.push('\n');
            object(out, depth + 1, fields);
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            list(out, depth + 1, items);
        }
        other => scalar(out, other),
    }
}

fn object(out: &mut String, depth: usize, fields: &Map<String, Value>) {
    fields.iter().for_each(|(key, value)| member(out, depth, key, value));
}

fn list(out: &mut String, depth: usize, items: &[Value]) {
    for item in items {
        indent(out, depth);
        out.push('-');
        match item {
            Value::Object(fields) if !fields.is_empty() => {
                out.push('\n');
                object(out, depth + 1, fields);
            }
            Value::Array(inner) if !inner.is_empty() => {
                out.push('\n');
                list(out, depth + 1, inner);
            }
            other => scalar(out, other),
        }
    }
}

/// JSON of a value on one line: a text in double quotes, a number, a literal, or an empty object or list.
fn scalar(out: &mut String, value: &Value) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, " {value}");
}

/// Names stand for themselves; every other key, such as a path or a status, is in quotes.
fn push_key(out: &mut String, key: &str) {
    let is_name = key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        // Literals of YAML 1.1.
        && !["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(&key.to_ascii_lowercase().as_str());
    match is_name {
        true => out.push_str(key),
        false => {
            let _ = write!(out, "{}", Value::from(key));
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blocks_have_names_and_everything_else_is_json() {
        let document = json!({
            "paths": {"/a/{b}": {"get": {"responses": {"200": {"description": "a: \"b\" # c\n"}}, "tags": []}}},
            "openapi": "3.1.0",
            "x": [1, 1.5, null, true, "no", [[], {"yes": {}}], {"on": "-"}],
        });
        let expected = r##"openapi: "3.1.0"
paths:
  "/a/{b}":
    get:
      responses:
        "200":
          description: "a: \"b\" # c\n"
      tags: []
x:
  - 1
  - 1.5
  - null
  - true
  - "no"
  -
    - []
    -
      "yes": {}
  -
    "on": "-"
"##;
        assert_eq!(yaml(&document), expected);
    }
}
