//! The error statuses that an operation can return. The conformance test checks the service against them.

use super::{Access, Method, Operation};

/// Statuses in ascending order, with their descriptions.
pub(super) fn failures(operation: &Operation) -> impl Iterator<Item = (u16, &'static str)> {
    let has_path_parameters = operation.path.contains('{');
    let is_operators = operation.access.is_operators();
    let reads_body = operation.body.is_some()
        || operation.access == Access::Write
        || (is_operators && operation.method != Method::Get);
    let takes_input = has_path_parameters || reads_body || operation.query.is_some();
    let changes = operation.method != Method::Get;
    let has_credentials = operation.access != Access::Public || operation.body.is_some();
    [
        (400, "Malformed", takes_input),
        (401, "A check of the credentials failed", has_credentials),
        (403, "Not allowed", changes),
        // Published only by a setting.
        (404, "Not found, or not yours", takes_input || operation.id == "metrics"),
        (408, "The body did not come in time", reads_body),
        (409, "A request with the same Idempotency-Key is in flight", operation.is_repeatable()),
        (409, "Others edit the same draft all the time", operation.id == "edit_event"),
        (409, "As many as permitted", matches!(operation.id, "create_price_alert" | "subscribe_push")),
        (413, "The body is too long", reads_body),
        (415, "Compressed bodies are not accepted", reads_body),
        (422, "Refused by a rule", changes || operation.id == "preview_proposal"),
        (429, "Too many requests", true),
        (500, "Our mistake", true),
        (503, "Not possible right now, or the outcome is not known", true),
    ]
    .into_iter()
    .filter_map(|(status, what, is_possible)| is_possible.then_some((status, what)))
}
