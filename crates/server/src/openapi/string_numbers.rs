//! Decimals as strings, for clients that ask for it: which numbers of each answer are decimals, and the OpenAPI document
//! of that form. Both follow from the schemas of the document, so they agree with it.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use api::json::{DecimalShapes, ShapeId, is_decimal};
use serde_json::{Value, json};

use super::served::OPENAPI_VALUE;
use crate::edge::operation::JSON;

/// Every decimal in the string form.
const PATTERN: &str = r"^-?[0-9]+(\.[0-9]+)?$";

const STRING_FORM: &str = " This is the form with `X-Number-Format: string`: every decimal of an answer is a string. \
Requests have numbers.";

/// The shapes of all answers, by operation and status.
pub static ANSWER_SHAPES: LazyLock<AnswerShapes> = LazyLock::new(|| {
    let document = &*OPENAPI_VALUE;
    let mut answers = AnswerShapes::default();
    for (path, method, operation) in operations(document) {
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let schema = &response["content"][JSON]["schema"];
            let (Ok(status), true) = (status.parse::<u16>(), schema.is_object()) else { continue };
            let shape = answers.shapes.add(document, schema);
            if answers.shapes.has_decimals(shape) {
                let of_operation = answers.by_operation.entry((method.to_uppercase(), path.to_owned()));
                of_operation.or_default().push((status, shape));
            }
        }
    }
    answers
});

/// Where the decimals are in the answers of each operation.
#[derive(Debug, Default)]
pub struct AnswerShapes {
    shapes: DecimalShapes,
    by_operation: HashMap<(String, String), Vec<(u16, ShapeId)>>,
}

impl AnswerShapes {
    /// An answer with its decimals as strings; `None` if it has none.
    pub fn quote(&self, method: &str, route: &str, status: u16, json: &[u8]) -> Option<Vec<u8>> {
        let shapes = self.by_operation.get(&(method.to_owned(), route.to_owned()))?;
        let (_, shape) = shapes.iter().find(|(found, _)| *found == status)?;
        Some(self.shapes.quote(*shape, json))
    }

    /// Whether an answer of the operation can have a decimal.
    fn has_decimals(&self, method: &str, route: &str) -> bool {
        self.by_operation.contains_key(&(method.to_uppercase(), route.to_owned()))
    }

    /// Whether every number of every answer is either a decimal or an integer.
    pub fn are_sound(&self) -> bool {
        !self.by_operation.is_empty() && !self.shapes.is_ambiguous()
    }
}

/// Path, method and description of each operation of a document.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// The OpenAPI document of answers whose decimals are strings.
pub fn string_document() -> Value {
    let document = &*OPENAPI_VALUE;
    let mut changed = document.clone();
    for name in answered_schemas(document) {
        let pointer = format!("/components/schemas/{name}");
        if let (Some(schema), Some(place)) = (document.pointer(&pointer), changed.pointer_mut(&pointer)) {
            *place = in_strings(document, schema.clone());
        }
    }
    for (path, item) in changed["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            if ANSWER_SHAPES.has_decimals(method, path) {
                ask_for_strings(operation);
            }
            let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
            for (_, response) in responses.into_iter().flatten() {
                if let Some(content) = response.get_mut("content").and_then(|content| content.get_mut(JSON)) {
                    *content = content_in_strings(document, content.take());
                }
            }
        }
    }
    let described = format!("{}{STRING_FORM}", changed["info"]["description"].as_str().unwrap_or_default());
    changed["info"]["description"] = described.into();
    changed
}

/// Adds the header to an operation, and the answer to a wrong one.
fn ask_for_strings(operation: &mut Value) {
    let header = json!({
        "name": "X-Number-Format",
        "in": "header",
        "description": "Every decimal of the answer is a string.",
        "required": true,
        "schema": {"$ref": "#/components/schemas/NumberFormat"},
    });
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(header),
        None => operation["parameters"] = json!([header]),
    }
    if operation["responses"].get("400").is_none() {
        let error = json!({JSON: {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
        operation["responses"]["400"] = json!({"description": "Malformed", "content": error});
    }
}

/// The names of all schemas that answers have.
pub fn answered_schemas(document: &Value) -> BTreeSet<String> {
    let answers = operations(document).map(|(_, _, operation)| &operation["responses"]);
    reachable(document, answers)
}

/// The names of all schemas that requests have.
pub fn requested_schemas(document: &Value) -> BTreeSet<String> {
    let parts = |operation: &'_ Value| [operation["requestBody"].clone(), operation["parameters"].clone()];
    let requests: Vec<Value> = operations(document).flat_map(|(_, _, operation)| parts(operation)).collect();
    reachable(document, requests.iter())
}

fn reachable<'a>(document: &'a Value, from: impl Iterator<Item = &'a Value>) -> BTreeSet<String> {
    let mut pending: Vec<&Value> = from.collect();
    let mut names = BTreeSet::new();
    while let Some(value) = pending.pop() {
        let reference = value.get("$ref").and_then(Value::as_str);
        let name = reference.and_then(|reference| reference.strip_prefix("#/components/schemas/"));
        if let Some(name) = name.filter(|name| names.insert((*name).to_owned())) {
            pending.push(&document["components"]["schemas"][name]);
        }
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(fields) => pending.extend(fields.values()),
            _ => {}
        }
    }
    names
}

/// The schema of a decimal becomes that of a string; all other schemas keep their form. Examples follow.
fn in_strings(document: &Value, mut schema: Value) -> Value {
    let mut shapes = DecimalShapes::default();
    let shape = shapes.add(document, &schema);
    let quoted = |example: &Value| -> Value {
        serde_json::from_slice(&shapes.quote(shape, example.to_string().as_bytes())).unwrap_or_default()
    };
    if schema["example"] != Value::Null {
        schema["example"] = quoted(&schema["example"]);
    }
    for example in schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten() {
        *example = quoted(example);
    }
    if is_decimal(&schema) {
        let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        if let Some(fields) = schema.as_object_mut() {
            fields.retain(|key, _| !bounds.contains(&key.as_str()));
        }
        schema["type"] = match schema["type"].is_array() {
            true => json!(["string", "null"]),
            false => json!("string"),
        };
        schema["pattern"] = PATTERN.into();
        return schema;
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        for choice in schema.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            *choice = in_strings(document, choice.take());
        }
    }
    for (_, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        *property = in_strings(document, property.take());
    }
    for key in ["items", "additionalProperties"] {
        if let Some(part) = schema.get_mut(key).filter(|part| part.is_object()) {
            *part = in_strings(document, part.take());
        }
    }
    schema
}

/// The content of a response: its schema and its example.
fn content_in_strings(document: &Value, mut content: Value) -> Value {
    let mut shapes = DecimalShapes::default();
    let shape = shapes.add(document, &content["schema"]);
    if let Some(example) = content.get_mut("example") {
        let quoted = shapes.quote(shape, example.to_string().as_bytes());
        *example = serde_json::from_slice(&quoted).unwrap_or_default();
    }
    if let Some(schema) = content.get_mut("schema") {
        *schema = in_strings(document, schema.take());
    }
    content
}
