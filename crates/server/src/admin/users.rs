//! Accounts and their money. Personal data comes from the people store. The house is credited like any account; its tag is
//! `house`.

use std::sync::Arc;

use api::admin::query::UsersQuery;
use api::admin::request::{ApproveReset, CancelOrdersOf, CreateUser, MoveFees, SuspendUser, Transfer};
use api::admin::response::{ApprovedReset, CancelledOrders, CreatedUser, PasswordResets, UserList};
use api::error::ErrorBody;
use axum::extract::{Path, Request, State};
use exchange::Exchange;
use exchange::command::{self, ApprovePasswordReset, Command, CreditWallet, DebitWallet, FreezeUser};
use exchange::id::{RowId, UserId};
use exchange::identity::{PasswordReset, User};
use exchange::index::UserIndex;
use exchange::reply::Reply;
use exchange::text::Text;
use http::StatusCode;
use uuid::Uuid;

use super::operator_request::{OperatorRequest, Outcome};
use super::{answers, finding};
use crate::access::people_failure;
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::people::{Address, Person};
use crate::view::pages::page;
use crate::view::words::{ToApi, ToExchange};

pub(super) async fn list_users(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = UsersQuery::parse(request.uri().query().unwrap_or_default())?;
    let keyword = query.keyword.as_ref().map(|keyword| keyword.to_lowercase());
    // Addresses are encrypted: a complete address is found by its hash, and only those of the page are decrypted.
    let address =
        keyword.as_ref().map(|keyword| app.access().people().address_hash(&Address::normalised(keyword)));
    let is_wanted = |index: UserIndex, user: &User| {
        let has = |keyword: &String| {
            user.tag.to_lowercase().contains(keyword)
                || user.address == address
                || user.id.to_string() == *keyword
        };
        index != UserIndex::HOUSE
            && query.suspended.is_none_or(|suspended| suspended == user.disabled)
            && keyword.as_ref().is_none_or(has)
    };
    let (shown, pagination) = {
        let exchange = app.reading().state();
        let users = exchange.directory().users();
        let found: Vec<(UserId, Option<RowId>)> = users
            .filter(|(index, user)| is_wanted(*index, user))
            .map(|(_, user)| (user.id, user.row))
            .collect();
        let (shown, pagination) = page(&found, query.pages());
        (shown.to_vec(), pagination)
    };
    let known = app.access().persons(shown.clone()).await?;
    let exchange = app.reading().state();
    let directory = exchange.directory();
    let state = |((id, _), known): (&(UserId, Option<RowId>), &Option<Arc<Person>>)| {
        directory.find(*id).map(|index| answers::user_state(directory.user(index), known.as_deref()))
    };
    ok(&UserList { users: shown.iter().zip(&known).filter_map(state).collect(), pagination })
}

pub(super) async fn get_user(State(app): State<Arc<App>>, Path(user): Path<String>) -> Answered {
    let (index, wanted) = {
        let exchange = app.reading().state();
        let index = finding::user(&exchange, &user)?;
        let user = exchange.directory().user(index);
        (index, (user.id, user.row))
    };
    let known = app.access().persons(vec![wanted]).await?.pop().flatten();
    let exchange = app.reading().state();
    ok(&answers::user_detail(&exchange, index, known.as_deref()))
}

/// Writes the row durably, then submits the command that names it.
pub(super) async fn create_user(request: OperatorRequest) -> Answered {
    let create: CreateUser = request.read()?;
    create.check()?;
    let address = Address::parse(&create.email)?;
    let password_hash = match create.password {
        Some(password) => {
            let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
            Some(request.app.access().passwords().hash(password).await.map_err(busy)?)
        }
        None => None,
    };
    let (id, people) = (UserId::new(Uuid::now_v7().as_u128()), request.app.access().people());
    let row = people.write(id, Person::new(&address, password_hash)).await.map_err(people_failure)?;
    let command = Command::CreateUser(command::CreateUser {
        id,
        address: people.address_hash(&address),
        tag: Text::from(create.tag),
        row: row.id,
        expires_at: row.expires_at,
    });
    request.operate(command).await?;
    Ok(json(StatusCode::CREATED, &CreatedUser { user_id: id.to_api() }))
}

pub(super) async fn suspend_user(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    let SuspendUser { keep_orders } = request.read_or_default()?;
    act(&user, &request, |user| {
        Command::SuspendUser(command::SuspendUser { user, suspended: true, keep_orders })
    })
    .await
}

pub(super) async fn resume_user(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    act(&user, &request, |user| {
        Command::SuspendUser(command::SuspendUser { user, suspended: false, keep_orders: false })
    })
    .await
}

pub(super) async fn freeze_user(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    act(&user, &request, |user| Command::FreezeUser(FreezeUser { user, frozen: true })).await
}

pub(super) async fn release_user(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    act(&user, &request, |user| Command::FreezeUser(FreezeUser { user, frozen: false })).await
}

/// Erases a person. Responds after the row in the people store has been overwritten.
pub(super) async fn erase_user(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    let user = finding::user_id(&request.app.reading().state(), &user)?;
    let command = Command::EraseUser(command::EraseUser { user });
    if let Outcome::Proposed(proposal) = request.operate_or_propose(command).await? {
        return request.proposed(proposal);
    }
    request.app.access().sweeps().sweep(None).await.map_err(people_failure)?;
    state(&request.app, user).await
}

/// Submits or proposes a command about an account.
async fn act(user: &str, request: &OperatorRequest, command: impl FnOnce(UserId) -> Command) -> Answered {
    let user = finding::user_id(&request.app.reading().state(), user)?;
    if let Outcome::Proposed(proposal) = request.operate_or_propose(command(user)).await? {
        return request.proposed(proposal);
    }
    state(&request.app, user).await
}

/// The state of an account.
async fn state(app: &App, user: UserId) -> Answered {
    let find = |exchange: &Exchange| {
        exchange.directory().find(user).ok_or_else(|| Failure::from(ErrorBody::internal()))
    };
    let row = {
        let exchange = app.reading().state();
        exchange.directory().user(find(&exchange)?).row
    };
    let known = app.access().persons(vec![(user, row)]).await?.pop().flatten();
    let exchange = app.reading().state();
    ok(&answers::user_state(exchange.directory().user(find(&exchange)?), known.as_deref()))
}

pub(super) async fn cancel_orders_of(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    let given: CancelOrdersOf = request.read_or_default()?;
    let command = {
        let exchange = request.app.reading().state();
        let event = given.event.map(|event| finding::event_id(&exchange, &event)).transpose()?;
        let market = given.market.map(|market| finding::market_id(&exchange, &market)).transpose()?;
        let user = finding::user_id(&exchange, &user)?;
        Command::CancelOrdersOf(command::CancelOrdersOf {
            user,
            event,
            market,
            currency: given.currency.map(ToExchange::to_exchange),
        })
    };
    let Reply::Orders(orders) = request.operate(command).await? else {
        return Err(ErrorBody::internal().into());
    };
    ok(&CancelledOrders { cancelled: orders.len() })
}

pub(super) async fn list_password_resets(State(app): State<Arc<App>>) -> Answered {
    let now = app.now();
    let is_live = |reset: &PasswordReset| reset.expires_at() > now;
    let waiting: Vec<_> = {
        let exchange = app.reading().state();
        let users = exchange.directory().users().map(|(_, user)| user);
        let users = users.filter(|user| user.password_resets.iter().any(is_live));
        users.map(|user| (user.id, user.row)).collect()
    };
    let emails = app.access().emails(waiting.clone()).await?;
    let exchange = app.reading().state();
    let directory = exchange.directory();
    let mut resets = Vec::new();
    for ((id, _), email) in waiting.iter().zip(emails) {
        let Some(user) = directory.find(*id).map(|index| directory.user(index)) else { continue };
        let live = user.password_resets.iter().filter(|reset| is_live(reset));
        resets.extend(live.map(|reset| answers::password_reset(user, email.clone(), reset)));
    }
    resets.sort_by_key(|reset| reset.requested_at);
    ok(&PasswordResets { resets })
}

/// Approves the reset request with the code that the person read out.
pub(super) async fn approve_password_reset(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    let code = request.read::<ApproveReset>()?.code.trim().to_uppercase();
    let (user, token_hash) = {
        let exchange = request.app.reading().state();
        let index = finding::user(&exchange, &user)?;
        let user = exchange.directory().user(index);
        let reset = user.password_resets.iter().find(|reset| *reset.code == *code && !reset.is_approved);
        let missing =
            || Failure::from(ErrorBody::not_found("The account has no open request with this code"));
        (user.id, reset.ok_or_else(missing)?.token_hash)
    };
    match request
        .operate_or_propose(Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash }))
        .await?
    {
        Outcome::Proposed(proposal) => request.proposed(proposal),
        Outcome::Done(_) => ok(&ApprovedReset { user_id: user.to_api(), code, message: APPROVED.to_owned() }),
    }
}

const APPROVED: &str = "The person's own browser sets the new password now";

pub(super) async fn credit_wallet(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    transfer(&user, &request, credit).await
}

pub(super) async fn debit_wallet(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    transfer(&user, &request, debit).await
}

async fn transfer(
    user: &str,
    request: &OperatorRequest,
    command: fn(UserId, Transfer) -> Command,
) -> Answered {
    let transfer: Transfer = request.read()?;
    let user = finding::user_id(&request.app.reading().state(), user)?;
    let currency = match request.operate_or_propose(command(user, transfer)).await? {
        Outcome::Proposed(proposal) => return request.proposed(proposal),
        Outcome::Done(Reply::Wallet { currency, .. }) => currency,
        Outcome::Done(_) => return Err(ErrorBody::internal().into()),
    };
    let exchange = request.app.reading().state();
    let user = exchange.directory().find(user).ok_or_else(|| Failure::from(ErrorBody::internal()))?;
    ok(&answers::wallet(&exchange, user, currency))
}

/// Proposes to move fees. Fees cannot be moved by one person alone.
pub(super) async fn move_fees(request: OperatorRequest) -> Answered {
    let MoveFees { currency, amount, to, reference } = request.read()?;
    let command = Command::MoveFees(command::MoveFees {
        currency: currency.to_exchange(),
        amount: amount.to_exchange(),
        to: to.to_exchange(),
        reference: Text::from(reference),
    });
    match request.operate_or_propose(command).await? {
        Outcome::Proposed(proposal) => request.proposed(proposal),
        Outcome::Done(_) => Err(ErrorBody::internal().into()),
    }
}

fn credit(user: UserId, transfer: Transfer) -> Command {
    let Transfer { currency, amount, reference } = transfer;
    let (currency, amount) = (currency.to_exchange(), amount.to_exchange());
    Command::CreditWallet(CreditWallet { user, currency, amount, reference: Text::from(reference) })
}

fn debit(user: UserId, transfer: Transfer) -> Command {
    let Transfer { currency, amount, reference } = transfer;
    let (currency, amount) = (currency.to_exchange(), amount.to_exchange());
    Command::DebitWallet(DebitWallet { user, currency, amount, reference: Text::from(reference) })
}
