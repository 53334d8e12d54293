//! Accounts, sessions, keys, passwords, operators, watchlists.

use exchange::command::{Command, Request};
use exchange::id::{EventId, Hash32, KeyId, OperatorId, SessionId, UserId};
use exchange::identity::{Actor, LoginScope, Role};
use exchange::index::UserIndex;
use exchange::text::Text;
use exchange::time::Span;

use super::opening::system_request;
use super::{Generator, View};

/// People a run may have.
const USERS_MAX: usize = 9;

impl Generator {
    pub(super) fn people(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let record = view.exchange.directory().user(user);
        if record.disabled && self.random.chance(60) {
            return self.by_operator(view, Command::SuspendUser { user: record.id, suspended: false });
        }
        if record.keys.is_empty() && self.random.chance(60) {
            return self.manage_keys(view, user, 0);
        }
        match self.random.below(24) {
            0 => self.create_user(view),
            1 => self.by_operator(view, Command::SuspendUser { user: record.id, suspended: true }),
            2..=3 => self.start_login(&record.email),
            4..=6 => self.open_session(view, user),
            7 => self.by_session(view, user, Command::EndSession),
            8..=9 => self.password(view, user),
            10..=11 => self.manage_keys(view, user, 0),
            12 => self.manage_keys(view, user, 1),
            13 => self.manage_keys(view, user, 2),
            14 => match self.random.chance(50) {
                true => self.operators(view),
                false => self.console(view),
            },
            _ => {
                let events: Vec<_> = view.exchange.catalogue().events().map(|(_, event)| event.id).collect();
                let event = self.random.pick(&events).unwrap_or(EventId::new(5));
                let watched = self.random.chance(50);
                self.by_user(view, user, Command::SetWatchlist { event, watched })
            }
        }
    }

    /// Few emails, networks and devices, so that limits are reached.
    fn start_login(&mut self, email: &str) -> Request {
        let place = self.random.below(3);
        let here = Hash32::of(&format!("{email} at {place}"));
        let scope = match self.random.below(3) {
            0 => LoginScope::Api { email: Hash32::of(email) },
            1 => LoginScope::Page { email: Hash32::of(email), email_on_network: here },
            _ => LoginScope::Device { email_on_device: here },
        };
        system_request(Command::StartLogin { scope })
    }

    fn create_user(&mut self, view: View<'_>) -> Request {
        let count = view.exchange.directory().users().len();
        let number = if count < USERS_MAX { count as u128 } else { 1 };
        let tag = if self.random.chance(90) { format!("user{number}") } else { "No!".to_owned() };
        let create = Command::CreateUser {
            id: UserId::new(number),
            email: Text::from(format!("user{number}@example.com")),
            tag: Text::from(tag),
            password_hash: self.random.chance(80).then(|| Text::from("argon2")),
        };
        self.by_operator(view, create)
    }

    fn open_session(&mut self, view: View<'_>, user: UserIndex) -> Request {
        let record = view.exchange.directory().user(user);
        let stale = u32::from(self.random.chance(10));
        let id = SessionId::new(self.fresh_id());
        system_request(Command::OpenSession {
            user: record.id,
            password_version: record.password_version + stale,
            id,
            token_hash: Hash32::of(&id.to_string()),
            device: Text::from("device"),
        })
    }

    fn by_session(&mut self, view: View<'_>, user: UserIndex, command: Command) -> Request {
        let sessions = &view.exchange.directory().user(user).sessions;
        let ids: Vec<_> = sessions.iter().map(|session| session.id).collect();
        match self.random.pick(&ids) {
            Some(session) => Request { actor: Actor::Session { session }, idempotency: None, command },
            None => self.open_session(view, user),
        }
    }

    /// Reset tokens are made of the user's number, so that one can be redeemed later, once.
    fn password(&mut self, view: View<'_>, user: UserIndex) -> Request {
        let record = view.exchange.directory().user(user);
        let token_hash = Hash32::of(&format!("reset {}", record.id));
        match self.random.chance(60) {
            true => {
                let expires_at = view.now + Span::minutes(self.random.between(-1, 90));
                self.by_operator(
                    view,
                    Command::IssuePasswordReset { user: record.id, token_hash, expires_at },
                )
            }
            false => system_request(Command::ResetPassword {
                token_hash,
                password_hash: Text::from("argon2 again"),
                keep_keys: self.random.chance(50),
            }),
        }
    }

    fn manage_keys(&mut self, view: View<'_>, user: UserIndex, what: usize) -> Request {
        let keys: Vec<_> = view.exchange.directory().user(user).keys.iter().map(|key| key.id).collect();
        let key = self.random.pick(&keys).unwrap_or(KeyId::new(3));
        let command = match what {
            0 => {
                let id = KeyId::new(self.fresh_id());
                let name = Text::from(self.random.one_of(["first", "second", "third"]));
                Command::CreateApiKey { id, name, public_key: Text::from(format!("pk_{id}")) }
            }
            1 => Command::RevokeApiKey { key },
            _ => Command::RotateApiKey { key },
        };
        self.by_session(view, user, command)
    }

    fn operators(&mut self, view: View<'_>) -> Request {
        let operators: Vec<_> = view.exchange.directory().operators().map(|operator| operator.id).collect();
        let command = match self.random.chance(50) && operators.len() > 2 {
            true => Command::RevokeOperator {
                operator: self.random.pick(&operators).unwrap_or(OperatorId::new(1)),
            },
            false => {
                let id = OperatorId::new(1 + self.random.below(5) as u128);
                let role = self.random.one_of([Role::Viewer, Role::Operator, Role::Approver]);
                Command::CreateOperator {
                    id,
                    name: Text::from("more"),
                    role,
                    token_hash: Hash32::of(&id.to_string()),
                }
            }
        };
        self.by_operator(view, command)
    }

    /// Operators log in on the console and out again, now and then by another operator's session.
    fn console(&mut self, view: View<'_>) -> Request {
        let operators: Vec<_> = view.exchange.directory().operators().collect();
        let ids: Vec<_> = operators.iter().map(|operator| operator.id).collect();
        let sessions = operators.iter().flat_map(|operator| &operator.sessions);
        let open: Vec<_> = sessions.map(|session| session.token_hash).collect();
        let ended = if self.random.chance(40) { self.random.pick(&open) } else { None };
        let command = match ended {
            Some(token_hash) => Command::EndOperatorSession { token_hash },
            None => Command::OpenOperatorSession { token_hash: Hash32::of(&self.fresh_id().to_string()) },
        };
        let operator = self.random.pick(&ids).unwrap_or(OperatorId::new(1));
        Request { actor: Actor::Operator { operator }, idempotency: None, command }
    }
}
