//! The state of an account that its room keeps: open orders, wallets, positions. Updated from the apply thread's notes.

use std::collections::BTreeMap;

use api::decimal::Shares;
use api::response::{AccountChanges, ChangedOrder, ChangedPosition, ChangedWallet, Order};
use api::terms::Currency;
use exchange::change::Change;
use exchange::id::UserId;
use exchange::order::ReportedOrder;
use uuid::Uuid;

use super::watched::TouchedAccount;
use crate::view;
use crate::view::words::ToApi;

#[derive(Debug)]
pub(super) struct FullAccountState {
    user: UserId,
    /// The open orders, by serial (order of placement).
    orders: BTreeMap<u64, Order<'static>>,
    wallets: [ChangedWallet; 2],
    positions: BTreeMap<(Uuid, Currency), ChangedPosition>,
}

impl FullAccountState {
    /// An account without orders and positions.
    pub(super) const fn empty(user: UserId, wallets: [ChangedWallet; 2]) -> FullAccountState {
        FullAccountState { user, orders: BTreeMap::new(), wallets, positions: BTreeMap::new() }
    }

    /// Adds an open order.
    pub(super) fn list_order(&mut self, shown: &ReportedOrder) {
        let order = view::order::owned_record(&shown.instrument, &shown.record);
        self.orders.insert(shown.terms.serial, order);
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
    pub(super) fn advance(&mut self, changes: &[Change], seen: &TouchedAccount) -> Option<AccountChanges> {
        let (mut orders, mut fills) = (Vec::new(), Vec::new());
        for change in changes {
            match change {
                Change::Order { record, cause } if record.user == self.user => {
                    let order = view::order::owned_record(&record.instrument, record);
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
    pub(super) fn hold(&mut self, held: ChangedPosition) -> bool {
        let key = (held.outcome_id, held.currency);
        if held.balance == Shares::ZERO {
            return self.positions.remove(&key).is_some();
        }
        self.positions.insert(key, held) != Some(held)
    }
}
