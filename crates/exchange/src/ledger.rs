//! Double-entry bookkeeping. All money of the exchange, in accounts that sum to zero per currency.
//!
//! All balances are private to this file, so money moves only by `post`, whose legs balance within one currency. No
//! account collects rounding differences: every formula defines who keeps the remainder. The house is user 0: it owns
//! the pools and has a wallet like any user.

use crate::catalogue::table::Table;
use crate::index::{ListingIndex, MarketIndex, UserIndex};
use crate::numbers::{Currency, Money, PerCurrency};
use crate::pages::Pages;
use crate::time::Time;

/// An account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// The outside world: minus the net deposits.
    External,
    Fees,
    /// The money backing the outstanding sets of one market in one currency.
    Collateral(ListingIndex),
    Free(UserIndex),
    /// Reserved for a user's open BUY orders.
    Held(UserIndex),
}

/// The balances of a user. The wallets of a ledger are read-only outside this file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wallet {
    pub free: Money,
    pub held: Money,
    /// When either balance last changed.
    pub moved_at: Time,
}

impl Wallet {
    pub fn total(&self) -> Money {
        self.free + self.held
    }
}

#[derive(Clone, Debug, Default)]
pub struct Accounts {
    external: Money,
    fees: Money,
    wallets: Pages<Wallet>,
    /// By market; zero for a market that does not trade in this currency.
    collateral: Table<Money>,
    /// The sum of `collateral`. Derived: a snapshot does not have it.
    collateral_total: Money,
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    accounts: PerCurrency<Accounts>,
    /// The time of the command being applied; not state.
    now: Time,
}

impl Ledger {
    /// A ledger with the accounts of a snapshot.
    pub(crate) fn restored(accounts: PerCurrency<Accounts>, now: Time) -> Ledger {
        Ledger { accounts, now }
    }

    /// Sets the time of the following postings.
    #[inline]
    pub(crate) fn set_now(&mut self, now: Time) {
        self.now = now;
    }

    pub(crate) fn add_user(&mut self) {
        for currency in Currency::ALL {
            self.accounts.get_mut(currency).wallets.push(Wallet::default());
        }
    }

    pub(crate) fn add_market(&mut self) {
        for currency in Currency::ALL {
            self.accounts.get_mut(currency).collateral.push(Money::ZERO);
        }
    }

    /// Removes a market that left memory. Its collateral must be zero.
    pub(crate) fn remove_market(&mut self, market: MarketIndex) {
        for currency in Currency::ALL {
            let left = self.accounts.get_mut(currency).collateral.remove(market.slot());
            assert!(left == Money::ZERO, "a market that leaves memory has no collateral");
        }
    }

    pub fn accounts(&self, currency: Currency) -> &Accounts {
        self.accounts.get(currency)
    }

    pub fn wallet(&self, user: UserIndex, currency: Currency) -> &Wallet {
        &self.accounts.get(currency).wallets[user.slot()]
    }

    pub fn collateral(&self, listing: ListingIndex) -> Money {
        self.accounts.get(listing.currency()).collateral[listing.market().slot()]
    }

    /// Deposits minus withdrawals.
    pub fn deposited(&self, currency: Currency) -> Money {
        -self.accounts.get(currency).external
    }

    /// Posts one balanced movement. Overdrawing a wallet or the collateral is a bug: every command checks before it
    /// posts.
    #[inline]
    pub(crate) fn post(&mut self, currency: Currency, legs: &[(Account, Money)]) {
        let now = self.now;
        let accounts = self.accounts.get_mut(currency);
        let mut sum = Money::ZERO;
        for &(account, amount) in legs {
            sum += amount;
            let balance = accounts.moved(account, currency, now);
            *balance += amount;
            let bounded = matches!(account, Account::Collateral(_) | Account::Free(_) | Account::Held(_));
            assert!(
                !bounded || !balance.is_negative(),
                "an account of a user or a market is never overdrawn: {account:?}"
            );
            if matches!(account, Account::Collateral(_)) {
                accounts.collateral_total += amount;
            }
        }
        assert!(sum == Money::ZERO, "a posting balances to zero");
    }

    /// Reserves `amount` of a user's free money.
    #[inline]
    pub(crate) fn hold(&mut self, user: UserIndex, currency: Currency, amount: Money) {
        self.post(currency, &[(Account::Free(user), -amount), (Account::Held(user), amount)]);
    }

    /// Releases reserved money.
    #[inline]
    pub(crate) fn release(&mut self, user: UserIndex, currency: Currency, amount: Money) {
        self.post(currency, &[(Account::Held(user), -amount), (Account::Free(user), amount)]);
    }
}

#[cfg(test)]
impl Ledger {
    /// A planted bug: changes one account alone.
    pub(crate) fn spoil(&mut self, currency: Currency, account: Account, amount: Money) {
        let now = self.now;
        *self.accounts.get_mut(currency).moved(account, currency, now) += amount;
    }

    /// A planted bug: changes the total of the collateral alone.
    pub(crate) fn spoil_collateral_total(&mut self, currency: Currency, amount: Money) {
        self.accounts.get_mut(currency).collateral_total += amount;
    }
}

impl Accounts {
    /// The accounts of a snapshot.
    pub(crate) fn restored(
        external: Money,
        fees: Money,
        wallets: Pages<Wallet>,
        collateral: Table<Money>,
    ) -> Accounts {
        let collateral_total = collateral.values().copied().sum();
        Accounts { external, fees, wallets, collateral, collateral_total }
    }

    /// The balance of an account that is about to change. A wallet notes the time.
    #[inline]
    fn moved(&mut self, account: Account, currency: Currency, now: Time) -> &mut Money {
        match account {
            Account::External => &mut self.external,
            Account::Fees => &mut self.fees,
            Account::Collateral(listing) => {
                assert!(listing.currency() == currency, "a posting touches one currency");
                &mut self.collateral[listing.market().slot()]
            }
            Account::Free(user) => {
                let wallet = &mut self.wallets[user.slot()];
                wallet.moved_at = now;
                &mut wallet.free
            }
            Account::Held(user) => {
                let wallet = &mut self.wallets[user.slot()];
                wallet.moved_at = now;
                &mut wallet.held
            }
        }
    }

    pub fn external(&self) -> Money {
        self.external
    }

    pub fn fees(&self) -> Money {
        self.fees
    }

    /// By user.
    pub fn wallets(&self) -> impl ExactSizeIterator<Item = &Wallet> + Clone {
        self.wallets.iter()
    }

    /// By market.
    pub(crate) fn collateral(&self) -> &Table<Money> {
        &self.collateral
    }

    pub fn collateral_total(&self) -> Money {
        self.collateral_total
    }
}
