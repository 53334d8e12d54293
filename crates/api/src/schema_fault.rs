//! Compares JSON with a schema, as far as our documents use JSON Schema. A key that the schema does not describe is a
//! fault, so every new key must also be added to the document.

use serde_json::{Map, Value};

/// Checks a value against the part of JSON Schema that we use. Returns the first fault.
pub fn fault(schemas: &Map<String, Value>, schema: &Value, value: &Value) -> Option<String> {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.strip_prefix("#/components/schemas/")?;
        return fault(schemas, &schemas[name], value).map(|fault| format!("{name}: {fault}"));
    }
    let choices = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    if let Some(choices) = choices.and_then(Value::as_array) {
        let mut faults = choices.iter().map(|choice| fault(schemas, choice, value));
        return if faults.any(|fault| fault.is_none()) {
            None
        } else {
            Some(format!("{value} is none of the choices"))
        };
    }
    let kinds: Vec<_> = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let fits = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    };
    if !kinds.iter().any(fits) {
        return Some(format!("{value} is not {kinds:?}"));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(value)
    {
        return Some(format!("{value} is not one of {words:?}"));
    }
    match value {
        Value::Array(list) => list.iter().find_map(|item| fault(schemas, &schema["items"], item)),
        Value::Object(object) => object_fault(schemas, schema, object),
        _ => None,
    }
}

fn object_fault(schemas: &Map<String, Value>, schema: &Value, object: &Map<String, Value>) -> Option<String> {
    let required =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|key| !object.contains_key(*key)) {
        return Some(format!("`{missing}` is missing"));
    }
    object.iter().find_map(|(key, value)| {
        let described = schema["properties"].get(key).or_else(|| schema.get("additionalProperties"));
        match described {
            Some(described) => fault(schemas, described, value).map(|fault| format!("{key}: {fault}")),
            // The second spelling of a listed key is left out of the document.
            None if key.contains('_') => None,
            None => Some(format!("`{key}` is not described")),
        }
    })
}
