//! Copies for the rooms of `changes`. Right after a request, the apply thread copies the state of the watched markets
//! and accounts that it touched. Without watched rooms this costs one atomic load.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use api::response::{ChangedPosition, ChangedWallet};
use exchange::Exchange;
use exchange::change::Change;
use exchange::command::Command;
use exchange::id::{MarketId, UserId};
use exchange::index::ListingIndex;
use exchange::numbers::Currency;
use parking_lot::{Mutex, RwLock};

use super::super::room::Room;
use crate::applied::Applied;
use crate::view;
use crate::view::changes::FullMarketState;

/// The markets and accounts that have rooms.
#[derive(Debug, Default)]
pub(in crate::streams) struct Watched {
    /// The number of rooms below, readable without the lock.
    count: AtomicUsize,
    rooms: RwLock<Subjects>,
}

#[derive(Debug, Default)]
struct Subjects {
    markets: HashSet<(MarketId, Currency)>,
    users: HashSet<UserId>,
    /// Accounts whose room is being opened.
    recorded: HashMap<UserId, Arc<Mutex<Vec<AccountUpdate>>>>,
}

/// What a request changed in an account, with the new values.
#[derive(Clone, Debug)]
pub(super) struct AccountUpdate {
    /// The changes of the account's orders.
    pub(super) orders: Vec<Change>,
    pub(super) seen: TouchedAccount,
}

/// Records the requests that touch an account, until it is dropped.
#[derive(Debug)]
pub(super) struct AccountRecording<'a> {
    watched: &'a Watched,
    user: UserId,
    updates: Arc<Mutex<Vec<AccountUpdate>>>,
}

impl AccountRecording<'_> {
    /// The updates up to now. Under the lock of the state they are those up to its sequence.
    pub(super) fn take(&self) -> Vec<AccountUpdate> {
        std::mem::take(&mut self.updates.lock())
    }
}

impl Drop for AccountRecording<'_> {
    fn drop(&mut self) {
        self.watched.rooms.write().recorded.remove(&self.user);
    }
}

/// The state of the touched subjects right after a request.
#[derive(Debug, Default)]
pub(in crate::streams) struct TouchedStates {
    pub(super) markets: Vec<TouchedMarket>,
    pub(super) accounts: Vec<TouchedAccount>,
}

#[derive(Debug)]
pub(super) struct TouchedMarket {
    pub(super) market: MarketId,
    pub(super) currency: Currency,
    pub(super) state: FullMarketState,
}

#[derive(Clone, Debug)]
pub(super) struct TouchedAccount {
    pub(super) user: UserId,
    pub(super) wallets: [ChangedWallet; 2],
    /// The positions that the request may have changed.
    pub(super) positions: Vec<ChangedPosition>,
}

impl TouchedStates {
    pub(in crate::streams) fn is_empty(&self) -> bool {
        self.markets.is_empty() && self.accounts.is_empty()
    }
}

impl Watched {
    pub(in crate::streams) fn is_empty(&self) -> bool {
        self.count.load(Ordering::SeqCst) == 0
    }

    /// Watches a room's subject from the next request on.
    pub(super) fn add(&self, room: &Room) {
        let mut rooms = self.rooms.write();
        match room {
            Room::MarketChanges { market, currency } => drop(rooms.markets.insert((*market, *currency))),
            Room::AccountChanges { user } => drop(rooms.users.insert(*user)),
            _ => {}
        }
        self.count.store(rooms.markets.len() + rooms.users.len(), Ordering::SeqCst);
    }

    pub(super) fn remove(&self, room: &Room) {
        let mut rooms = self.rooms.write();
        match room {
            Room::MarketChanges { market, currency } => drop(rooms.markets.remove(&(*market, *currency))),
            Room::AccountChanges { user } => drop(rooms.users.remove(user)),
            _ => {}
        }
        self.count.store(rooms.markets.len() + rooms.users.len(), Ordering::SeqCst);
    }

    /// Records what the next requests change in a watched account.
    pub(super) fn record(&self, user: UserId) -> AccountRecording<'_> {
        let updates: Arc<Mutex<Vec<AccountUpdate>>> = Arc::default();
        self.rooms.write().recorded.insert(user, updates.clone());
        AccountRecording { watched: self, user, updates }
    }

    /// Copies the touched states. Called by the apply thread while it holds the lock of the state.
    pub(in crate::streams) fn read_touched(&self, applied: &Applied<'_>) -> TouchedStates {
        let rooms = self.rooms.read();
        let touched = TouchedSubjects::by(applied, &rooms);
        let mut seen = TouchedStates::default();
        let mut see = |market, currency| {
            if let Some(index) = applied.exchange.catalogue().find_market(market) {
                let state = view::changes::market(applied.exchange, index, currency);
                seen.markets.push(TouchedMarket { market, currency, state });
            }
        };
        if touched.all_markets {
            rooms.markets.iter().for_each(|(market, currency)| see(*market, *currency));
        } else {
            touched.markets.iter().for_each(|(market, currency)| see(*market, *currency));
        }
        let accounts =
            touched.users.iter().filter_map(|user| account(applied.exchange, *user, &touched.held));
        seen.accounts.extend(accounts);
        for account in &seen.accounts {
            if let Some(updates) = rooms.recorded.get(&account.user) {
                updates.lock().push(AccountUpdate::of(applied, account));
            }
        }
        seen
    }
}

#[cfg(test)]
impl Watched {
    pub(super) fn is_recording(&self) -> bool {
        !self.rooms.read().recorded.is_empty()
    }
}

impl AccountUpdate {
    fn of(applied: &Applied<'_>, account: &TouchedAccount) -> AccountUpdate {
        let is_own =
            |change: &&Change| matches!(change, Change::Order { record, .. } if record.user == account.user);
        let orders = applied.changes.iter().filter(is_own).cloned().collect();
        AccountUpdate { orders, seen: account.clone() }
    }
}

/// The watched subjects that a request may have changed. Too many are harmless: an unchanged state is not reported.
#[derive(Debug)]
struct TouchedSubjects<'a> {
    subjects: &'a Subjects,
    markets: BTreeSet<(MarketId, Currency)>,
    users: BTreeSet<UserId>,
    held: BTreeSet<(UserId, MarketId, Currency)>,
    all_markets: bool,
}

impl<'a> TouchedSubjects<'a> {
    fn by(applied: &Applied<'_>, subjects: &'a Subjects) -> TouchedSubjects<'a> {
        let mut touched = TouchedSubjects {
            subjects,
            markets: BTreeSet::new(),
            users: BTreeSet::new(),
            held: BTreeSet::new(),
            // The policy determines when a proposal can be finalised.
            all_markets: matches!(
                applied.request.command,
                // A change of the policy may be inside the last one.
                Command::SetPolicy(_)
                    | Command::Finalise(_)
                    | Command::ChangePolicy(_)
                    | Command::DoOrPropose(_)
            ),
        };
        applied.changes.iter().for_each(|change| touched.note(change));
        touched
    }

    fn note(&mut self, change: &Change) {
        match change {
            Change::Order { record, .. } => {
                self.trade(record.market, record.currency);
                self.hold(record.user, record.market, record.currency);
            }
            Change::Trade(trade) => {
                self.trade(trade.market, trade.currency);
                for party in [&trade.taker, &trade.maker] {
                    self.hold(party.user, trade.market, trade.currency);
                }
            }
            Change::PoolMoved { market, currency, .. } | Change::PoolSeeded { market, currency, .. } => {
                self.trade(*market, *currency);
            }
            Change::Sets(sets) => self.hold(sets.user, sets.market, sets.currency),
            Change::Settled(settled) => self.hold(settled.user, settled.market, settled.currency),
            Change::Funds { user, .. } => self.pay(*user),
            Change::FeesMoved { .. } => self.pay(Exchange::HOUSE),
            Change::MarketStatus { market, .. } => {
                Currency::ALL.into_iter().for_each(|currency| self.trade(*market, currency));
            }
            Change::EventStatus { .. } | Change::EventEdited { .. } | Change::Proposal { .. } => {
                self.all_markets = true;
            }
            Change::EventCreated { .. }
            | Change::EventNews { .. }
            | Change::SeriesCreated { .. }
            | Change::SeriesBoundary { .. }
            | Change::SeriesAlert { .. }
            | Change::PriceRecorded { .. }
            | Change::SportsImported
            | Change::UserCreated { .. }
            | Change::UserErased { .. }
            | Change::AccessChanged { .. }
            | Change::WatchlistChanged { .. }
            | Change::EventRetired(_)
            | Change::RulesUpgraded { .. }
            | Change::RequestSkipped { .. }
            | Change::CancelOnly { .. } => {}
        }
    }

    fn trade(&mut self, market: MarketId, currency: Currency) {
        if self.subjects.markets.contains(&(market, currency)) {
            self.markets.insert((market, currency));
        }
    }

    fn pay(&mut self, user: UserId) {
        if self.subjects.users.contains(&user) {
            self.users.insert(user);
        }
    }

    fn hold(&mut self, user: UserId, market: MarketId, currency: Currency) {
        self.pay(user);
        if self.users.contains(&user) {
            self.held.insert((user, market, currency));
        }
    }
}

fn account(
    exchange: &Exchange,
    user: UserId,
    held: &BTreeSet<(UserId, MarketId, Currency)>,
) -> Option<TouchedAccount> {
    let index = exchange.directory().find(user)?;
    let markets = held.iter().filter(|(holder, ..)| *holder == user);
    let listings = markets.filter_map(|(_, market, currency)| {
        let market = exchange.catalogue().find_market(*market)?;
        Some(ListingIndex::new(market, *currency))
    });
    let positions = listings.flat_map(|listing| view::changes::positions(exchange, index, listing));
    let wallets = view::changes::wallets(exchange, index);
    Some(TouchedAccount { user, wallets, positions: positions.collect() })
}
