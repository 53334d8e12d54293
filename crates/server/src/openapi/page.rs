//! The documents as HTML pages, without inline script and external resources, readable on a phone. The public page lists
//! the operations for readers without script; Swagger UI takes the place of the list (`web/reference`).

use std::fmt::Write;

use super::{ADMIN_OPERATIONS, Access, OPERATIONS, Operation};

const STYLE: &str = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2430;background:#fff}\
h2{margin-top:2.5rem;border-bottom:1px solid #d5dbe3}table{border-collapse:collapse;width:100%}\
td{padding:.45rem .6rem .45rem 0;vertical-align:top;border-bottom:1px solid #eef1f5}code{font-size:.92em;word-break:break-all}\
.method{font-weight:600;width:4.5rem}.access{width:5rem;color:#5a6675}\
@media (prefers-color-scheme:dark){body{color:#dde3ea;background:#12171d}h2,td{border-color:#2a333d}.access{color:#93a0af}a{color:#8ab8ff}}\
</style></head><body>";

const PUBLIC_TEXT: &str = "<p>Exact decimals in and out. The machine-readable document is <a href=\"/openapi.json\">/openapi.json</a> \
(<a href=\"/openapi.yaml\">YAML</a>, <a href=\"/openapi.json?numbers=string\">decimals as strings</a>); of the streams <a href=\"/asyncapi.json\">/asyncapi.json</a>. The guide to all of it is <a href=\"/docs/guide\">/docs/guide</a>.</p>\
<h2>Signing a write</h2><p>Send <code>X-Public-Key</code>, <code>X-Timestamp</code> (Unix seconds, within 300 of ours) and \
<code>X-Signature</code>: the base64 of HMAC-SHA256, keyed with your secret key, over \
<code>{timestamp}.{METHOD}.{path}.{bodyHash}</code>. <code>bodyHash</code> is the lower-case hex SHA-256 of the bytes you \
send, or nothing without a body. <code>POST /v1/auth/check</code> tells which check fails. Any write may carry an \
<code>Idempotency-Key</code>; sending it again within 24 hours gives the first answer again.</p>\
<h2>Watching a market</h2><p><code>bellwether watch MARKET</code> shows a book, its trades and your orders live in a \
terminal, by the streams of this service; <code>MARKET</code> is a market's id or the slug of its event. \
<code>--data FOLDER</code> takes the address and a key from a demo's folder, <code>--url</code> and \
<code>--public-key</code> say them.</p>";

const ADMIN_TEXT: &str = "<p>Every request carries <code>Authorization: Bearer</code> and an operator's token. Things are named \
by id, or by slug, tag or name; a market by its id, by the slug of an event that has no other, or as <code>slug:2</code>. The \
machine-readable document is <a href=\"/admin/openapi.json\">/admin/openapi.json</a>; <code>bellwether admin --help</code> does \
the same from a terminal.</p>";

/// Files that the public page loads, and the end of its head.
const REFERENCE: &str = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
<link rel=\"stylesheet\" href=\"/docs/reference/swagger-ui.css\"><link rel=\"stylesheet\" href=\"/docs/reference/reference.css\">\
<script src=\"/docs/reference/swagger-ui-bundle.js\" defer></script><script src=\"/docs/reference/reference.js\" defer></script>\
</head><body>";

/// The key that signs requests of the page. The script shows it.
const KEY_FORM: &str = "<form id=\"key\" hidden><label>Public key \
<input id=\"public-key\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"pk_live_…\"></label>\
<label>Secret key <input id=\"secret-key\" type=\"password\" autocomplete=\"off\" placeholder=\"sk_live_…\"></label>\
<p id=\"key-state\">Requests below are signed with this key. It stays in this tab and is gone when you leave the page. Orders \
are real.</p></form>";

/// The public API as HTML.
pub fn page() -> String {
    html("Bellwether API", REFERENCE, &format!("{PUBLIC_TEXT}{KEY_FORM}<main id=\"reference\">"), OPERATIONS)
}

/// The operators' API as HTML.
pub fn admin_page() -> String {
    html("Bellwether API for operators", STYLE, &format!("{ADMIN_TEXT}<main>"), ADMIN_OPERATIONS)
}

/// `head` ends the head and begins the body; `text` ends with the beginning of the list.
fn html(title: &str, head: &str, text: &str, operations: &[Operation]) -> String {
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{head}<h1>{title}</h1>{text}"
    );
    let mut tag = "";
    for operation in operations {
        if operation.tag != tag {
            let end = if tag.is_empty() { "" } else { "</table>" };
            tag = operation.tag;
            // Writing to a string cannot fail.
            let _ = write!(html, "{end}<h2>{tag}</h2><table>");
        }
        row(&mut html, operation);
    }
    html.push_str("</table></main></body></html>");
    html
}

fn row(html: &mut String, operation: &Operation) {
    let method = operation.method.as_str();
    let access = match operation.access {
        Access::Public | Access::Personal => "public",
        Access::Session => "session",
        Access::Read => "key",
        Access::Private => "session or signed",
        Access::Write => "signed",
        Access::Viewer => "viewer",
        Access::Operator => "operator",
        Access::Approver => "approver",
    };
    let _ = write!(
        html,
        "<tr><td class=\"method\">{method}</td><td><code>{}</code><br>{}</td><td class=\"access\">{access}</td></tr>",
        operation.path, operation.summary
    );
}
