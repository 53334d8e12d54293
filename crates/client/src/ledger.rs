//! A copy of an account, kept current by the changes of its stream: open orders, wallets, positions.

use std::collections::BTreeMap;

use api::terms::{Currency, OutcomeSide};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::book::Trust;
use crate::models::{AccountChanges, ChangedPosition, OrderData};
use crate::stream::{Details, LocalCopy};
use crate::term::Term;

/// The money of one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalWallet {
    /// Free money.
    pub available: Decimal,
    /// Held by open orders.
    pub pending: Decimal,
}

/// Shares of one outcome in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LocalPosition {
    /// The market.
    pub market_id: Uuid,
    /// The outcome's id.
    pub outcome_id: Uuid,
    /// YES or NO.
    pub outcome: Term<OutcomeSide>,
    /// The currency.
    pub currency: Term<Currency>,
    /// Shares.
    pub balance: Decimal,
    /// Without the shares that resting sell orders hold.
    pub available_balance: Decimal,
    /// The money paid for the shares.
    pub cost: Decimal,
}

impl From<ChangedPosition> for LocalPosition {
    fn from(changed: ChangedPosition) -> LocalPosition {
        let ChangedPosition { market_id, outcome_id, outcome, currency, balance, available_balance, cost } =
            changed;
        LocalPosition { market_id, outcome_id, outcome, currency, balance, available_balance, cost }
    }
}

/// Open orders, wallets and positions.
#[derive(Clone, Debug)]
pub struct LocalAccount {
    trust: Trust,
    orders: BTreeMap<Uuid, OrderData>,
    wallets: BTreeMap<String, LocalWallet>,
    /// By outcome and currency.
    positions: BTreeMap<(Uuid, String), LocalPosition>,
}

impl LocalAccount {
    pub(crate) fn new() -> LocalAccount {
        LocalAccount {
            trust: Trust::none(),
            orders: BTreeMap::new(),
            wallets: BTreeMap::new(),
            positions: BTreeMap::new(),
        }
    }

    /// Whether this is the exchange's account at `sequence`, over a live connection.
    pub fn is_trusted(&self) -> bool {
        self.trust.is_trusted
    }

    /// The sequence, and why the copy is not to be trusted.
    pub fn trust(&self) -> &Trust {
        &self.trust
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
    pub fn positions(&self) -> impl Iterator<Item = &LocalPosition> {
        self.positions.values()
    }

    /// The shares of an outcome in a currency.
    pub fn position(&self, outcome_id: Uuid, currency: Currency) -> Option<&LocalPosition> {
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
                self.positions.insert(place, position.into());
            }
        }
        Details { orders: data.orders, fills: data.fills, ..Details::default() }
    }
}
