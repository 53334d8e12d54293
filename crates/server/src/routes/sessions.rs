//! Logging in and out, and setting a new password with a token that an operator approved.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use api::request::{Login, PasswordReset, PasswordResetRequest};
use api::response::{Message, PasswordResetRequested, Session};
use axum::extract::{ConnectInfo, Request, State};
use exchange::command::{Command, OpenSession, RequestPasswordReset, ResetPassword, StartLogin};
use exchange::id::{Hash32, RowId, SessionId, UserId};
use exchange::identity::{Actor, LoginScope, RESET_LIFE};
use exchange::reject::Reject;
use exchange::text::Text;
use http::StatusCode;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::access::people_failure;
use crate::app::App;
use crate::http::access_log::log_login;
use crate::http::charging::OwnerBucket;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json, ok};
use crate::identifiers::{new_id, random_id};
use crate::limits::Network;
use crate::people::{Address, NewRow, PeopleError, Person};
use crate::secrets::{random_code, random_token, token_hash};
use crate::view::words::ToApi;

/// A user whose password was verified.
#[derive(Debug)]
pub(crate) struct LoginUser {
    pub(crate) id: UserId,
    pub(crate) address: Address,
    password_version: u32,
}

pub(super) async fn login(State(app): State<Arc<App>>, request: Request) -> Answered {
    let scope = |address: &Address| LoginScope::Api { address: app.access().people().address_hash(address) };
    let user = check_login(&app, request, scope).await?;
    ok(&open_session(&app, &user).await?)
}

/// Verifies the email and password of a request. `scope` returns what an attempt with an address is counted under.
pub(crate) async fn check_login(
    app: &App,
    request: Request,
    scope: impl FnOnce(&Address) -> LoginScope,
) -> Result<LoginUser, Failure> {
    let (address, mut known) = (address_of(&request), None);
    let result = try_login(app, request, scope, &mut known).await;
    log_login(address, known, &result);
    result
}

/// `known` is set to the user with the request's email, if there is one.
async fn try_login(
    app: &App,
    request: Request,
    scope: impl FnOnce(&Address) -> LoginScope,
    known: &mut Option<UserId>,
) -> Result<LoginUser, Failure> {
    let (network, site) = (network_of(&request), Network::site_of(address_of(&request)));
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let Login { email, password } = read(&body)?;
    let address = Address::normalised(&email);
    let scope = scope(&address);
    let is_known = charge_known_browser(app, &address, scope);
    if !is_known {
        charge_password_work(app, network)?;
    }
    // Reserve a hashing slot before counting the attempt: a caller refused because of others has not used one up.
    let permit = app.access().passwords().reserve().map_err(|_| busy())?;
    let counted = if is_known { Counted::First } else { charge_login(app, site, &address, scope)? };
    if counted == Counted::First {
        count_attempt(app, scope).await?;
    }
    let (expected, user) = find_login(app, address).await?;
    *known = user.as_ref().map(|user| user.id);
    let is_right = app.access().passwords().verify(permit, password, expected).await.map_err(|_| busy())?;
    let Some(user) = user.filter(|_| is_right) else {
        return Err(app.unauthorized("Wrong email or password", "wrong_credentials"));
    };
    match counted {
        Counted::OnSuccess => count_attempt(app, scope).await?,
        Counted::First if !is_known => return_stranger(app, network, site),
        Counted::First => {}
    }
    Ok(user)
}

fn busy() -> Failure {
    ErrorBody::rate_limit("Too many logins at once", 1).into()
}

/// When the journal gets a login attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// Before the password is verified, so that it counts in any case.
    First,
    /// With the right password alone: its site has left enough failures in the journal.
    OnSuccess,
}

async fn count_attempt(app: &App, scope: LoginScope) -> Result<(), Failure> {
    let start = Command::StartLogin(StartLogin { scope });
    app.writing().reply(app.writing().submit(Actor::System, None, start).await?).map(drop)
}

/// The user with this address, if any, and the hash of their password. The people store is queried in either case, so that
/// the response time does not reveal whether the address has an account.
async fn find_login(app: &App, address: Address) -> Result<(Option<String>, Option<LoginUser>), Failure> {
    let hash = app.access().people().address_hash(&address);
    let found = {
        let exchange = app.reading().state();
        exchange.directory().find_login(hash).map(|user| (user.id, user.row, user.password_version))
    };
    let nobody = (UserId::new(0), RowId::new(random_id().as_u128()));
    let (person, row) = found.map_or(nobody, |(id, row, _)| (id, row.unwrap_or(nobody.1)));
    let known = app.access().people().look_up(person, row).await.map_err(people_failure)?;
    let expected = known.and_then(|known| known.password_hash.as_deref().cloned());
    let user = found.map(|(id, _, password_version)| LoginUser { id, address, password_version });
    Ok((expected, user))
}

/// The network that a request comes from.
pub(crate) fn network_of(request: &Request) -> Network {
    Network::of(address_of(request))
}

/// The address that a request comes from.
pub(crate) fn address_of(request: &Request) -> IpAddr {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip())
}

/// Charges a login or a password reset to its network, before anything is hashed or sequenced.
fn charge_password_work(app: &App, network: Network) -> Result<(), Failure> {
    let limit = &app.limits().passwords;
    app.charge("passwords", limit.rate(), limit.take(network, 1, app.now_micros()))
}

/// Charges a login in a browser from which its email has logged in before. False for all others, and once that is used up.
fn charge_known_browser(app: &App, address: &Address, scope: LoginScope) -> bool {
    let LoginScope::Device { .. } = scope else { return false };
    let limit = &app.limits().known_browsers;
    let email = app.access().people().address_hash(address);
    let taken = limit.take(email, 1, app.now_micros());
    taken.is_ok() && app.charge("known", limit.rate(), taken).is_ok()
}

/// Charges what may stay in the journal though nobody is known to have sent it.
fn charge_stranger(app: &App, site: Network) -> Result<(), Failure> {
    let limit = &app.limits().strangers;
    app.charge_further("strangers", limit.rate(), limit.take(site, 1, app.now_micros()))
}

/// Returns what a login paid that then succeeded.
fn return_stranger(app: &App, network: Network, site: Network) {
    let (limits, now) = (app.limits(), app.now_micros());
    let left = limits.strangers.give_back(site, 1, now);
    app.show_tighter([
        ("passwords", limits.passwords.rate(), limits.passwords.look(network, now)),
        ("strangers", limits.strangers.rate(), left),
    ]);
}

/// Charges a login as a stranger's. Where a site has used up what its strangers may write, the email has an attempt on this
/// node that only the right password writes: other people's failures must not lock out everybody at their address. An
/// unknown email is treated alike, so that the response does not reveal whether it has an account.
fn charge_login(app: &App, site: Network, address: &Address, scope: LoginScope) -> Result<Counted, Failure> {
    let (limits, now) = (app.limits(), app.now_micros());
    if limits.strangers.look(site, now).remaining == 0 {
        let limited = app.reading().state().directory().login_limit().check(scope, app.now());
        limited.map_err(|retry_at| app.writing().refuse(&Reject::LimitReached { retry_at }))?;
        let email = app.access().people().address_hash(address);
        if limits.unwritten_logins.take(email, 1, now).is_ok() {
            return Ok(Counted::OnSuccess);
        }
    }
    charge_stranger(app, site).map(|()| Counted::First)
}

/// Opens a session for a user whose password was verified.
pub(crate) async fn open_session(app: &App, user: &LoginUser) -> Result<Session, Failure> {
    let (token, device_id) = (random_token(), format!("d_{}", random_id().simple()));
    let open = Command::OpenSession(OpenSession {
        user: user.id,
        password_version: user.password_version,
        id: SessionId::new(new_id().as_u128()),
        token_hash: token_hash(token.as_bytes()),
        device: Text::from(device_id.as_str()),
    });
    app.writing().written(app.writing().submit(Actor::System, None, open).await?)?;
    Ok(Session { token, device_id, user_id: Uuid::from_u128(user.id.as_u128()) })
}

pub(super) async fn logout(State(app): State<Arc<App>>, request: Request) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Write)?;
    app.writing().written(app.writing().submit(session.actor(), None, Command::EndSession).await?)?;
    ok(&Message::LOGGED_OUT)
}

pub(super) async fn reset_password(State(app): State<Arc<App>>, request: Request) -> Answered {
    let network = network_of(&request);
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let PasswordReset { token, password, keep_api_keys } = read(&body)?;
    charge_password_work(&app, network)?;
    let token_hash = token_hash(token.as_bytes());
    // An invalid token is refused here, so that it takes no hashing slot and leaves nothing in the journal.
    let Some((person, row)) = find_redeemable(&app, token_hash) else {
        return Err(app.writing().refuse(&Reject::TokenNotFound));
    };
    let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
    let password_hash = app.access().passwords().hash(password).await.map_err(busy)?;
    // Write the row first, then submit the command that names it.
    let known = app.access().people().look_up(person, row).await.map_err(people_failure)?;
    let known = known.ok_or_else(|| people_failure(PeopleError::Missing(person)))?;
    let changed = Person { email: known.email.clone(), password_hash: Some(Zeroizing::new(password_hash)) };
    let NewRow { id: row, expires_at } =
        app.access().people().write(person, changed).await.map_err(people_failure)?;
    let redeem =
        Command::ResetPassword(ResetPassword { token_hash, row, expires_at, keep_keys: keep_api_keys });
    app.writing().written(app.writing().submit(Actor::System, None, redeem).await?)?;
    // Delete the replaced row now if possible; otherwise the sweeper retries.
    let _ = app.access().sweeps().sweep(Some(person)).await;
    ok(&Message::PASSWORD_RESET)
}

/// The person and the row of a reset token that exists, is approved and has not expired, according to this node's current
/// state. The exchange checks again.
fn find_redeemable(app: &App, token_hash: Hash32) -> Option<(UserId, RowId)> {
    let exchange = app.reading().state();
    let (index, reset) = exchange.directory().find_reset(token_hash)?;
    let user = exchange.directory().user(index);
    (reset.is_approved && reset.expires_at() > app.now()).then_some((user.id, user.row?))
}

/// Submits the request by its address, so that the same is written and answered for each. Under the first rules it names an
/// account.
async fn submit_reset_request(app: &App, request: RequestPasswordReset) -> Result<(), Failure> {
    let request = if app.writing().sequencer().writer_status().rules() >= 4 {
        request
    } else {
        let login = request
            .address
            .and_then(|address| app.reading().state().directory().find_login(address).map(|user| user.id));
        let Some(user) = login else { return Ok(()) };
        RequestPasswordReset { user, address: None, ..request }
    };
    let command = Command::RequestPasswordReset(request);
    app.writing().written(app.writing().submit(Actor::System, None, command).await?).map(drop)
}

/// Registers the hash of a token that the person's browser created. The response does not reveal whether the email has an
/// account.
pub(super) async fn request_password_reset(State(app): State<Arc<App>>, request: Request) -> Answered {
    let (network, site) = (network_of(&request), Network::site_of(address_of(&request)));
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let PasswordResetRequest { email, token_hash } = read(&body)?;
    charge_password_work(&app, network)?;
    charge_stranger(&app, site)?;
    let code = random_code();
    let address = app.access().people().address_hash(&Address::normalised(&email));
    let request = RequestPasswordReset {
        user: UserId::new(0),
        token_hash: Hash32::new(token_hash),
        code: Text::from(code.as_str()),
        network: app.access().keyring().hash("password reset, network", &[&site.to_string()]),
        address: Some(address),
    };
    submit_reset_request(&app, request).await?;
    let expires_at = (app.now() + RESET_LIFE).to_api();
    Ok(json(StatusCode::ACCEPTED, &PasswordResetRequested { code, expires_at }))
}
