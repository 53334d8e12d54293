//! The document: operations with their parameters, bodies, responses and security, and all schemas that they refer to.

use api::error::ErrorBody;
use exchange::idempotency::KeyWindow;
use serde_json::Value;
use utoipa::openapi::info::{ContactBuilder, LicenseBuilder};
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, PathItemBuilder, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::server::ServerBuilder;
use utoipa::openapi::tag::{Tag, TagBuilder};
use utoipa::openapi::{
    ComponentsBuilder, Content, ContentBuilder, Deprecated, InfoBuilder, KnownFormat, Object, ObjectBuilder,
    OpenApi, OpenApiBuilder, Required, ResponseBuilder, SchemaFormat, Type,
};

use super::examples::{TAGS, answer_example, request_example};
use super::failures::failures;
use super::{ADMIN_OPERATIONS, Access, Body, Method, OPERATIONS, Operation};
use crate::edge::operation::{JSON, YAML};

const DESCRIPTION: &str = "A prediction-market exchange. Numbers are exact decimals; with the header `X-Number-Format: \
string` the decimals of an answer are strings, which `/openapi.json?numbers=string` describes. Writes are signed: the base64 \
of an HMAC-SHA256, keyed with your secret key, over `{timestamp}.{METHOD}.{path}.{bodyHash}`.";

const ADMIN_DESCRIPTION: &str = "The operators' side of a prediction-market exchange, on a listener of its own. Every \
request carries a token: `Authorization: Bearer …`. An event, user, series, game or operator is named by its id or by its \
slug, tag or name; a market by its id, by the slug of an event that has no other, or as `slug:2`.";

/// Enums that occur in queries but in no body.
const QUERY_WORDS: &[Body] = &[
    Body::of::<api::terms::NumberFormat>(),
    Body::of::<api::terms::ActivityGroup>(),
    Body::of::<api::terms::EventsOrder>(),
    Body::of::<api::terms::TradesEngine>(),
    Body::of::<api::terms::HistoryPeriod>(),
    Body::of::<api::terms::PnlPeriod>(),
];

/// The tag of the operators' operations that need no token.
const OPERATORS_TAG: &str = "The venue";

impl Operation {
    /// Whether it is one of the operators' listener.
    pub(super) fn is_operators(&self) -> bool {
        self.access.is_operators() || self.path.starts_with("/admin/") || self.tag == OPERATORS_TAG
    }
}

/// The OpenAPI 3.1 document of the public API.
pub fn document() -> OpenApi {
    let keys = HEADERS
        .iter()
        .map(|(name, header)| (*name, SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new(*header)))));
    let mut document = build("Bellwether", DESCRIPTION, OPERATIONS, QUERY_WORDS, keys);
    document.info.contact = Some(ContactBuilder::new().name(Some("The operators of this venue")).build());
    document
}

/// The OpenAPI 3.1 document of the operators' API.
pub fn admin_document() -> OpenApi {
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    build(
        "Bellwether for operators",
        ADMIN_DESCRIPTION,
        ADMIN_OPERATIONS,
        &[],
        [("operatorToken", token)].into_iter(),
    )
}

fn build(
    title: &str,
    description: &str,
    operations: &[Operation],
    words: &[Body],
    keys: impl Iterator<Item = (&'static str, SecurityScheme)>,
) -> OpenApi {
    let mut paths = PathsBuilder::new();
    let mut components = ComponentsBuilder::new();
    let mut known: Vec<&str> = Vec::new();
    for operation in operations {
        if !known.contains(&operation.path) {
            known.push(operation.path);
        }
        for body in operation.body.iter().chain(&operation.answer).chain(&operation.accepted) {
            components =
                (body.schemas)().into_iter().fold(components, |all, (name, schema)| all.schema(name, schema));
        }
    }
    for path in known {
        let of_path = operations.iter().filter(|operation| operation.path == path);
        let item = of_path.fold(PathItemBuilder::new(), |item, operation| {
            item.operation(method(operation), describe(operation))
        });
        paths = paths.path(path, item.build());
    }
    for body in [Body::of::<ErrorBody>()].iter().chain(words) {
        components =
            (body.schemas)().into_iter().fold(components, |all, (name, schema)| all.schema(name, schema));
    }
    for (name, scheme) in keys {
        components = components.security_scheme(name, scheme);
    }
    let licence = LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0"));
    let info = InfoBuilder::new()
        .title(title)
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(description))
        .license(Some(licence.build()));
    let servers = [ServerBuilder::new().url("/").description(Some("This exchange")).build()];
    OpenApiBuilder::new()
        .info(info.build())
        .servers(Some(servers))
        .tags(Some(tags_of(operations)))
        .paths(paths.build())
        .components(Some(components.build()))
        .build()
}

fn method(operation: &Operation) -> HttpMethod {
    match operation.method {
        Method::Get => HttpMethod::Get,
        Method::Post => HttpMethod::Post,
        Method::Put => HttpMethod::Put,
        Method::Delete => HttpMethod::Delete,
    }
}

/// The tags of the operations, each once, in their order.
fn tags_of(operations: &[Operation]) -> Vec<Tag> {
    let mut names: Vec<&str> = Vec::new();
    for operation in operations {
        if !names.contains(&operation.tag) {
            names.push(operation.tag);
        }
    }
    let described = |name: &str| TAGS.iter().find(|(tag, _)| *tag == name).map(|(_, text)| *text);
    names.into_iter().map(|name| TagBuilder::new().name(name).description(described(name)).build()).collect()
}

/// Names of the security schemes, and their headers.
const HEADERS: &[(&str, &str)] = &[
    ("publicKey", "X-Public-Key"),
    ("timestamp", "X-Timestamp"),
    ("signature", "X-Signature"),
    ("authToken", "x-auth-token"),
    ("deviceId", "x-device-id"),
];

fn describe(operation: &Operation) -> utoipa::openapi::path::Operation {
    let mut built = OperationBuilder::new()
        .operation_id(Some(operation.id))
        .tag(operation.tag)
        .summary(Some(operation.summary))
        .description(about(operation));
    for name in names_in(operation.path) {
        built = built.parameter(text_parameter(name, ParameterIn::Path, Required::True, path_text(name)));
    }
    for parameter in operation.query.map(|query| query()).unwrap_or_default() {
        built = built.parameter(parameter);
    }
    if operation.is_repeatable() {
        let key = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]{1,255}$"));
        built = built.parameter(text_parameter("Idempotency-Key", ParameterIn::Header, Required::False, key));
    }
    if operation.is_repeatable() && !operation.is_operators() {
        let (least, most) = (KeyWindow::SECONDS_MIN, KeyWindow::SECONDS_MAX);
        let window = ObjectBuilder::new().schema_type(Type::Integer).default(Some(most.into()));
        let window = window.minimum(Some(least)).maximum(Some(most));
        let window = window.description(Some("How long the key is remembered, in seconds."));
        let name = "Idempotency-Window";
        built = built.parameter(text_parameter(name, ParameterIn::Header, Required::False, window));
    }
    if operation.deprecated.is_some() {
        built = built.deprecated(Some(Deprecated::True));
    }
    if let Some(body) = operation.body {
        let content =
            ContentBuilder::new().schema(Some(body.reference())).example(request_example_of(operation));
        let content = content.build();
        let required = if body.is_optional { Required::False } else { Required::True };
        let body = RequestBodyBuilder::new().content(JSON, content).required(Some(required));
        built = built.request_body(Some(body.build()));
    }
    if !operation.file.is_empty() {
        let binary = SchemaFormat::KnownFormat(KnownFormat::Binary);
        let file = || ObjectBuilder::new().schema_type(Type::String).format(Some(binary.clone())).build();
        let content = |body: RequestBodyBuilder, kind: &&str| body.content(*kind, Content::new(Some(file())));
        let body = operation.file.iter().fold(RequestBodyBuilder::new(), content);
        built = built.request_body(Some(body.required(Some(Required::True)).build()));
    }
    let success = ResponseBuilder::new().description("Done");
    let success = success.content(operation.content, answer_content(operation));
    built = built.response(operation.success.to_string(), success.build());
    if let Some(accepted) = operation.accepted {
        let content = Content::new(Some(accepted.reference()));
        let proposed = ResponseBuilder::new().description("Proposed: another approver finalises it");
        built = built.response("202", proposed.content(JSON, content).build());
    }
    for (status, what) in failures(operation) {
        let content = match operation.unavailable {
            Some(body) if status == 503 => Content::new(Some(body.reference())),
            _ => Content::new(Some(Body::of::<ErrorBody>().reference())),
        };
        let failure = ResponseBuilder::new().description(what).content(JSON, content);
        built = built.response(status.to_string(), failure.build());
    }
    // A list without requirements says that none are needed.
    built.securities(Some(security(operation.access))).build()
}

fn about(operation: &Operation) -> Option<&'static str> {
    Some(operation.description).filter(|description| !description.is_empty())
}

fn request_example_of(operation: &Operation) -> Option<Value> {
    request_example(operation.id).filter(|_| !operation.is_operators())
}

fn answer_content(operation: &Operation) -> Content {
    let content = ContentBuilder::new();
    let content = match operation.answer {
        Some(answer) => content.schema(Some(answer.reference())),
        None if [JSON, YAML].contains(&operation.content) => {
            content.schema(Some(Object::with_type(Type::Object)))
        }
        None => content.schema(Some(Object::with_type(Type::String))),
    };
    content.example(answer_example(operation.id).filter(|_| !operation.is_operators())).build()
}

fn text_parameter(name: &str, place: ParameterIn, required: Required, text: ObjectBuilder) -> Parameter {
    ParameterBuilder::new().name(name).parameter_in(place).required(required).schema(Some(text)).build()
}

/// The schema of a path parameter: ids are UUIDs, anything else is a non-empty string.
fn path_text(name: &str) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String);
    if name.ends_with("Id") {
        text.format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)))
    } else {
        text.min_length(Some(1))
    }
}

/// The parameter names in a path.
fn names_in(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
}

fn security(access: Access) -> Vec<SecurityRequirement> {
    let all = |names: &[&str]| {
        let nothing: [&str; 0] = [];
        names.iter().fold(SecurityRequirement::default(), |all, name| all.add(*name, nothing))
    };
    match access {
        Access::Public => Vec::new(),
        Access::Personal => vec![SecurityRequirement::default(), all(&["publicKey"])],
        Access::Session => vec![all(&["authToken", "deviceId"])],
        Access::Read => vec![all(&["publicKey"])],
        Access::Private => {
            vec![all(&["authToken", "deviceId"]), all(&["publicKey", "timestamp", "signature"])]
        }
        Access::Write => vec![all(&["publicKey", "timestamp", "signature"])],
        Access::Viewer | Access::Operator | Access::Approver => vec![all(&["operatorToken"])],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::Deprecated;

    #[test]
    fn an_operation_that_is_to_go_is_marked_in_the_document() {
        let dates = Deprecated { since: "@1893456000", sunset: "Wed, 01 Jan 2031 00:00:00 GMT" };
        let row = Operation::new("old", Method::Get, "/old", Access::Public);
        let is_marked = |deprecated| describe(&Operation { deprecated, ..row }).deprecated.is_some();
        assert!(is_marked(Some(dates)) && !is_marked(None));
    }
}
