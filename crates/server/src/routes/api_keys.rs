//! The four operations on API keys. A secret is derived when it is shown, and never stored.

use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use api::request::CreateApiKey;
use api::response::{ApiKeys, Message};
use api::signing::secret_key_hint;
use axum::extract::{Path, Request, State};
use exchange::command::{self, Command, RevokeApiKey, RotateApiKey};
use exchange::id::KeyId;
use exchange::identity::ApiKey;
use exchange::reply::Reply;
use exchange::text::Text;
use http::StatusCode;

use super::paths::key_id;
use crate::access::SessionCaller;
use crate::app::App;
use crate::http::charging::OwnerBucket;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json, ok};
use crate::identifiers::new_id;
use crate::view;

pub(super) async fn create_api_key(State(app): State<Arc<App>>, request: Request) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Write)?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let create: CreateApiKey = read(&body)?;
    let command = Command::CreateApiKey(command::CreateApiKey {
        id: KeyId::new(new_id().as_u128()),
        name: Text::from(create.name),
        public_key: Text::from(app.access().keyring().new_public_key()),
    });
    let key = change_key(&app, session, command).await?;
    Ok(json(
        StatusCode::CREATED,
        &view::api_key::issued(&key, app.access().keyring().secret(key.id, key.generation)),
    ))
}

pub(super) async fn list_api_keys(State(app): State<Arc<App>>, request: Request) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Read)?;
    let keys = app.reading().read_state().directory().user(session.user).keys.clone();
    let hint = |key: &ApiKey| secret_key_hint(&app.access().keyring().secret(key.id, key.generation));
    let keys: Vec<_> = keys.iter().map(|key| view::api_key(key, hint(key))).collect();
    ok(&ApiKeys { total: keys.len() as u32, keys })
}

pub(super) async fn revoke_api_key(
    State(app): State<Arc<App>>,
    Path(key): Path<String>,
    request: Request,
) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Write)?;
    let key = key_id(&key)?;
    change_key(&app, session, Command::RevokeApiKey(RevokeApiKey { key })).await?;
    ok(&Message::API_KEY_REVOKED)
}

pub(super) async fn rotate_api_key(
    State(app): State<Arc<App>>,
    Path(key): Path<String>,
    request: Request,
) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Write)?;
    let key = key_id(&key)?;
    let key = change_key(&app, session, Command::RotateApiKey(RotateApiKey { key })).await?;
    ok(&view::api_key::issued(&key, app.access().keyring().secret(key.id, key.generation)))
}

async fn change_key(app: &App, session: SessionCaller, command: Command) -> Result<ApiKey, Failure> {
    match app.writing().written(app.writing().submit(session.actor(), None, command).await?)? {
        Reply::ApiKey(key) => Ok(key),
        _ => Err(ErrorBody::internal().into()),
    }
}
