//! Authenticates operators, by a bearer token in a header or by a console session in a cookie; and creates the first
//! operator of a new data folder.
//!
//! The exchange stores only the SHA-256 of a token. Tokens have 256 random bits, so the timing of a comparison of hashes
//! reveals nothing useful about a token.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use api::error::ErrorBody;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use exchange::command::{Command, CreateOperator};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Operator, Role};
use exchange::reject::Reject;
use exchange::text::Text;
use http::{HeaderMap, HeaderValue, Method, header};

use crate::app::App;
use crate::edge::meter::{self, Party};
use crate::http::Failure;
use crate::http::page::{self, Cookie, FoundCookie};
use crate::identifiers::new_id;
use crate::pipeline::sequencer::SubmitError;
use crate::secrets::{random_token, token_hash};
use crate::view::words::ToApi;

/// Shorter tokens could be guessed.
const TOKEN_BYTES_MIN: usize = 16;

/// The operator who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorCaller(pub OperatorId);

impl OperatorCaller {
    pub const fn actor(self) -> Actor {
        Actor::Operator { operator: self.0 }
    }
}

/// An operator on the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConsoleSession {
    pub(crate) operator: OperatorCaller,
    /// The hash of the session's token.
    pub(crate) session: Hash32,
}

/// Why the first operator could not be created.
#[derive(Debug, thiserror::Error)]
pub enum FirstOperatorError {
    #[error("the operator's token file {path} cannot be used: {cause}")]
    File { path: String, cause: io::Error },
    #[error("the token in {path} must have at least {TOKEN_BYTES_MIN} visible ASCII characters")]
    Token { path: String },
    #[error(transparent)]
    Submit(#[from] SubmitError),
    #[error("the exchange refused the first operator: {0:?}")]
    Refused(Reject),
}

/// The operator of a request, by the token in its header or by the console's session cookie.
pub(crate) fn operator_of(app: &App, request: &Request) -> Result<Option<OperatorCaller>, Failure> {
    if request.headers().contains_key(header::AUTHORIZATION) {
        find_operator(app, request.headers())
    } else {
        let session = console_session(app, request.method(), request.headers())?;
        Ok(session.map(|session| session.operator))
    }
}

/// Middleware: admits requests of operators and passes the operator to the handler.
pub async fn require_operator(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    match operator_of(&app, &request) {
        Ok(Some(operator)) => {
            note_party(|party| party.operator = Some(operator.0));
            request.extensions_mut().insert(operator);
            next.run(request).await
        }
        Ok(None) => refusal(&app),
        Err(failure) => failure.into_response(),
    }
}

/// The session in the console's cookie, if the console shows the operator that it belongs to.
pub(crate) fn console_session(
    app: &App,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Option<ConsoleSession>, Failure> {
    let found = find_console_session(app, method, headers)?;
    if let Some(ConsoleSession { operator, .. }) = &found {
        page::require_shown(method, headers, operator.0.to_api())?;
    }
    Ok(found)
}

/// Like `console_session`, whomever the console shows: it asks this to learn who is logged in. Cross-site requests are
/// refused.
pub(crate) fn find_console_session(
    app: &App,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Option<ConsoleSession>, Failure> {
    let is_secure = app.web().is_secure();
    let cookie = page::find_cookie(headers, Cookie::Operator.name(is_secure));
    if !page::is_page(headers) || cookie == FoundCookie::Missing {
        return Ok(None);
    }
    page::refuse_cross_site(method, headers, is_secure)?;
    let FoundCookie::One(value) = cookie else { return Ok(None) };
    let session = token_hash(value.as_bytes());
    let exchange = app.reading().state();
    let found = exchange.directory().find_operator_session(session);
    let operator = found.filter(|(_, found)| found.expires_at() > app.now()).map(|(operator, _)| operator);
    let admitted = admit(app, operator)?;
    Ok(admitted.map(|operator| ConsoleSession { operator, session }))
}

fn find_operator(app: &App, headers: &HeaderMap) -> Result<Option<OperatorCaller>, Failure> {
    bearer_token(headers).map_or(Ok(None), |token| operator_by_token(app, token.as_bytes()))
}

/// The token of the one `Authorization` header.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

pub(crate) fn operator_by_token(app: &App, token: &[u8]) -> Result<Option<OperatorCaller>, Failure> {
    let hash = token_hash(token);
    let exchange = app.reading().state();
    let mut operators = exchange.directory().operators();
    admit(app, operators.find(|operator| operator.token_hash == hash))
}

/// Admits the owner of a token or session. A revoked operator counts as unknown; a suspended one is refused, so that the
/// person learns why.
fn admit(app: &App, operator: Option<&Operator>) -> Result<Option<OperatorCaller>, Failure> {
    match operator {
        Some(operator) if operator.revoked || !app.access().admits_operators() => Ok(None),
        Some(operator) if operator.suspended => {
            note_party(|party| party.operator = Some(operator.id));
            Err(app.writing().refuse(&Reject::OperatorSuspended))
        }
        Some(operator) => Ok(Some(OperatorCaller(operator.id))),
        None => Ok(None),
    }
}

/// The response to a request without a valid token or session.
pub(crate) fn refusal(app: &App) -> Response {
    let message = "An operator's token is required: Authorization: Bearer …";
    let body = ErrorBody::unauthorized(message, "unknown_operator", app.now_micros() / 1_000_000);
    let mut response = Failure::from(body).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// Ensures that a folder has an operator. The first start creates one named "first": its token is read from `path`, or
/// generated and written there, readable by the owner only. Returns whether the token is new.
pub fn ensure_first_operator(app: &App, path: &Path) -> Result<bool, FirstOperatorError> {
    if app.reading().state().directory().operators().len() > 0 {
        return Ok(false);
    }
    // Write the file first: after a crash in between, the next start reads the token from it.
    let (token, is_new) = match read_token(path)? {
        Some(token) => (token, false),
        None => (write_token(path)?, true),
    };
    let create = Command::CreateOperator(CreateOperator {
        id: OperatorId::new(new_id().as_u128()),
        name: Text::from("first"),
        role: Role::Approver,
        token_hash: token_hash(token.as_bytes()),
    });
    let request = exchange::Request { actor: Actor::System, idempotency: None, command: create };
    match app.writing().sequencer().submit_blocking(request)?.result {
        Ok(_) => Ok(is_new),
        // Another node of the same log was first; the valid token is there.
        Err(_) if app.reading().state().directory().operators().len() > 0 => {
            if is_new {
                fs::remove_file(path)
                    .map_err(|cause| FirstOperatorError::File { path: path.display().to_string(), cause })?;
            }
            Ok(false)
        }
        Err(reject) => Err(FirstOperatorError::Refused(reject)),
    }
}

/// The token in a file, if the file exists.
pub fn read_token(path: &Path) -> Result<Option<String>, FirstOperatorError> {
    let shown = || path.display().to_string();
    let token = match fs::read_to_string(path) {
        Ok(text) => text.trim().to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(FirstOperatorError::File { path: shown(), cause }),
    };
    if token.len() < TOKEN_BYTES_MIN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(FirstOperatorError::Token { path: shown() });
    }
    Ok(Some(token))
}

fn write_token(path: &Path) -> Result<String, FirstOperatorError> {
    let token = format!("op_{}", random_token());
    let write = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(format!("{token}\n").as_bytes())?;
        file.sync_all()?;
        // Sync the folder too: the file must be as durable as the operator in the journal.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    write().map_err(|cause| FirstOperatorError::File { path: path.display().to_string(), cause })?;
    Ok(token)
}

/// Notes an operator for the access log.
fn note_party(change: impl FnOnce(&mut Party)) {
    if let Some(meter) = meter::current() {
        meter.note_party(change);
    }
}
