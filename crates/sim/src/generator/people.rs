//! People: new accounts, sessions, keys, watchlists, and operators' console sessions.

use exchange::command::{
    Command, CreateApiKey, CreateUser, EndOperatorSession, OpenOperatorSession, OpenSession, Request,
    RevokeApiKey, RotateApiKey, SetWatchlist, StartLogin,
};
use exchange::id::{EventId, Hash32, KeyId, OperatorId, RowId, SessionId, UserId};
use exchange::identity::{Actor, LoginScope};
use exchange::index::UserIndex;
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::opening::system_request;
use super::{Generator, View};

/// Users per run.
const USERS_MAX: usize = 9;

impl Generator {
    pub(super) fn people(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let record = view.exchange.directory().user(user);
        if record.erased && self.random.chance(60) {
            return self.create_user(view);
        }
        if !record.is_active() && self.random.chance(60) {
            return self.readmit(view, record);
        }
        if record.keys.iter().any(|key| key.needs_rotation) && self.random.chance(60) {
            return self.manage_keys(view, user, 2);
        }
        if record.keys.is_empty() && self.random.chance(60) {
            return self.manage_keys(view, user, 0);
        }
        match self.random.below(24) {
            0 => self.create_user(view),
            1..=3 => self.start_login(&record.tag),
            4..=6 => self.open_session(view, user),
            7 => self.by_session(view, user, Command::EndSession),
            8 => self.redeem(view, user),
            9..=11 => self.manage_keys(view, user, 0),
            12 => self.manage_keys(view, user, 1),
            13 => self.manage_keys(view, user, 2),
            14 => self.console(view),
            _ => {
                let events: Vec<_> = view.exchange.catalogue().events().map(|(_, event)| event.id).collect();
                let event = self.random.pick(&events).unwrap_or(EventId::new(5));
                let watched = self.random.chance(50);
                self.by_user(
                    view,
                    user,
                    Command::SetWatchlist(SetWatchlist { event, watched, is_retired: false }),
                )
            }
        }
    }

    /// Few addresses, networks and devices, so that limits are reached.
    fn start_login(&mut self, name: &str) -> Request {
        let place = self.random.below(3);
        let here = Hash32::of(&format!("{name} at {place}"));
        let scope = match self.random.below(3) {
            0 => LoginScope::Api { address: Hash32::of(name) },
            1 => LoginScope::Page { address: Hash32::of(name), address_on_network: here },
            _ => LoginScope::Device { address_on_device: here },
        };
        system_request(Command::StartLogin(StartLogin { scope }))
    }

    fn create_user(&mut self, view: View<'_>) -> Request {
        let directory = view.exchange.directory();
        let count = directory.users().len();
        let has_room = count < USERS_MAX + directory.erased().len();
        let number = if has_room { count as u128 } else { 1 };
        let tag = if self.random.chance(90) { format!("user{number}") } else { "No!".to_owned() };
        // Sometimes with the address of an erased user, which is free again.
        let erased: Vec<_> =
            directory.erased().iter().map(|index| directory.user(*index).id.as_u128()).collect();
        let of = self.random.pick(&erased).filter(|_| self.random.chance(50)).unwrap_or(number);
        let create = Command::CreateUser(CreateUser {
            id: UserId::new(number),
            address: Hash32::of(&format!("user{of}@example.com")),
            tag: Text::from(tag),
            row: RowId::new(self.fresh_id()),
            expires_at: self.row_expiry(view),
        });
        self.by_operator(view, create)
    }

    /// Mostly in the future, sometimes at this instant, which is too late.
    pub(super) fn row_expiry(&mut self, view: View<'_>) -> Time {
        let left = if self.random.chance(5) { 0 } else { self.random.between(1, 300) };
        view.now + Span::seconds(left)
    }

    fn open_session(&mut self, view: View<'_>, user: UserIndex) -> Request {
        let record = view.exchange.directory().user(user);
        let stale = u32::from(self.random.chance(10));
        let id = SessionId::new(self.fresh_id());
        system_request(Command::OpenSession(OpenSession {
            user: record.id,
            password_version: record.password_version + stale,
            id,
            token_hash: Hash32::of(&id.to_string()),
            device: Text::from("device"),
        }))
    }

    fn by_session(&mut self, view: View<'_>, user: UserIndex, command: Command) -> Request {
        let sessions = &view.exchange.directory().user(user).sessions;
        let ids: Vec<_> = sessions.iter().map(|session| session.id).collect();
        match self.random.pick(&ids) {
            Some(session) => Request { actor: Actor::Session { session }, idempotency: None, command },
            None => self.open_session(view, user),
        }
    }

    fn manage_keys(&mut self, view: View<'_>, user: UserIndex, what: usize) -> Request {
        let keys: Vec<_> = view.exchange.directory().user(user).keys.iter().map(|key| key.id).collect();
        let key = self.random.pick(&keys).unwrap_or(KeyId::new(3));
        let command = match what {
            0 => {
                let id = KeyId::new(self.fresh_id());
                let name = Text::from(self.random.one_of(["first", "second", "third"]));
                Command::CreateApiKey(CreateApiKey { id, name, public_key: Text::from(format!("pk_{id}")) })
            }
            1 => Command::RevokeApiKey(RevokeApiKey { key }),
            _ => Command::RotateApiKey(RotateApiKey { key }),
        };
        self.by_session(view, user, command)
    }

    /// Operators log in to the console and out again, sometimes with another operator's session.
    pub(super) fn console(&mut self, view: View<'_>) -> Request {
        let operators: Vec<_> = view.exchange.directory().operators().collect();
        let ids: Vec<_> = operators.iter().map(|operator| operator.id).collect();
        let sessions = operators.iter().flat_map(|operator| &operator.sessions);
        let open: Vec<_> = sessions.map(|session| session.token_hash).collect();
        let ended = if self.random.chance(40) { self.random.pick(&open) } else { None };
        let command = match ended {
            Some(token_hash) => Command::EndOperatorSession(EndOperatorSession { token_hash }),
            None => Command::OpenOperatorSession(OpenOperatorSession {
                token_hash: Hash32::of(&self.fresh_id().to_string()),
            }),
        };
        let operator = self.random.pick(&ids).unwrap_or(OperatorId::new(1));
        Request { actor: Actor::Operator { operator }, idempotency: None, command }
    }
}
