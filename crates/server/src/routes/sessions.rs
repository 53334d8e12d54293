//! Logging in and out, and setting a new password with a token that an operator approved.

use std::net::IpAddr;
use std::sync::Arc;

use api::error::ErrorBody;
use api::request::{Login, PasswordReset, PasswordResetRequest};
use api::response::{Message, PasswordResetRequested, Session};
use exchange::command::{Command, OpenSession, RequestPasswordReset, ResetPassword, StartLogin};
use exchange::id::{Hash32, RowId, SessionId, UserId};
use exchange::identity::{Actor, LoginScope, RESET_LIFE};
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::Time;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::access::{Access, people_failure};
use crate::edge::meter::Meter;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::http::access_log::log_login;
use crate::identifiers::{new_id, random_id};
use crate::limits::Network;
use crate::people::{Address, NewRow, PeopleError, Person};
use crate::reading::Reading;
use crate::secrets::{random_code, random_token, token_hash};
use crate::view::words::ToApi;
use crate::writing::Writing;

/// A user whose password was verified. Nothing of it can change before the session is opened: another password refuses that.
#[derive(Debug)]
pub(crate) struct LoginUser {
    pub(crate) id: UserId,
    pub(crate) address: Address,
    pub(crate) tag: Text,
    pub(crate) created_at: Time,
    password_version: u32,
}

/// When the journal gets a login attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// Before the password is verified, so that it counts in any case.
    First,
    /// With the right password alone: its site has left enough failures in the journal.
    OnSuccess,
}

fn busy() -> Failure {
    ErrorBody::rate_limit("Too many logins at once", 1).into()
}

/// Logins and password resets.
#[derive(Clone)]
pub(crate) struct SessionEndpoints {
    pub(crate) reading: Arc<Reading>,
    pub(crate) writing: Arc<Writing>,
    pub(crate) access: Arc<Access>,
}

impl SessionEndpoints {
    pub(super) fn login(&self, call: &Call<'_>, login: Login) -> Result<Next<Session>, Failure> {
        let (this, meter, from) = (self.clone(), call.meter.clone(), (call.address, call.now));
        Ok(Next::later(async move {
            let people = this.access.people();
            let scope = |address: &Address| LoginScope::Api { address: people.address_hash(address) };
            let user = this.check_login(&meter, from, login, scope).await?;
            this.open_session(&user).await
        }))
    }

    pub(super) fn logout(&self, call: &Call<'_>) -> Result<Next<Message>, Failure> {
        let show = |_| Ok(Message::LOGGED_OUT);
        Ok(Next::Submit(call.session().actor(), Command::EndSession, Box::new(show)))
    }

    pub(super) fn reset_password(
        &self,
        call: &Call<'_>,
        reset: PasswordReset,
    ) -> Result<Next<Message>, Failure> {
        call.meter.charge_password_work()?;
        let (this, now) = (self.clone(), call.now);
        Ok(Next::later(async move { this.reset(reset, now).await.map(|()| Message::PASSWORD_RESET) }))
    }

    /// Registers the hash of a token that the person's browser created. The response does not reveal whether the email
    /// has an account.
    pub(super) fn request_password_reset(
        &self,
        call: &Call<'_>,
        PasswordResetRequest { email, token_hash }: PasswordResetRequest,
    ) -> Result<Next<PasswordResetRequested>, Failure> {
        let site = Network::site_of(call.address);
        call.meter.charge_password_work()?;
        call.meter.charge_stranger(site)?;
        let code = random_code();
        let request = RequestPasswordReset {
            user: UserId::new(0),
            token_hash: Hash32::new(token_hash),
            code: Text::from(code.as_str()),
            network: self.access.keyring().hash("password reset, network", &[&site.to_string()]),
            address: Some(self.access.people().address_hash(&Address::normalised(&email))),
        };
        let expires_at = (call.now + RESET_LIFE).to_api();
        let answer = PasswordResetRequested { code, expires_at };
        Ok(match self.reset_request(request) {
            Some(request) => {
                let show = move |_| Ok(answer);
                Next::Submit(Actor::System, Command::RequestPasswordReset(request), Box::new(show))
            }
            None => answer.into(),
        })
    }

    /// The request by its address, so that the same is written and answered for each. Under the first rules it names an
    /// account, if there is one.
    fn reset_request(&self, request: RequestPasswordReset) -> Option<RequestPasswordReset> {
        if self.writing.sequencer().writer_status().rules() >= 4 {
            return Some(request);
        }
        let exchange = self.reading.state();
        let user = exchange.directory().find_login(request.address?)?.id;
        Some(RequestPasswordReset { user, address: None, ..request })
    }

    /// Verifies an email and a password of a request from an address at a time. `scope` returns what an attempt with an address is counted under.
    pub(crate) async fn check_login(
        &self,
        meter: &Meter,
        (from, now): (IpAddr, Time),
        login: Login,
        scope: impl FnOnce(&Address) -> LoginScope,
    ) -> Result<LoginUser, Failure> {
        let mut known = None;
        let result = self.try_login(meter, (from, now), login, scope, &mut known).await;
        log_login(from, known, &result);
        result
    }

    /// `known` is set to the user with the request's email, if there is one.
    async fn try_login(
        &self,
        meter: &Meter,
        (from, now): (IpAddr, Time),
        Login { email, password }: Login,
        scope: impl FnOnce(&Address) -> LoginScope,
        known: &mut Option<UserId>,
    ) -> Result<LoginUser, Failure> {
        let (address, site) = (Address::normalised(&email), Network::site_of(from));
        let scope = scope(&address);
        let email = self.access.people().address_hash(&address);
        // A browser from which the email has logged in before pays neither for its network nor for its site.
        let is_known = matches!(scope, LoginScope::Device { .. }) && meter.charge_known_browser(email);
        if !is_known {
            meter.charge_password_work()?;
        }
        // Reserve a hashing slot before counting the attempt: a caller refused because of others has not used one up.
        let permit = self.access.passwords().reserve().map_err(|_| busy())?;
        let counted =
            if is_known { Counted::First } else { self.charge_login(meter, site, (email, scope), now)? };
        if counted == Counted::First {
            self.count_attempt(scope).await?;
        }
        let (expected, user) = self.find_login(address).await?;
        *known = user.as_ref().map(|user| user.id);
        let is_right =
            self.access.passwords().verify(permit, password, expected).await.map_err(|_| busy())?;
        let Some(user) = user.filter(|_| is_right) else {
            let seconds = meter.unix_seconds();
            return Err(
                ErrorBody::unauthorized("Wrong email or password", "wrong_credentials", seconds).into()
            );
        };
        match counted {
            Counted::OnSuccess => self.count_attempt(scope).await?,
            Counted::First if !is_known => meter.return_stranger(site),
            Counted::First => {}
        }
        Ok(user)
    }

    async fn count_attempt(&self, scope: LoginScope) -> Result<(), Failure> {
        let start = Command::StartLogin(StartLogin { scope });
        self.writing.reply(self.writing.submit(Actor::System, None, start).await?).map(drop)
    }

    /// Charges a login as a stranger's. Where a site has used up what its strangers may write, the email has an attempt on
    /// this node that only the right password writes: other people's failures must not lock out everybody at their
    /// address. An unknown email is treated alike, so that the response does not reveal whether it has an account.
    fn charge_login(
        &self,
        meter: &Meter,
        site: Network,
        (email, scope): (Hash32, LoginScope),
        now: Time,
    ) -> Result<Counted, Failure> {
        if !meter.has_strangers_left(site) {
            let exchange = self.reading.state();
            let limited = exchange.directory().login_limit().check(scope, now);
            limited.map_err(|retry_at| self.writing.refuse(&Reject::LimitReached { retry_at }))?;
            if meter.charge_unwritten_login(email) {
                return Ok(Counted::OnSuccess);
            }
        }
        meter.charge_stranger(site).map(|()| Counted::First)
    }

    /// The user with this address, if any, and the hash of their password. The people store is queried in either case,
    /// so that the response time does not reveal whether the address has an account.
    async fn find_login(&self, address: Address) -> Result<(Option<String>, Option<LoginUser>), Failure> {
        let people = self.access.people();
        let hash = people.address_hash(&address);
        let found = {
            let exchange = self.reading.state();
            exchange.directory().find_login(hash).map(|found| {
                let (id, tag, created_at) = (found.id, found.tag.clone(), found.created_at);
                let password_version = found.password_version;
                (LoginUser { id, address, tag, created_at, password_version }, found.row)
            })
        };
        let nobody = (UserId::new(0), RowId::new(random_id().as_u128()));
        let (person, row) = found.as_ref().map_or(nobody, |(user, row)| (user.id, row.unwrap_or(nobody.1)));
        let known = people.look_up(person, row).await.map_err(people_failure)?;
        let expected = known.and_then(|known| known.password_hash.as_deref().cloned());
        Ok((expected, found.map(|(user, _)| user)))
    }

    /// Opens a session for a user whose password was verified.
    pub(crate) async fn open_session(&self, user: &LoginUser) -> Result<Session, Failure> {
        let (token, device_id) = (random_token(), format!("d_{}", random_id().simple()));
        let open = Command::OpenSession(OpenSession {
            user: user.id,
            password_version: user.password_version,
            id: SessionId::new(new_id().as_u128()),
            token_hash: token_hash(token.as_bytes()),
            device: Text::from(device_id.as_str()),
        });
        self.writing.written(self.writing.submit(Actor::System, None, open).await?)?;
        Ok(Session { token, device_id, user_id: Uuid::from_u128(user.id.as_u128()) })
    }

    async fn reset(&self, reset: PasswordReset, now: Time) -> Result<(), Failure> {
        let PasswordReset { token, password, keep_api_keys } = reset;
        let token_hash = token_hash(token.as_bytes());
        // An invalid token is refused here, so that it takes no hashing slot and leaves nothing in the journal.
        let Some((person, row)) = self.find_redeemable(token_hash, now) else {
            return Err(self.writing.refuse(&Reject::TokenNotFound));
        };
        let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
        let password_hash = self.access.passwords().hash(password).await.map_err(busy)?;
        // Write the row first, then submit the command that names it.
        let people = self.access.people();
        let known = people.look_up(person, row).await.map_err(people_failure)?;
        let known = known.ok_or_else(|| people_failure(PeopleError::Missing(person)))?;
        let changed =
            Person { email: known.email.clone(), password_hash: Some(Zeroizing::new(password_hash)) };
        let NewRow { id: row, expires_at } = people.write(person, changed).await.map_err(people_failure)?;
        let redeem =
            Command::ResetPassword(ResetPassword { token_hash, row, expires_at, keep_keys: keep_api_keys });
        self.writing.written(self.writing.submit(Actor::System, None, redeem).await?)?;
        // Delete the replaced row now if possible; otherwise the sweeper retries.
        let _ = self.access.sweeps().sweep(Some(person)).await;
        Ok(())
    }

    /// The person and the row of a reset token that exists, is approved and has not expired, according to this node's
    /// current state. The exchange checks again.
    fn find_redeemable(&self, token_hash: Hash32, now: Time) -> Option<(UserId, RowId)> {
        let exchange = self.reading.state();
        let (index, reset) = exchange.directory().find_reset(token_hash)?;
        let user = exchange.directory().user(index);
        (reset.is_approved && reset.expires_at() > now).then_some((user.id, user.row?))
    }
}
