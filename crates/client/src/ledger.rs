//! A copy of an account, kept current by the changes of its stream: open orders, wallets, positions. Like a book it says
//! when it is not to be trusted.

use std::collections::BTreeMap;

use api::terms::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::models::{AccountChanges, OrderData, SharePosition};
use crate::stream::{Details, LocalCopy};
use crate::trust::{Liveness, Trust};

/// The money of one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalWallet {
    /// Free money.
    pub available: Decimal,
    /// Held by open orders.
    pub pending: Decimal,
}

/// Open orders, wallets and positions.
#[derive(Clone, Debug)]
pub struct LocalAccount {
    trust: Trust,
    liveness: Liveness,
    orders: BTreeMap<Uuid, OrderData>,
    wallets: BTreeMap<String, LocalWallet>,
    /// By outcome and currency.
    positions: BTreeMap<(Uuid, String), SharePosition>,
}

impl LocalAccount {
    pub(crate) fn new() -> LocalAccount {
        LocalAccount {
            trust: Trust::none(),
            liveness: Liveness::default(),
            orders: BTreeMap::new(),
            wallets: BTreeMap::new(),
            positions: BTreeMap::new(),
        }
    }

    /// Whether this is the exchange's account at `sequence`, as of the last step, and its connection is still open.
    pub fn is_trusted(&self) -> bool {
        self.trust.is_trusted && self.liveness.is_live()
    }

    /// The sequence, and why the copy is not to be trusted.
    pub fn trust(&self) -> Trust {
        self.trust.while_live(&self.liveness)
    }

    /// The last request that the copy includes.
    pub fn sequence(&self) -> u64 {
        self.trust.sequence
    }

    /// The open orders.
    pub fn orders(&self) -> impl Iterator<Item = &OrderData> {
        self.orders.values()
    }

    /// An open order.
    pub fn order(&self, id: Uuid) -> Option<&OrderData> {
        self.orders.get(&id)
    }

    /// The money of a currency.
    pub fn wallet(&self, currency: Currency) -> Option<LocalWallet> {
        self.wallets.get(&currency.to_string()).copied()
    }

    /// All positions.
    pub fn positions(&self) -> impl Iterator<Item = &SharePosition> {
        self.positions.values()
    }

    /// The shares of an outcome in a currency.
    pub fn position(&self, outcome_id: Uuid, currency: Currency) -> Option<&SharePosition> {
        self.positions.get(&(outcome_id, currency.to_string()))
    }
}

impl LocalCopy for LocalAccount {
    type Data = AccountChanges;

    fn trust(&self) -> &Trust {
        &self.trust
    }

    fn trust_mut(&mut self) -> &mut Trust {
        &mut self.trust
    }

    fn liveness_mut(&mut self) -> &mut Liveness {
        &mut self.liveness
    }

    fn clear(&mut self) {
        self.orders.clear();
        self.wallets.clear();
        self.positions.clear();
    }

    fn apply(&mut self, data: AccountChanges) -> Details {
        for changed in &data.orders {
            if changed.order.is_open() {
                self.orders.insert(changed.order.id, changed.order.clone());
            } else {
                self.orders.remove(&changed.order.id);
            }
        }
        for wallet in data.wallets {
            let money = LocalWallet { available: wallet.available_balance, pending: wallet.pending_balance };
            self.wallets.insert(wallet.currency.to_string(), money);
        }
        for position in data.positions {
            let place = (position.outcome_id, position.currency.to_string());
            if position.balance.is_zero() {
                self.positions.remove(&place);
            } else {
                self.positions.insert(place, position);
            }
        }
        Details { orders: data.orders, fills: data.fills, ..Details::default() }
    }
}
