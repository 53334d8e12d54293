//! Decimals as strings on streams: which numbers of each message are decimals, by the schemas of the document.

use std::collections::HashMap;
use std::sync::LazyLock;

use api::json::{DecimalShapes, ShapeId};

use crate::openapi::served::ASYNCAPI_VALUE;

/// The shapes of all messages.
pub static MESSAGE_SHAPES: LazyLock<MessageShapes> = LazyLock::new(|| {
    let (document, mut messages) = (&*ASYNCAPI_VALUE, MessageShapes::default());
    // Names of a client's messages differ from every `type` that the server sends.
    for (name, message) in document["components"]["messages"].as_object().into_iter().flatten() {
        let shape = messages.shapes.add(document, &message["payload"]);
        if messages.shapes.has_decimals(shape) {
            messages.by_type.insert(name.as_bytes().into(), shape);
        }
    }
    messages
});

/// Where the decimals are in the messages of each type.
#[derive(Debug, Default)]
pub struct MessageShapes {
    shapes: DecimalShapes,
    by_type: HashMap<Box<[u8]>, ShapeId>,
}

impl MessageShapes {
    /// A message with its decimals as strings; `None` if it has none. `type` is the first key of messages with decimals.
    pub fn quote(&self, json: &[u8]) -> Option<Vec<u8>> {
        let rest = json.strip_prefix(b"{\"type\":\"")?;
        let end = rest.iter().position(|byte| *byte == b'"')?;
        let shape = self.by_type.get(&rest[..end])?;
        Some(self.shapes.quote(*shape, json))
    }

    /// Whether every number of every message is either a decimal or an integer.
    pub fn are_sound(&self) -> bool {
        !self.by_type.is_empty() && !self.shapes.is_ambiguous()
    }
}
