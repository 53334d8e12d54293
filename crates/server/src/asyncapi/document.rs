//! The AsyncAPI 3.0 document: addresses, the messages of either direction, and all schemas that they refer to.

use api::response::ChangedThing;
use api::stream::{Auth, ClientMessage};
use serde_json::{Map, Value, json};

use super::messages::{EVERYWHERE, RECEIVED, ReceivedMessage, sent};
use crate::openapi::Body;
use crate::streams::{channels_of, path_of};

const DESCRIPTION: &str = "What happens on a prediction-market exchange, as it happens. Every message is one JSON object in \
one text frame. How rooms, limits and ends work is in docs/streams.md.";

/// The AsyncAPI 3.0 document of the three WebSocket endpoints.
pub fn document() -> Value {
    let mut channels = Map::new();
    let mut operations = Map::new();
    for endpoint in EVERYWHERE {
        let (sent_messages, received) = names_at(endpoint);
        let reference = |name: &String| (name.clone(), refer("#/components/messages", name));
        let messages: Map<String, Value> = sent_messages.iter().chain(&received).map(reference).collect();
        let description = format!("Channels: {}.", channels_of(endpoint).join(", "));
        channels.insert(
            (*endpoint).to_owned(),
            json!({"address": path_of(endpoint), "description": description, "messages": messages, "bindings": {"ws": {"method": "GET"}}}),
        );
        for (action, names) in [("send", sent_messages), ("receive", received)] {
            operations.insert(format!("{endpoint}_{action}"), operation(endpoint, action, &names));
        }
    }
    json!({
        "asyncapi": "3.0.0",
        "info": {"title": "Bellwether streams", "version": env!("CARGO_PKG_VERSION"), "description": DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages(), "schemas": schemas()},
    })
}

fn refer(place: &str, name: &str) -> Value {
    json!({"$ref": format!("{place}/{name}")})
}

/// The names of an endpoint's messages: those the server sends, and those a client sends.
fn names_at(endpoint: &str) -> (Vec<String>, Vec<String>) {
    let sent_messages = sent().into_iter().filter(|message| message.endpoints.contains(&endpoint));
    let received = RECEIVED.iter().filter(|message| message.endpoint == endpoint);
    (sent_messages.map(|message| message.name.to_owned()).collect(), received.map(received_name).collect())
}

/// A name that differs from every `type` that the server sends.
fn received_name(received: &ReceivedMessage) -> String {
    format!("client.{}.{}", received.endpoint, received.name)
}

fn operation(endpoint: &str, action: &str, names: &[String]) -> Value {
    let place = format!("#/channels/{endpoint}/messages");
    let messages: Vec<Value> = names.iter().map(|name| refer(&place, name)).collect();
    json!({"action": action, "channel": refer("#/channels", endpoint), "messages": messages})
}

fn messages() -> Map<String, Value> {
    let sent_messages = sent().into_iter().map(|message| {
        let described = json!({
            "name": message.name, "summary": message.summary, "payload": message.payload.schema(),
        });
        (message.name.to_owned(), described)
    });
    let client = properties_of_a_client();
    let received = RECEIVED.iter().map(|received| {
        let described =
            json!({"name": received.name, "summary": received.summary, "payload": received_payload(received, &client)});
        (received_name(received), described)
    });
    sent_messages.chain(received).collect()
}

/// The schema of each key of a client's message, from the type that deserializes it.
fn properties_of_a_client() -> Map<String, Value> {
    let schema = serde_json::to_value(<ClientMessage as utoipa::PartialSchema>::schema()).unwrap_or_default();
    schema["properties"].as_object().cloned().unwrap_or_default()
}

fn received_payload(received: &ReceivedMessage, client: &Map<String, Value>) -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({"type": "string", "enum": [received.name]}));
    for key in received.required.iter().chain(received.optional).chain(&["id"]) {
        let schema = match *key {
            // One of the channels of this endpoint.
            "channel" => json!({"type": "string", "enum": channels_of(received.endpoint)}),
            key if received.required.contains(&key) => not_null(client.get(key).cloned().unwrap_or_default()),
            key => client.get(key).cloned().unwrap_or_default(),
        };
        properties.insert((*key).to_owned(), schema);
    }
    let required: Vec<&str> = std::iter::once("type").chain(received.required.iter().copied()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// Removes null from a schema: a key that this message requires is optional in the type that deserializes all messages.
fn not_null(mut schema: Value) -> Value {
    let is_null = |choice: &Value| *choice == "null" || choice["type"] == "null";
    for key in ["type", "oneOf"] {
        let Some(choices) = schema.get_mut(key).and_then(Value::as_array_mut) else { continue };
        choices.retain(|choice| !is_null(choice));
        if let [one] = choices.as_slice() {
            let one = one.clone();
            if key == "oneOf" {
                return one;
            }
            schema[key] = one;
        }
    }
    schema
}

fn schemas() -> Map<String, Value> {
    let mut all = Map::new();
    let mut list = |part: Body, is_whole: bool| {
        // The first schema is the message's own. A whole message has that inline as its payload.
        for (name, schema) in (part.schemas)().into_iter().skip(usize::from(is_whole)) {
            all.insert(name, serde_json::to_value(schema).unwrap_or_default());
        }
    };
    sent().into_iter().for_each(|message| list(message.parts, message.payload.is_whole()));
    list(Body::of::<Auth>(), false);
    // A generic type's parameter is not among its own schemas.
    list(Body::of::<ChangedThing>(), false);
    all
}
