//! Accounts and their money. Personal data comes from the people store. The house is credited like any account; its tag is
//! `house`.

use std::sync::Arc;

use api::admin::query::UsersQuery;
use api::admin::request::{ApproveReset, CancelOrdersOf, CreateUser, MoveFees, SuspendUser, Transfer};
use api::admin::response::{ApprovedReset, CreatedUser, PasswordResets, UserList, UserState};
use api::error::ErrorBody;
use api::query::PageQuery;
use api::response::Pagination;
use axum::extract::{Path, Request, State};
use exchange::Exchange;
use exchange::command::{self, ApprovePasswordReset, Command, CreditWallet, DebitWallet, FreezeUser};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::{PasswordReset, User};
use exchange::index::UserIndex;
use exchange::text::Text;
use exchange::time::Time;
use http::StatusCode;

use super::answers::UserRow;
use super::operator_request::{OperatorRequest, render};
use super::{answers, finding};
use crate::access::people_failure;
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::people::{Address, Person};
use crate::pipeline::gathering::gather;
use crate::respond::Shown;
use crate::view::words::{ToApi, ToExchange};

pub(super) async fn list_users(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = UsersQuery::parse(request.uri().query().unwrap_or_default())?;
    let keyword = query.keyword.as_ref().map(|keyword| keyword.to_lowercase());
    // Addresses are encrypted: a complete address is found by its hash, and only those of the page are decrypted.
    let address =
        keyword.as_ref().map(|keyword| app.access().people().address_hash(&Address::normalised(keyword)));
    let wanted = WantedUsers { keyword, address, suspended: query.suspended };
    let (shown, total) = find_users(&app, &wanted, query.pages());
    let known = app.access().persons(shown.iter().map(|user| (user.id, user.row)).collect()).await?;
    let users = shown.into_iter().zip(&known).map(|(user, known)| with_person(user.state, known.as_deref()));
    ok(&UserList { users: users.collect(), pagination: Pagination::new(query.pages(), total) })
}

/// The conditions of a list of users.
struct WantedUsers {
    /// In lower case.
    keyword: Option<String>,
    /// The hash of the keyword as an address.
    address: Option<Hash32>,
    suspended: Option<bool>,
}

impl WantedUsers {
    fn admits(&self, user: &User) -> bool {
        let has = |keyword: &String| {
            user.tag.to_lowercase().contains(keyword)
                || user.address == self.address
                || user.id.to_string() == *keyword
        };
        self.suspended.is_none_or(|suspended| suspended == user.disabled)
            && self.keyword.as_ref().is_none_or(has)
    }

    fn admits_all(&self) -> bool {
        self.keyword.is_none() && self.suspended.is_none()
    }
}

/// Users that one look compares with a filter.
const USERS_AT_ONCE: usize = 256;

/// The users of a page, and the total, as of one sequence. The users are compared in short looks. New users are last, so
/// only a suspension or an erasure in between changes the users that were compared before: then it begins again.
fn find_users(app: &App, wanted: &WantedUsers, pages: PageQuery) -> (Vec<UserRow>, u64) {
    // The house is an account, not a user.
    let first = UserIndex::from_slot(UserIndex::HOUSE.slot() + 1);
    let skipped = usize::try_from(pages.offset()).unwrap_or(usize::MAX);
    let (mut found, mut next, mut version): (Vec<UserIndex>, UserIndex, _) = (Vec::new(), first, None);
    loop {
        let exchange = app.reading().read_state();
        let directory = exchange.directory();
        let row = |index: UserIndex| UserRow::of(directory.user(index));
        if wanted.admits_all() {
            let total = directory.users().len() - first.slot();
            let from = UserIndex::from_slot(first.slot() + skipped.min(total));
            let shown = directory.users_from(from).take(pages.size as usize);
            return (shown.map(|(index, _)| row(index)).collect(), total as u64);
        }
        if version != Some(directory.versions().suspensions) {
            version = Some(directory.versions().suspensions);
            (found, next) = (Vec::new(), first);
        }
        let some = directory.users_from(next).take(USERS_AT_ONCE);
        found.extend(some.filter(|(_, user)| wanted.admits(user)).map(|(index, _)| index));
        next = UserIndex::from_slot((next.slot() + USERS_AT_ONCE).min(directory.users().len()));
        if next.slot() == directory.users().len() {
            let shown = found.iter().skip(skipped).take(pages.size as usize);
            return (shown.map(|index| row(*index)).collect(), found.len() as u64);
        }
    }
}

pub(super) async fn get_user(State(app): State<Arc<App>>, Path(user): Path<String>) -> Answered {
    let (index, wanted) = {
        let exchange = app.reading().read_state();
        let index = finding::user(&exchange, &user)?;
        let user = exchange.directory().user(index);
        (index, (user.id, user.row))
    };
    let known = app.access().persons(vec![wanted]).await?.pop().flatten();
    let (_, mut detail) = gather(
        app.reading().shared(),
        |exchange| exchange.listings_of(index).collect(),
        |exchange, listing| exchange.position(index, listing).is_some_and(answers::is_held),
        |exchange, rows| {
            let held = rows.iter().filter(|row| *row.value()).map(|row| row.key);
            answers::user_detail(exchange, index, held)
        },
    );
    detail.user = with_person(detail.user, known.as_deref());
    ok(&detail)
}

/// Adds what the people store knows of a person.
fn with_person(account: UserState, known: Option<&Person>) -> UserState {
    UserState {
        email: known.map(|known| known.email.to_string()).unwrap_or_default(),
        has_password: known.is_some_and(|known| known.password_hash.is_some()),
        ..account
    }
}

/// Writes the row durably, then submits the command that names it.
pub(super) async fn create_user(request: OperatorRequest) -> Answered {
    let create: CreateUser = request.read()?;
    create.check()?;
    let address = Address::parse(&create.email)?;
    let (id, people) = (UserId::new(request.new_id().as_u128()), request.app.access().people());
    let (address_hash, tag) = (people.address_hash(&address), Text::from(create.tag));
    let command = |row, expires_at| {
        let (address, tag) = (address_hash, tag.clone());
        Command::CreateUser(command::CreateUser { id, address, tag, row, expires_at })
    };
    request.require_permission(&command(RowId::new(0), Time::ZERO)).await?;
    let password_hash = match create.password {
        Some(password) => {
            let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
            Some(request.app.access().passwords().hash(password).await.map_err(busy)?)
        }
        None => None,
    };
    let row = people.write(id, Person::new(&address, password_hash)).await.map_err(people_failure)?;
    request.operate(Ok(command(row.id, row.expires_at))).await?;
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
    let user = finding::user_id(&request.app.reading().read_state(), &user);
    let command = user.map(|user| Command::EraseUser(command::EraseUser { user }));
    let shown = request.operate_or_propose(command).await?;
    if let Shown::User(_) = shown {
        request.app.access().sweeps().sweep(None).await.map_err(people_failure)?;
    }
    account(&request.app, shown).await
}

/// Submits or proposes a command about an account.
async fn act(user: &str, request: &OperatorRequest, command: impl FnOnce(UserId) -> Command) -> Answered {
    let user = finding::user_id(&request.app.reading().read_state(), user);
    account(&request.app, request.operate_or_propose(user.map(command)).await?).await
}

/// Responds with an account, or with the proposal of a command about it.
async fn account(app: &App, shown: Shown) -> Answered {
    let Shown::User(account) = shown else { return render(StatusCode::OK, shown) };
    let known = app.access().person(account.user_id.to_exchange()).await?;
    ok(&with_person(account, known.as_deref()))
}

pub(super) async fn cancel_orders_of(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    let given: CancelOrdersOf = request.read_or_default()?;
    let command = cancellation(&request.app.reading().read_state(), &user, given);
    request.answer(StatusCode::OK, command).await
}

fn cancellation(exchange: &Exchange, user: &str, given: CancelOrdersOf) -> Result<Command, Failure> {
    let event = given.event.map(|event| finding::event_id(exchange, &event)).transpose()?;
    let market = given.market.map(|market| finding::market_id(exchange, &market)).transpose()?;
    Ok(Command::CancelOrdersOf(command::CancelOrdersOf {
        user: finding::user_id(exchange, user)?,
        event,
        market,
        currency: given.currency.map(ToExchange::to_exchange),
    }))
}

pub(super) async fn list_password_resets(State(app): State<Arc<App>>) -> Answered {
    let waiting = find_resets(&app, app.now());
    let emails = app.access().emails(waiting.iter().map(|(user, _)| (user.id, user.row)).collect()).await?;
    let rows = waiting.iter().zip(emails);
    let mut resets: Vec<_> =
        rows.map(|((user, reset), email)| answers::password_reset(user, email, reset)).collect();
    resets.sort_by_key(|reset| reset.requested_at);
    ok(&PasswordResets { resets })
}

/// Password resets that one look reads.
const RESETS_AT_ONCE: usize = 128;

/// All password resets that have not expired, as of one sequence. They are read in short looks; if one changes in between,
/// it begins again.
fn find_resets(app: &App, now: Time) -> Vec<(UserRow, PasswordReset)> {
    let (mut found, mut version): (Vec<(UserRow, PasswordReset)>, _) = (Vec::new(), None);
    loop {
        let exchange = app.reading().read_state();
        let directory = exchange.directory();
        if version != Some(directory.versions().resets) {
            version = Some(directory.versions().resets);
            found = Vec::new();
        }
        let last = found.last().map(|(_, reset)| (reset.expires_at(), reset.token_hash));
        let before = found.len();
        let live = directory.resets_after(last).filter(|(_, reset)| reset.expires_at() > now);
        let some = live.take(RESETS_AT_ONCE);
        found.extend(some.map(|(user, reset)| (UserRow::of(directory.user(user)), reset.clone())));
        if found.len() < before + RESETS_AT_ONCE {
            return found;
        }
    }
}

/// Approves the reset request with the code that the person read out.
pub(super) async fn approve_password_reset(Path(user): Path<String>, request: OperatorRequest) -> Answered {
    let code = request.read::<ApproveReset>()?.code.trim().to_uppercase();
    let (user, token_hash) = {
        let exchange = request.app.reading().read_state();
        let user = exchange.directory().user(finding::user(&exchange, &user)?);
        let reset = user.password_resets.iter().find(|reset| *reset.code == *code && !reset.is_approved);
        let missing =
            || Failure::from(ErrorBody::not_found("The account has no open request with this code"));
        (user.id, reset.map(|reset| reset.token_hash).ok_or_else(missing))
    };
    let approve = |token_hash| Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash });
    match request.operate_or_propose(token_hash.map(approve)).await? {
        Shown::Nothing => ok(&ApprovedReset { user_id: user.to_api(), code, message: APPROVED.to_owned() }),
        shown => render(StatusCode::OK, shown),
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
    let user = finding::user_id(&request.app.reading().read_state(), user);
    request.answer_or_propose(StatusCode::OK, user.map(|user| command(user, transfer))).await
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
    request.answer_or_propose(StatusCode::OK, Ok(command)).await
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
