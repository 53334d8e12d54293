//! Schemas of the messages about a connection, which write themselves by hand. That they say what is written is held by the
//! tests of the streams: every message that comes over a socket there is compared with its schema.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::control::{
    CancelOnDisconnect, Connected, ErrorMessage, Heartbeat, Pong, Subscribed, Unsubscribed,
};

/// A message of a type, with its time and these keys; all are always there.
pub(super) fn message(
    description: &str,
    word: &str,
    fields: impl IntoIterator<Item = (&'static str, ObjectBuilder)>,
) -> RefOr<Schema> {
    let head = ObjectBuilder::new()
        .description(Some(description))
        .property("type", ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word])))
        .required("type");
    let with_fields =
        fields.into_iter().fold(head, |object, (name, schema)| object.property(name, schema).required(name));
    with_fields.property("timestamp", integer("Unix milliseconds.")).required("timestamp").into()
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
        message("A room was entered.", "subscribed", fields)
    }
}

impl PartialSchema for Unsubscribed<'_> {
    fn schema() -> RefOr<Schema> {
        let fields = [("room", text("What was left.")), ("message", text("The same in words."))];
        message("A room was left.", "unsubscribed", fields)
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
        message(description, "cancelOnDisconnect", [("enabled", enabled)])
    }
}

impl PartialSchema for Pong {
    fn schema() -> RefOr<Schema> {
        message("The answer to a ping.", "pong", [])
    }
}

impl PartialSchema for ErrorMessage<'_> {
    fn schema() -> RefOr<Schema> {
        let data = ObjectBuilder::new().property("message", text("What is wrong.")).required("message");
        let description = "A message was not understood or not allowed. The connection stays open.";
        message(description, "error", [("data", data)])
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
