//! The string form of answers: one pass over JSON that puts every decimal into quotes. Schemas say which numbers are
//! decimals (`format: decimal`); integers and all other bytes stay as they are.

use std::collections::HashMap;

use serde_json::Value;

/// Schemas of answers are never nested this deep; one that contains itself would be.
const DEPTH_MAX: usize = 32;

/// Where the decimals are in the values of some schemas.
#[derive(Debug, Default)]
pub struct DecimalShapes {
    nodes: Vec<Node>,
}

/// The shape of one schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeId(usize);

/// All that a value at one place may be: a schema with alternatives has the parts of all of them.
#[derive(Debug, Default)]
struct Node {
    is_decimal: bool,
    is_integer: bool,
    items: Option<ShapeId>,
    named: HashMap<Box<[u8]>, ShapeId>,
    /// Values of keys that have no name in the schema.
    others: Option<ShapeId>,
}

impl DecimalShapes {
    /// Adds a schema of a document, whose references begin at the document's root.
    pub fn add(&mut self, document: &Value, schema: &Value) -> ShapeId {
        let id = self.new_node();
        self.absorb(id, document, schema, 0);
        id
    }

    /// Whether values of the shape can have a decimal.
    pub fn has_decimals(&self, id: ShapeId) -> bool {
        let node = &self.nodes[id.0];
        let mut parts = node.named.values().copied().chain(node.items).chain(node.others);
        node.is_decimal || parts.any(|part| self.has_decimals(part))
    }

    /// Whether a number at some place may be either. The schemas of the contract have no such place.
    pub fn is_ambiguous(&self) -> bool {
        self.nodes.iter().any(|node| node.is_decimal && node.is_integer)
    }

    /// The JSON of a value of the shape with its decimals as strings.
    pub fn quote(&self, id: ShapeId, json: &[u8]) -> Vec<u8> {
        let out = Vec::with_capacity(json.len() + json.len() / 8);
        let mut pass = Pass { shapes: self, json, at: 0, copied: 0, out };
        pass.value(Some(id));
        pass.out.extend_from_slice(&json[pass.copied..]);
        pass.out
    }

    fn new_node(&mut self) -> ShapeId {
        self.nodes.push(Node::default());
        ShapeId(self.nodes.len() - 1)
    }

    fn absorb(&mut self, id: ShapeId, document: &Value, schema: &Value, depth: usize) {
        assert!(depth < DEPTH_MAX, "a schema of an answer does not contain itself");
        if let Some(reference) = schema["$ref"].as_str() {
            let found = reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
            self.absorb(id, document, found.unwrap_or(&Value::Null), depth + 1);
        }
        for choices in ["oneOf", "anyOf", "allOf"].map(|key| schema[key].as_array()).into_iter().flatten() {
            choices.iter().for_each(|choice| self.absorb(id, document, choice, depth + 1));
        }
        self.nodes[id.0].is_decimal |= is_decimal(schema);
        self.nodes[id.0].is_integer |= has_type(schema, "integer");
        if schema["items"].is_object() {
            let part = self.nodes[id.0].items.unwrap_or_else(|| self.new_node());
            self.nodes[id.0].items = Some(part);
            self.absorb(part, document, &schema["items"], depth + 1);
        }
        for (key, value) in schema["properties"].as_object().into_iter().flatten() {
            let known = self.nodes[id.0].named.get(key.as_bytes()).copied();
            let part = known.unwrap_or_else(|| self.new_node());
            self.nodes[id.0].named.insert(key.as_bytes().into(), part);
            self.absorb(part, document, value, depth + 1);
        }
        if schema["additionalProperties"].is_object() {
            let part = self.nodes[id.0].others.unwrap_or_else(|| self.new_node());
            self.nodes[id.0].others = Some(part);
            self.absorb(part, document, &schema["additionalProperties"], depth + 1);
        }
    }
}

/// Whether a schema is that of a decimal.
pub fn is_decimal(schema: &Value) -> bool {
    has_type(schema, "number") && schema["format"] == "decimal"
}

fn has_type(schema: &Value, wanted: &str) -> bool {
    let types = &schema["type"];
    types == wanted || types.as_array().is_some_and(|types| types.iter().any(|one| one == wanted))
}

/// A position in well-formed JSON. At anything else the pass stops, and the rest stays as it is.
struct Pass<'a> {
    shapes: &'a DecimalShapes,
    json: &'a [u8],
    at: usize,
    /// Up to here everything is in `out`.
    copied: usize,
    out: Vec<u8>,
}

impl Pass<'_> {
    fn value(&mut self, shape: Option<ShapeId>) {
        match self.peek() {
            Some(b'{') => self.object(shape),
            Some(b'[') => self.list(shape),
            Some(b'"') => self.text(),
            Some(b'-' | b'0'..=b'9') => self.number(shape),
            // true, false and null.
            Some(b'a'..=b'z') => self.skip_while(|byte| byte.is_ascii_lowercase()),
            _ => {}
        }
    }

    fn object(&mut self, shape: Option<ShapeId>) {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let start = self.at + 1;
                    self.text();
                    let key = self.json.get(start..self.at - 1).unwrap_or_default();
                    let part = shape.and_then(|shape| {
                        let node = &self.shapes.nodes[shape.0];
                        node.named.get(key).copied().or(node.others)
                    });
                    if self.peek() == Some(b':') {
                        self.at += 1;
                    }
                    self.value(part);
                }
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return;
                }
                _ => return,
            }
        }
    }

    fn list(&mut self, shape: Option<ShapeId>) {
        self.at += 1;
        let part = shape.and_then(|shape| self.shapes.nodes[shape.0].items);
        loop {
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return;
                }
                _ => {
                    let before = self.at;
                    self.value(part);
                    if self.at == before {
                        return;
                    }
                }
            }
        }
    }

    /// Skips a text with its quotes.
    fn text(&mut self) {
        self.at += 1;
        while let Some(byte) = self.json.get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.json.len());
    }

    fn number(&mut self, shape: Option<ShapeId>) {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E'));
        if shape.is_some_and(|shape| self.shapes.nodes[shape.0].is_decimal) {
            self.out.extend_from_slice(&self.json[self.copied..start]);
            self.out.push(b'"');
            self.out.extend_from_slice(&self.json[start..self.at]);
            self.out.push(b'"');
            self.copied = self.at;
        }
    }

    fn skip_while(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.json.get(self.at).is_some_and(|byte| is_part(*byte)) {
            self.at += 1;
        }
    }

    /// Skips spaces and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.json.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document() -> Value {
        json!({"schemas": {
            "Money": {"type": "number", "format": "decimal"},
            "Level": {"type": "object", "properties": {
                "price": {"$ref": "#/schemas/Money"},
                "total": {"type": "integer"},
                "fee": {"oneOf": [{"$ref": "#/schemas/Money"}, {"type": "null"}]},
            }},
            "Page": {"type": "object", "properties": {
                "rows": {"type": "array", "items": {"$ref": "#/schemas/Level"}},
                "total": {"$ref": "#/schemas/Money"},
                "note": {"type": "string"},
            }, "additionalProperties": {"type": "array", "items": {"type": ["number", "null"], "format": "decimal"}}},
            "Either": {"oneOf": [{"$ref": "#/schemas/Level"}, {"$ref": "#/schemas/Page"}]},
        }})
    }

    fn shape(name: &str) -> (DecimalShapes, ShapeId) {
        let (document, mut shapes) = (document(), DecimalShapes::default());
        let id = shapes.add(&document, &document["schemas"][name]);
        (shapes, id)
    }

    #[test]
    fn decimals_are_quoted_by_their_place_and_nothing_else_is() {
        let (shapes, id) = shape("Page");
        assert!(shapes.has_decimals(id) && !shapes.is_ambiguous());
        for (json, expected) in [
            (
                r#"{"rows":[{"price":0.5,"total":7,"fee":null}],"total":1}"#,
                r#"{"rows":[{"price":"0.5","total":7,"fee":null}],"total":"1"}"#,
            ),
            (
                r#"{"rows":[{"fee":-3},{"price":12}] , "total" : 1e3 }"#,
                r#"{"rows":[{"fee":"-3"},{"price":"12"}] , "total" : "1e3" }"#,
            ),
            (r#"{"note":"\"total\":1, {[","total":2}"#, r#"{"note":"\"total\":1, {[","total":"2"}"#),
            (r#"{"01a1":[0.1,null,2],"note":[3]}"#, r#"{"01a1":["0.1",null,"2"],"note":[3]}"#),
            (r#"{"rows":[],"note":true,"total":false}"#, r#"{"rows":[],"note":true,"total":false}"#),
        ] {
            assert_eq!(String::from_utf8(shapes.quote(id, json.as_bytes())).expect("text"), expected);
        }
    }

    #[test]
    fn a_place_that_may_be_either_is_reported() {
        assert!(shape("Either").0.is_ambiguous(), "total is an integer in one and a decimal in the other");
        let (shapes, id) = shape("Money");
        assert_eq!(shapes.quote(id, b"1.50"), b"\"1.50\"");
    }

    #[test]
    fn bytes_that_are_no_json_stay_as_they_are_and_end_the_pass() {
        let (shapes, id) = shape("Page");
        for broken in
            ["", "{", "[", "\"", "\"\\", "{\"total\"", "{\"rows\":[}", "[1,]]", "{x", "[[[", "nul", "\u{e9}"]
        {
            assert_eq!(shapes.quote(id, broken.as_bytes()), broken.as_bytes(), "{broken}");
        }
    }
}
