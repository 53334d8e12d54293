//! Lookup of people by id, address, tag, session token, key and reset token; and the next expiry of a session or token.
//!
//! Keys, sessions and reset tokens are added and removed only here, so that no map keeps a stale entry.

use core::hash::Hash;
use core::ops::Bound;
use std::collections::{BTreeMap, BTreeSet};

use super::{ApiKey, LoginLimit, Operator, OperatorSession, PasswordReset, Session, User};
use crate::hashing::{Lookup, hash_of};
use crate::id::{Hash32, KeyId, OperatorId, RowId, SessionId, UserId};
use crate::index::UserIndex;
use crate::pages::Pages;
use crate::sparse::Sparse;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug, Default)]
pub struct Directory {
    pub(crate) users: Pages<User>,
    pub(crate) operators: BTreeMap<OperatorId, Operator>,
    pub(crate) login_limit: LoginLimit,
    /// The fingerprint of the master key that API secrets are derived from.
    pub(crate) master_key: Option<Hash32>,
    by_id: Lookup,
    by_address: Lookup,
    /// By the lowercase form.
    by_tag: Lookup,
    by_key: Lookup,
    by_public_key: Lookup,
    by_session: Lookup,
    by_token: Lookup,
    by_reset: Lookup,
    /// When sessions expire. Sessions of one user that expire at the same time share an entry.
    session_ends: BTreeSet<(Time, UserIndex)>,
    reset_ends: BTreeSet<(Time, Hash32)>,
    /// The earliest expiry of a user session, an operator session or a reset token.
    next_end: Option<Time>,
    /// Erased users, in the order in which this process erased or loaded them.
    erased: Vec<UserIndex>,
    /// Not state: the versions of `DirectoryVersions`.
    versions: DirectoryVersions,
}

/// Numbers that rise with each change of something that a list reads in several parts: the list begins again if its
/// number has changed meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectoryVersions {
    /// Users suspended, resumed or erased. New users do not count: they have the highest indexes.
    pub suspensions: u64,
    /// Password resets requested, approved, used or expired.
    pub resets: u64,
}

impl Directory {
    /// The recent login attempts.
    pub fn login_limit(&self) -> &LoginLimit {
        &self.login_limit
    }

    #[inline]
    pub fn user(&self, index: UserIndex) -> &User {
        &self.users[index.slot()]
    }

    #[inline]
    pub(crate) fn user_mut(&mut self, index: UserIndex) -> &mut User {
        &mut self.users[index.slot()]
    }

    pub fn versions(&self) -> DirectoryVersions {
        self.versions
    }

    /// Users from an index on.
    pub fn users_from(&self, first: UserIndex) -> impl Iterator<Item = (UserIndex, &User)> {
        let indexes = (first.slot()..self.users.len()).map(UserIndex::from_slot);
        indexes.map(|index| (index, self.user(index)))
    }

    pub fn users(&self) -> impl ExactSizeIterator<Item = (UserIndex, &User)> {
        self.users.iter().enumerate().map(|(slot, user)| (UserIndex::from_slot(slot), user))
    }

    /// The fingerprint of the master key, as recorded in the journal.
    pub fn master_key(&self) -> Option<Hash32> {
        self.master_key
    }

    pub fn operators(&self) -> impl ExactSizeIterator<Item = &Operator> {
        self.operators.values()
    }

    /// Finds a user in a table by a hashed key; `has_it` compares the key itself.
    #[inline]
    fn find_in(&self, table: &Lookup, key: &impl Hash, has_it: impl Fn(&User) -> bool) -> Option<UserIndex> {
        table.find(hash_of(key), |user| has_it(&self.users[user as usize])).map(UserIndex)
    }

    pub fn find(&self, id: UserId) -> Option<UserIndex> {
        self.find_in(&self.by_id, &id, |user| user.id == id)
    }

    /// Finds a user by the keyed hash of the address.
    pub fn find_by_address(&self, address: Hash32) -> Option<UserIndex> {
        self.find_in(&self.by_address, &address, |user| user.address == Some(address))
    }

    /// Finds a user who may log in, by the keyed hash of the address. The house has no address; suspended and frozen
    /// users may not log in.
    pub fn find_login(&self, address: Hash32) -> Option<&User> {
        self.find_by_address(address).map(|index| self.user(index)).filter(|user| user.is_active())
    }

    /// Erased users. New ones are appended while the process runs; after a restart they are in creation order.
    pub fn erased(&self) -> &[UserIndex] {
        &self.erased
    }

    /// Whether a person's account refers to this row of the people store.
    pub fn names_row(&self, person: UserId, row: RowId) -> bool {
        self.find(person).is_some_and(|index| self.user(index).row == Some(row))
    }

    /// Finds an operator's console session by the hash of its token. There are few operators, so this scans all.
    pub fn find_operator_session(&self, token_hash: Hash32) -> Option<(&Operator, &OperatorSession)> {
        self.operators.values().find_map(|operator| {
            let mut sessions = operator.sessions.iter();
            Some((operator, sessions.find(|session| session.token_hash == token_hash)?))
        })
    }

    /// Tags are case-insensitive.
    pub fn find_by_tag(&self, tag: &str) -> Option<UserIndex> {
        let tag = tag.to_lowercase();
        self.find_in(&self.by_tag, &tag, |user| user.tag.to_lowercase() == tag)
    }

    pub fn find_by_key(&self, key: KeyId) -> Option<UserIndex> {
        self.find_key(key).map(|(index, ..)| index)
    }

    /// Finds an API key and its owner.
    #[inline]
    pub(crate) fn find_key(&self, id: KeyId) -> Option<(UserIndex, &User, &ApiKey)> {
        let mut found = None;
        self.by_key.find(hash_of(&id), |index| {
            let user = &self.users[index as usize];
            found = user.key(id).map(|key| (UserIndex(index), user, key));
            found.is_some()
        });
        found
    }

    pub fn find_by_public_key(&self, public_key: &Text) -> Option<(UserIndex, &ApiKey)> {
        let is_it = |key: &&ApiKey| key.public_key == *public_key;
        let index =
            self.find_in(&self.by_public_key, public_key, |user| user.keys.iter().any(|key| is_it(&key)))?;
        Some((index, self.user(index).keys.iter().find(is_it)?))
    }

    pub fn find_by_session(&self, session: SessionId) -> Option<UserIndex> {
        self.find_in(&self.by_session, &session, |user| user.session(session).is_some())
    }

    /// Finds a session by the hash of its token.
    pub fn find_by_token(&self, token_hash: Hash32) -> Option<(UserIndex, &Session)> {
        let is_it = |session: &&Session| session.token_hash == token_hash;
        let index = self.find_in(&self.by_token, &token_hash, |user| {
            user.sessions.iter().any(|session| is_it(&session))
        })?;
        Some((index, self.user(index).sessions.iter().find(is_it)?))
    }

    /// Finds a password reset by the hash of its token.
    pub fn find_reset(&self, token_hash: Hash32) -> Option<(UserIndex, &PasswordReset)> {
        let is_it = |reset: &&PasswordReset| reset.token_hash == token_hash;
        let has_it = |user: &User| user.password_resets.iter().any(|reset| is_it(&reset));
        let index = self.find_in(&self.by_reset, &token_hash, has_it)?;
        Some((index, self.user(index).password_resets.iter().find(is_it)?))
    }

    /// Adds a user with all its data: a new user has none, a restored one may have all.
    pub(crate) fn add_user(&mut self, mut user: User) -> UserIndex {
        let index = UserIndex::from_slot(self.users.len());
        self.by_id.insert(hash_of(&user.id), index.0);
        if let Some(address) = user.address {
            self.by_address.insert(hash_of(&address), index.0);
        }
        if user.erased {
            self.erased.push(index);
        }
        self.by_tag.insert(hash_of(&user.tag.to_lowercase()), index.0);
        let keys = core::mem::take(&mut user.keys);
        let sessions = core::mem::take(&mut user.sessions);
        let resets = core::mem::take(&mut user.password_resets);
        self.users.push(user);
        for key in keys {
            self.add_key(index, key);
        }
        for session in sessions {
            self.add_session(index, session);
        }
        for reset in resets.iter().cloned() {
            self.add_reset(index, reset);
        }
        index
    }

    /// Erases everything about a user except id, tag and creation time. Sessions, resets and keys were removed before.
    pub(crate) fn erase(&mut self, index: UserIndex) {
        self.versions.suspensions += 1;
        let user = self.user_mut(index);
        let address = user.address.take();
        user.row = None;
        user.erased = true;
        user.disabled = false;
        user.watchlist = Sparse::empty();
        user.connections = Sparse::empty();
        if let Some(address) = address {
            self.by_address.remove(hash_of(&address), index.0);
        }
        self.erased.push(index);
    }

    pub(crate) fn set_suspended(&mut self, index: UserIndex, suspended: bool) {
        self.user_mut(index).disabled = suspended;
        self.versions.suspensions += 1;
    }

    pub(crate) fn add_key(&mut self, user: UserIndex, key: ApiKey) {
        self.by_key.insert(hash_of(&key.id), user.0);
        self.by_public_key.insert(hash_of(&key.public_key), user.0);
        push(&mut self.user_mut(user).keys, key);
    }

    pub(crate) fn remove_key(&mut self, user: UserIndex, id: KeyId) {
        if let Some(place) = self.user(user).keys.iter().position(|key| key.id == id) {
            let key = remove(&mut self.user_mut(user).keys, place);
            self.by_key.remove(hash_of(&id), user.0);
            self.by_public_key.remove(hash_of(&key.public_key), user.0);
        }
    }

    pub(crate) fn remove_all_keys(&mut self, user: UserIndex) {
        while let Some(key) = self.user(user).keys.last().map(|key| key.id) {
            self.remove_key(user, key);
        }
    }

    pub(crate) fn add_session(&mut self, user: UserIndex, session: Session) {
        self.by_session.insert(hash_of(&session.id), user.0);
        self.by_token.insert(hash_of(&session.token_hash), user.0);
        let end = session.expires_at();
        self.session_ends.insert((end, user));
        push(&mut self.user_mut(user).sessions, session);
        self.note_end(end);
    }

    pub(crate) fn remove_session(&mut self, user: UserIndex, id: SessionId) {
        self.take_session(user, id);
        self.refresh_next_end();
    }

    /// Removes a session; the caller refreshes the next end, once for all that it removes.
    fn take_session(&mut self, user: UserIndex, id: SessionId) {
        if let Some(place) = self.user(user).sessions.iter().position(|session| session.id == id) {
            let session = remove(&mut self.user_mut(user).sessions, place);
            self.by_session.remove(hash_of(&id), user.0);
            self.by_token.remove(hash_of(&session.token_hash), user.0);
            let end = session.expires_at();
            if self.user(user).sessions.iter().all(|other| other.expires_at() != end) {
                self.session_ends.remove(&(end, user));
            }
        }
    }

    pub(crate) fn remove_all_sessions(&mut self, user: UserIndex) {
        while let Some(session) = self.user(user).sessions.last().map(|session| session.id) {
            self.take_session(user, session);
        }
        self.refresh_next_end();
    }

    pub(crate) fn add_operator(&mut self, operator: Operator) {
        self.operators.insert(operator.id, operator);
        self.refresh_next_end();
    }

    pub(crate) fn add_operator_session(&mut self, operator: OperatorId, session: OperatorSession) {
        if let Some(operator) = self.operators.get_mut(&operator) {
            operator.sessions.push(session);
            self.refresh_next_end();
        }
    }

    /// Ends the sessions of an operator for which the predicate is false.
    pub(crate) fn keep_operator_sessions(
        &mut self,
        operator: OperatorId,
        is_kept: impl FnMut(&OperatorSession) -> bool,
    ) {
        if let Some(operator) = self.operators.get_mut(&operator) {
            operator.sessions.retain(is_kept);
            self.refresh_next_end();
        }
    }

    /// Password resets in the order of their expiry, after the reset with this expiry and token.
    pub fn resets_after(
        &self,
        last: Option<(Time, Hash32)>,
    ) -> impl Iterator<Item = (UserIndex, &PasswordReset)> {
        let from = last.map_or(Bound::Unbounded, Bound::Excluded);
        let ends = self.reset_ends.range((from, Bound::Unbounded));
        ends.filter_map(|(_, token_hash)| self.find_reset(*token_hash))
    }

    pub(crate) fn approve_reset(&mut self, user: UserIndex, token_hash: Hash32) {
        let mut resets = self.user_mut(user).password_resets.iter_mut();
        if let Some(reset) = resets.find(|reset| reset.token_hash == token_hash) {
            reset.is_approved = true;
        }
        self.versions.resets += 1;
    }

    pub(crate) fn add_reset(&mut self, user: UserIndex, reset: PasswordReset) {
        self.versions.resets += 1;
        self.by_reset.insert(hash_of(&reset.token_hash), user.0);
        let end = reset.expires_at();
        self.reset_ends.insert((end, reset.token_hash));
        self.user_mut(user).password_resets.push(reset);
        self.note_end(end);
    }

    /// Ends the password resets of a user for which `is_kept` is false.
    pub(crate) fn keep_resets(&mut self, user: UserIndex, is_kept: impl Fn(&PasswordReset) -> bool) {
        self.drop_resets(user, is_kept);
        self.refresh_next_end();
    }

    /// Like `keep_resets`; the caller refreshes the next end, once for all that it removes.
    fn drop_resets(&mut self, user: UserIndex, is_kept: impl Fn(&PasswordReset) -> bool) {
        self.versions.resets += 1;
        let resets = core::mem::take(&mut self.user_mut(user).password_resets);
        let (kept, ended): (Vec<_>, Vec<_>) = resets.iter().cloned().partition(is_kept);
        for reset in ended {
            self.by_reset.remove(hash_of(&reset.token_hash), user.0);
            self.reset_ends.remove(&(reset.expires_at(), reset.token_hash));
        }
        self.user_mut(user).password_resets = kept.into();
    }

    /// Notes the expiry of something new. Removals walk the operators instead.
    fn note_end(&mut self, end: Time) {
        self.next_end = Some(self.next_end.map_or(end, |next| next.min(end)));
    }

    fn refresh_next_end(&mut self) {
        let session = self.session_ends.first().map(|(end, _)| *end);
        let reset = self.reset_ends.first().map(|(end, _)| *end);
        let oldest = self.operators.values().filter_map(|operator| operator.sessions.first());
        let operator = oldest.map(OperatorSession::expires_at).min();
        self.next_end = [session, reset, operator].into_iter().flatten().min();
    }

    /// The next expiry of a session or reset token.
    pub(crate) fn next_ageing(&self) -> Option<Time> {
        self.next_end
    }

    /// Removes expired sessions and reset tokens.
    pub(crate) fn forget_until(&mut self, now: Time) {
        while let Some((end, user)) = self.session_ends.first().copied().filter(|(end, _)| *end <= now) {
            let mut sessions = self.user(user).sessions.iter();
            let Some(id) = sessions.find(|session| session.expires_at() == end).map(|session| session.id)
            else {
                break;
            };
            self.take_session(user, id);
        }
        while let Some((_, token_hash)) = self.reset_ends.first().copied().filter(|(end, _)| *end <= now) {
            let Some((user, _)) = self.find_reset(token_hash) else { break };
            self.drop_resets(user, |reset| reset.token_hash != token_hash);
        }
        for operator in self.operators.values_mut() {
            operator.sessions.retain(|session| session.expires_at() > now);
        }
        self.refresh_next_end();
    }
}

#[cfg(test)]
impl Directory {
    /// A planted bug: nothing expires any more.
    pub(crate) fn spoil_next_end(&mut self) {
        self.next_end = self.next_end.is_none().then_some(Time::MAX);
    }
}

/// Appends to a short list without spare capacity.
pub(crate) fn push<T>(list: &mut Box<[T]>, item: T) {
    let mut items = core::mem::take(list).into_vec();
    items.reserve_exact(1);
    items.push(item);
    *list = items.into_boxed_slice();
}

/// Removes an item of a short list.
fn remove<T>(list: &mut Box<[T]>, place: usize) -> T {
    let mut items = core::mem::take(list).into_vec();
    let item = items.remove(place);
    *list = items.into_boxed_slice();
    item
}
