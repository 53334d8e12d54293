//! The state of an account that its room keeps: open orders, wallets, positions. Updated from the apply thread's notes.

use std::collections::BTreeMap;

use api::decimal::Shares;
use api::response::{AccountChanges, ChangedOrder, ChangedPosition, ChangedWallet, Order};
use api::terms::Currency;
use exchange::Exchange;
use exchange::change::Change;
use exchange::id::UserId;
use exchange::index::{ListingIndex, UserIndex};
use exchange::order::{OpenEntry, ReportedOrder};
use exchange::time::Time;
use uuid::Uuid;

use super::watched::TouchedAccount;
use crate::pipeline::gathering::{RowKey, gather};
use crate::pipeline::state::Shared;
use crate::view;
use crate::view::words::ToApi;

/// A part of an account: a position or an open order. Positions come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AccountKey {
    Position(ListingIndex),
    Order(OpenEntry),
}

impl RowKey for AccountKey {
    fn touched_at(&self, exchange: &Exchange) -> u64 {
        match self {
            AccountKey::Position(listing) => listing.touched_at(exchange),
            AccountKey::Order(entry) => entry.touched_at(exchange),
        }
    }
}

fn account_keys(exchange: &Exchange, user: UserIndex) -> Vec<AccountKey> {
    let positions = exchange.listings_of(user).map(AccountKey::Position);
    let open = exchange.directory().user(user).open_order_list();
    positions.chain(open.iter().copied().map(AccountKey::Order)).collect()
}

enum AccountRow {
    Positions([ChangedPosition; 2]),
    Order(ReportedOrder),
}

impl AccountRow {
    fn read(exchange: &Exchange, user: UserIndex, key: AccountKey) -> AccountRow {
        match key {
            AccountKey::Position(listing) => {
                AccountRow::Positions(view::changes::positions(exchange, user, listing))
            }
            AccountKey::Order(entry) => {
                AccountRow::Order(view::orders::report(exchange, &exchange.orders()[entry.slot]))
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct FullAccountState {
    user: UserId,
    /// The open orders, by serial (order of placement).
    orders: BTreeMap<u64, Order<'static>>,
    wallets: [ChangedWallet; 2],
    positions: BTreeMap<(Uuid, Currency), ChangedPosition>,
}

impl FullAccountState {
    /// Reads the account's state in short looks, with the sequence and time that it is of. `None` if there is no such
    /// user.
    pub(super) fn read(shared: &Shared, user: UserId) -> Option<(FullAccountState, u64, Time)> {
        let index = shared.read().directory().find(user)?;
        let (rows, (wallets, seq, now)) = gather(
            shared,
            |exchange| account_keys(exchange, index),
            |exchange, key| AccountRow::read(exchange, index, key),
            |exchange, _| (view::changes::wallets(exchange, index), exchange.seq(), exchange.now()),
        );
        let mut state =
            FullAccountState { user, orders: BTreeMap::new(), wallets, positions: BTreeMap::new() };
        for row in &rows {
            match row.value() {
                AccountRow::Positions(held) => {
                    for held in held {
                        state.hold(*held);
                    }
                }
                AccountRow::Order(shown) => {
                    let order = view::order::owned_record(&shown.instrument, &shown.record);
                    state.orders.insert(shown.terms.serial, order);
                }
            }
        }
        Some((state, seq, now))
    }

    /// The whole state, for a snapshot.
    pub(super) fn whole(&self) -> AccountChanges {
        let order = |order: &Order<'static>| ChangedOrder { cause: None, order: order.clone() };
        AccountChanges {
            user_id: self.user.to_api(),
            orders: self.orders.values().map(order).collect(),
            fills: Vec::new(),
            wallets: self.wallets.to_vec(),
            positions: self.positions.values().copied().collect(),
        }
    }

    /// Applies one request, and returns what it changed, if anything.
    pub(super) fn advance(
        &mut self,
        shared: &Shared,
        changes: &[Change],
        seen: &TouchedAccount,
    ) -> Option<AccountChanges> {
        let (mut orders, mut fills) = (Vec::new(), Vec::new());
        for change in changes {
            match change {
                Change::Order { record, cause } if record.user == self.user => {
                    let order = {
                        let exchange = shared.read();
                        // If the streams lag behind, a market may have retired in the meantime: leave its orders out.
                        let Some(market) = exchange.catalogue().find_market(record.market) else {
                            self.orders.remove(&record.terms.serial);
                            continue;
                        };
                        view::order::owned_record(exchange.catalogue().instrument(market), record)
                    };
                    if record.status.is_open() {
                        self.orders.insert(record.terms.serial, order.clone());
                    } else {
                        self.orders.remove(&record.terms.serial);
                    }
                    orders.push(ChangedOrder { cause: Some(view::stream::reason(*cause)), order });
                }
                Change::Trade(trade) => fills.extend(view::changes::fills(trade, self.user)),
                _ => {}
            }
        }
        let wallets: Vec<ChangedWallet> =
            seen.wallets.iter().filter(|wallet| !self.wallets.contains(wallet)).copied().collect();
        self.wallets = seen.wallets;
        let positions: Vec<ChangedPosition> =
            seen.positions.iter().filter(|held| self.hold(**held)).copied().collect();
        let is_quiet = orders.is_empty() && fills.is_empty() && wallets.is_empty() && positions.is_empty();
        let user_id = self.user.to_api();
        (!is_quiet).then_some(AccountChanges { user_id, orders, fills, wallets, positions })
    }

    /// Stores a position, and returns whether it changed.
    fn hold(&mut self, held: ChangedPosition) -> bool {
        let key = (held.outcome_id, held.currency);
        if held.balance == Shares::ZERO {
            return self.positions.remove(&key).is_some();
        }
        self.positions.insert(key, held) != Some(held)
    }
}
