//! Accounts and their money. The house is credited like anyone: its tag is `house`.

use std::sync::Arc;

use api::error::ErrorBody;
use axum::extract::{Path, Request, State};
use exchange::command::Command;
use exchange::id::UserId;
use exchange::identity::User;
use exchange::index::UserIndex;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;
use http::StatusCode;
use uuid::Uuid;

use super::answers::{CreatedUser, ResetToken, UserDetail, UserList, UserState, Wallet};
use super::asking::Asked;
use super::finding;
use super::requests::{CreateUser, IssueReset, Transfer, UsersQuery};
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::secrets::{random_token, token_hash};
use crate::view::pages::page;
use crate::view::words::{ToApi, ToExchange};

pub(super) async fn list_users(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = UsersQuery::parse(request.uri().query().unwrap_or_default())?;
    let keyword = query.keyword.as_ref().map(|keyword| keyword.to_lowercase());
    let exchange = app.shared.read();
    let is_wanted = |index: UserIndex, user: &User| {
        let has = |keyword: &String| {
            user.tag.to_lowercase().contains(keyword)
                || user.email.contains(keyword.as_str())
                || user.id.to_string() == *keyword
        };
        index != UserIndex::HOUSE
            && query.suspended.is_none_or(|suspended| suspended == user.disabled)
            && keyword.as_ref().is_none_or(has)
    };
    let found: Vec<&User> = exchange
        .directory()
        .users()
        .filter(|(index, user)| is_wanted(*index, user))
        .map(|(_, user)| user)
        .collect();
    let (shown, pagination) = page(&found, query.pages());
    ok(&UserList { users: shown.iter().map(|user| UserState::of(user)).collect(), pagination })
}

pub(super) async fn get_user(State(app): State<Arc<App>>, Path(user): Path<String>) -> Answered {
    let exchange = app.shared.read();
    let user = finding::user(&exchange, &user)?;
    ok(&UserDetail::of(&exchange, user))
}

pub(super) async fn create_user(asked: Asked) -> Answered {
    let create: CreateUser = asked.read()?;
    create.check()?;
    let password_hash = match create.password {
        Some(password) => {
            let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
            Some(Text::from(asked.app.passwords.hash(password).await.map_err(busy)?))
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
    asked.operate(command).await?;
    Ok(json(StatusCode::CREATED, &CreatedUser { user_id: id.to_api() }))
}

pub(super) async fn suspend_user(Path(user): Path<String>, asked: Asked) -> Answered {
    set_suspended(&user, &asked, true).await
}

pub(super) async fn resume_user(Path(user): Path<String>, asked: Asked) -> Answered {
    set_suspended(&user, &asked, false).await
}

async fn set_suspended(user: &str, asked: &Asked, suspended: bool) -> Answered {
    let user = finding::user_id(&asked.app.shared.read(), user)?;
    asked.operate(Command::SuspendUser { user, suspended }).await?;
    let exchange = asked.app.shared.read();
    let found = exchange.directory().find(user).ok_or_else(|| Failure::from(ErrorBody::internal()))?;
    ok(&UserState::of(exchange.directory().user(found)))
}

pub(super) async fn issue_password_reset(Path(user): Path<String>, asked: Asked) -> Answered {
    let hours = asked.read_or_default::<IssueReset>()?.hours()?;
    let user = finding::user_id(&asked.app.shared.read(), &user)?;
    let token = random_token();
    let expires_at = asked.app.now() + Span::hours(hours.into());
    let command = Command::IssuePasswordReset { user, token_hash: token_hash(token.as_bytes()), expires_at };
    asked.operate(command).await?;
    let reset = ResetToken { user_id: user.to_api(), token, expires_at: expires_at.to_api() };
    Ok(json(StatusCode::CREATED, &reset))
}

pub(super) async fn credit_wallet(Path(user): Path<String>, asked: Asked) -> Answered {
    transfer(&user, &asked, credit).await
}

pub(super) async fn debit_wallet(Path(user): Path<String>, asked: Asked) -> Answered {
    transfer(&user, &asked, debit).await
}

async fn transfer(user: &str, asked: &Asked, command: fn(UserId, Transfer) -> Command) -> Answered {
    let transfer: Transfer = asked.read()?;
    let user = finding::user_id(&asked.app.shared.read(), user)?;
    let reply = asked.operate(command(user, transfer)).await?;
    let Reply::Wallet { currency, .. } = reply else { return Err(ErrorBody::internal().into()) };
    let exchange = asked.app.shared.read();
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
