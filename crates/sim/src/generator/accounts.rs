//! Operators' actions on accounts: suspensions, freezes, cancelled orders, password resets; and the master key.

use std::collections::VecDeque;

use exchange::command::{
    ApprovePasswordReset, CancelOrdersOf, Command, DebitWallet, EraseUser, FreezeUser, RecordMasterKey,
    ReplaceMasterKey, Request, RequestPasswordReset, ResetPassword, SuspendUser,
};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::User;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money, Shares};
use exchange::text::Text;

use super::opening::system_request;
use super::{Generator, View};

/// Networks that request password resets: few, so that their requests collide.
const NETWORKS: usize = 3;

impl Generator {
    pub(super) fn accounts(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let record = view.exchange.directory().user(user);
        let command = match self.random.below(30) {
            0..=2 => {
                let keep_orders = self.random.chance(50);
                Command::SuspendUser(SuspendUser { user: record.id, suspended: true, keep_orders })
            }
            3..=4 => Command::FreezeUser(FreezeUser { user: record.id, frozen: true }),
            5..=9 => return self.readmit_someone(view),
            10..=12 => self.cancel_for(view, user),
            13..=15 => return self.request_reset(view, user),
            16 => self.approve_reset(view, user),
            17..=20 => self.approve_some_reset(view),
            21..=24 => return self.redeem_some(view),
            25..=28 => return self.erase(view),
            _ => return self.master_key(view),
        };
        self.by_person(view, command)
    }

    fn readmit_someone(&mut self, view: View<'_>) -> Request {
        let users = view.exchange.directory().users().filter(|(_, user)| user.disabled || user.frozen);
        let users: Vec<_> = users.map(|(index, _)| index).collect();
        let user = self.random.pick(&users).unwrap_or_else(|| self.user(view));
        self.readmit(view, view.exchange.directory().user(user))
    }

    /// Lifts a suspension or a freeze, by one operator or by a proposal.
    pub(super) fn readmit(&mut self, view: View<'_>, record: &User) -> Request {
        let command = match record.frozen {
            true => Command::FreezeUser(FreezeUser { user: record.id, frozen: false }),
            false => {
                Command::SuspendUser(SuspendUser { user: record.id, suspended: false, keep_orders: false })
            }
        };
        match self.random.chance(40) {
            true => self.propose_command(view, command),
            false => self.by_operator(view, command),
        }
    }

    /// Erases a user without shares and orders, after debiting the remaining money; or any user, which is mostly
    /// refused.
    fn erase(&mut self, view: View<'_>) -> Request {
        let users = view.exchange.directory().users().filter(|(index, user)| is_bare(view, *index, user));
        let bare: Vec<_> = users.map(|(index, _)| index).collect();
        let picked = self.random.pick(&bare).filter(|_| self.random.chance(80));
        let index = picked.unwrap_or_else(|| self.user(view));
        let user = view.exchange.directory().user(index).id;
        let erase = Command::EraseUser(EraseUser { user });
        let mut steps = if picked.is_some() { self.debits(view, index, user) } else { VecDeque::new() };
        let Some(first) = steps.pop_front() else {
            return match self.random.chance(30) {
                true => self.propose_command(view, erase),
                false => self.by_person(view, erase),
            };
        };
        steps.push_back(erase);
        self.follow_ups.extend(steps);
        self.by_operator(view, first)
    }

    /// Debits all free money of an account.
    fn debits(&mut self, view: View<'_>, index: UserIndex, user: UserId) -> VecDeque<Command> {
        let free = |currency| (currency, view.exchange.ledger().wallet(index, currency).free);
        let wallets = Currency::ALL.into_iter().map(free).filter(|(_, amount)| *amount > Money::ZERO);
        let debit = |(currency, amount)| {
            let reference = Text::from(format!("goodbye {}", self.fresh_id()));
            Command::DebitWallet(DebitWallet { user, currency, amount, reference })
        };
        wallets.map(debit).collect()
    }

    fn cancel_for(&mut self, view: View<'_>, user: UserIndex) -> Command {
        let event = match self.random.chance(20) {
            true => view.exchange.catalogue().events().last().map(|(_, event)| event.id),
            false => None,
        };
        let market = if self.random.chance(20) { Some(self.market_id(view)) } else { None };
        let currency = if self.random.chance(20) { Some(self.currency()) } else { None };
        let user = view.exchange.directory().user(user).id;
        Command::CancelOrdersOf(CancelOrdersOf { user, event, market, currency })
    }

    /// A request for a password reset, with a token and a code.
    fn request_reset(&mut self, view: View<'_>, user: UserIndex) -> Request {
        let number = self.random.below(40);
        let code = if self.random.chance(95) { format!("CODE{number:02}") } else { "code".to_owned() };
        let user = view.exchange.directory().user(user).id;
        let token_hash = Hash32::of(&format!("reset {user} {}", self.fresh_id()));
        let network = Hash32::of(&format!("network {}", self.random.below(NETWORKS)));
        // From rules 4 on, what somebody typed stands in place of the user; it may be no account's.
        let person = self.random.below(8);
        let typed = self.random.chance(50) && view.exchange.rules_version() >= 4;
        let address = typed.then(|| Hash32::of(&format!("user{person}@example.com")));
        system_request(Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash,
            code: Text::from(code),
            network,
            address,
        }))
    }

    fn approve_reset(&mut self, view: View<'_>, user: UserIndex) -> Command {
        let record = view.exchange.directory().user(user);
        let pending = record.password_resets.iter().filter(|reset| !reset.is_approved);
        let pending: Vec<_> = pending.map(|reset| reset.token_hash).collect();
        let token_hash = self.random.pick(&pending).unwrap_or(Hash32::of("no such reset"));
        Command::ApprovePasswordReset(ApprovePasswordReset { user: record.id, token_hash })
    }

    fn redeem_some(&mut self, view: View<'_>) -> Request {
        let has_approved = |user: &User| user.password_resets.iter().any(|reset| reset.is_approved);
        let users = view.exchange.directory().users().filter(|(_, user)| has_approved(user));
        let users: Vec<_> = users.map(|(index, _)| index).collect();
        let user = self.random.pick(&users).unwrap_or_else(|| self.user(view));
        self.redeem(view, user)
    }

    /// Redeems a reset token, sometimes before it was approved.
    pub(super) fn redeem(&mut self, view: View<'_>, user: UserIndex) -> Request {
        let too_early = self.random.chance(20);
        let resets = view.exchange.directory().user(user).password_resets.iter();
        let tokens: Vec<_> =
            resets.filter(|reset| reset.is_approved != too_early).map(|reset| reset.token_hash).collect();
        let Some(token_hash) = self.random.pick(&tokens) else { return self.request_reset(view, user) };
        system_request(Command::ResetPassword(ResetPassword {
            token_hash,
            row: RowId::new(self.fresh_id()),
            expires_at: self.row_expiry(view),
            keep_keys: self.random.chance(50),
        }))
    }

    pub(super) fn approve_some_reset(&mut self, view: View<'_>) -> Command {
        let has_waiting = |user: &User| user.password_resets.iter().any(|reset| !reset.is_approved);
        let users = view.exchange.directory().users();
        let users: Vec<_> = users.filter(|(_, user)| has_waiting(user)).map(|(index, _)| index).collect();
        let user = self.random.pick(&users).unwrap_or(UserIndex::HOUSE);
        self.approve_reset(view, user)
    }

    /// Records the master key, or replaces a leaked one.
    fn master_key(&mut self, view: View<'_>) -> Request {
        let fingerprint = Hash32::of(&format!("master key {}", self.random.below(3)));
        let known = view.exchange.directory().master_key();
        system_request(match (known, self.random.below(10)) {
            (None, _) => Command::RecordMasterKey(RecordMasterKey { fingerprint }),
            (Some(known), 0..=3) => Command::RecordMasterKey(RecordMasterKey { fingerprint: known }),
            (Some(_), 4..=5) => Command::RecordMasterKey(RecordMasterKey { fingerprint }),
            (Some(_), _) => Command::ReplaceMasterKey(ReplaceMasterKey { fingerprint }),
        })
    }
}

/// Whether an account has no shares and no open orders.
fn is_bare(view: View<'_>, index: UserIndex, user: &User) -> bool {
    let mut positions = view.exchange.positions_of(index);
    index != UserIndex::HOUSE
        && !user.erased
        && !user.frozen
        && user.open_orders() == 0
        && positions
            .all(|position| position.yes.total() == Shares::ZERO && position.no.total() == Shares::ZERO)
}
