//! Schemas of the messages about a connection. The stream tests compare every message on a socket with its schema.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::client::TextOrNumber;
use super::control::{
    CancelOnDisconnect, Connected, ErrorMessage, Heartbeat, Pong, Subscribed, Unsubscribed,
};

/// A message of a type, with its time and these keys; all are always present.
pub(super) fn message(
    description: &str,
    word: &str,
    fields: impl IntoIterator<Item = (&'static str, ObjectBuilder)>,
) -> RefOr<Schema> {
    object(description, word, fields).into()
}

/// A response to a client's message, whose id it repeats.
fn answer(
    description: &str,
    word: &str,
    fields: impl IntoIterator<Item = (&'static str, ObjectBuilder)>,
) -> ObjectBuilder {
    object(description, word, fields).property("id", TextOrNumber::schema())
}

fn object(
    description: &str,
    word: &str,
    fields: impl IntoIterator<Item = (&'static str, ObjectBuilder)>,
) -> ObjectBuilder {
    let head = ObjectBuilder::new()
        .description(Some(description))
        .property("type", ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word])))
        .required("type");
    let with_fields =
        fields.into_iter().fold(head, |object, (name, schema)| object.property(name, schema).required(name));
    with_fields.property("timestamp", integer("Unix milliseconds.")).required("timestamp")
}

fn text(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description))
}

pub(super) fn integer(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).description(Some(description))
}

impl PartialSchema for Connected {
    fn schema() -> RefOr<Schema> {
        let client = text("Of this connection.").format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
        let status = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["connected"]));
        let fields = [("status", status), ("clientId", client), ("message", text("A greeting."))];
        message("The first message on every connection.", "connected", fields)
    }
}

impl PartialSchema for Subscribed<'_> {
    fn schema() -> RefOr<Schema> {
        let fields = [("room", text("What to unsubscribe from.")), ("message", text("The same in words."))];
        answer("A room was entered.", "subscribed", fields).into()
    }
}

impl PartialSchema for Unsubscribed<'_> {
    fn schema() -> RefOr<Schema> {
        let fields = [("room", text("What was left.")), ("message", text("The same in words."))];
        answer("A room was left.", "unsubscribed", fields).into()
    }
}

impl PartialSchema for Heartbeat<'_> {
    fn schema() -> RefOr<Schema> {
        let fields = [
            ("room", text("One of `changes`.")),
            ("sequence", integer("Of the room's last message.")),
            ("head", integer("Up to here nothing else has changed.")),
        ];
        message("A room of `changes` was silent for a while.", "heartbeat", fields)
    }
}

impl PartialSchema for CancelOnDisconnect {
    fn schema() -> RefOr<Schema> {
        let enabled = ObjectBuilder::new().schema_type(Type::Boolean).description(Some("What holds now."));
        let description = "The end of the connection cancels everything that rests, or no longer does.";
        answer(description, "cancelOnDisconnect", [("enabled", enabled)]).into()
    }
}

impl PartialSchema for Pong {
    fn schema() -> RefOr<Schema> {
        answer("The answer to a ping.", "pong", []).into()
    }
}

impl PartialSchema for ErrorMessage<'_> {
    fn schema() -> RefOr<Schema> {
        let data = ObjectBuilder::new().property("message", text("What is wrong.")).required("message");
        let description = "A message was not understood or not allowed, or one room of it cannot be entered. The \
             connection stays open.";
        let room = text("The room that it is about, where it is about one.");
        answer(description, "error", [("data", data)]).property("room", room).into()
    }
}

macro_rules! named {
    ($($name:ty),+) => {$(impl ToSchema for $name {})+};
}

named!(
    Connected,
    Subscribed<'_>,
    Unsubscribed<'_>,
    Heartbeat<'_>,
    CancelOnDisconnect,
    Pong,
    ErrorMessage<'_>
);
