//! Accounts and their money. The house is credited like anyone, under a path of its own.

use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use axum::Extension;
use axum::extract::{Path, Request, State};
use exchange::command::Command;
use exchange::id::UserId;
use exchange::reply::Reply;
use exchange::text::Text;
use http::StatusCode;
use uuid::Uuid;

use super::access::Operating;
use super::answers::{CreatedUser, Wallet};
use super::requests::{CreateUser, Transfer};
use crate::app::App;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json, ok};
use crate::view::words::{ToApi, ToExchange};

/// The house has the nil id.
const HOUSE: UserId = UserId::new(0);

pub(super) async fn create_user(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    request: Request,
) -> Answered {
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let create: CreateUser = read(&body)?;
    create.check()?;
    let password_hash = match create.password {
        Some(password) => {
            let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
            Some(Text::from(app.passwords.hash(password).await.map_err(busy)?))
        }
        None => None,
    };
    let id = UserId::new(Uuid::now_v7().as_u128());
    let command = Command::CreateUser {
        id,
        // The exchange looks addresses up by their hash, so it takes one spelling only.
        email: Text::from(create.email.to_lowercase()),
        tag: Text::from(create.tag),
        password_hash,
    };
    app.reply(app.submit(operating.actor(), None, command).await?)?;
    Ok(json(StatusCode::CREATED, &CreatedUser { user_id: id.to_api() }))
}

pub(super) async fn credit_wallet(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(user): Path<String>,
    request: Request,
) -> Answered {
    transfer(&app, operating, user_id(&user)?, request, credit).await
}

pub(super) async fn debit_wallet(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(user): Path<String>,
    request: Request,
) -> Answered {
    transfer(&app, operating, user_id(&user)?, request, debit).await
}

pub(super) async fn credit_house(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    request: Request,
) -> Answered {
    transfer(&app, operating, HOUSE, request, credit).await
}

async fn transfer(
    app: &App,
    operating: Operating,
    user: UserId,
    request: Request,
    command: fn(UserId, Transfer) -> Command,
) -> Answered {
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let transfer: Transfer = read(&body)?;
    let reply = app.reply(app.submit(operating.actor(), None, command(user, transfer)).await?)?;
    let Reply::Wallet { currency, .. } = reply else { return Err(ErrorBody::internal().into()) };
    let exchange = app.shared.read();
    let user = exchange.directory().find(user).ok_or_else(|| Failure::from(ErrorBody::internal()))?;
    ok(&Wallet::of(&exchange, user, currency))
}

fn credit(user: UserId, transfer: Transfer) -> Command {
    let Transfer { currency, amount, reference } = transfer;
    let (currency, amount) = (currency.to_exchange(), amount.to_exchange());
    Command::CreditWallet { user, currency, amount, reference: Text::from(reference) }
}

fn debit(user: UserId, transfer: Transfer) -> Command {
    let Transfer { currency, amount, reference } = transfer;
    let (currency, amount) = (currency.to_exchange(), amount.to_exchange());
    Command::DebitWallet { user, currency, amount, reference: Text::from(reference) }
}

fn user_id(text: &str) -> Result<UserId, Failure> {
    let id = api::identifier::parse(text).map_err(|_| ErrorBody::not_found("User not found"))?;
    Ok(id.to_exchange())
}
