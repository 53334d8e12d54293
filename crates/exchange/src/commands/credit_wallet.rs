//! `credit_wallet`: credits money from outside. The house is credited like any user.
//!
//! The rules on amounts and references, shared with `debit_wallet`, are here too.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::index::UserIndex;
use crate::ledger::Account;
use crate::numbers::{Currency, Money};
use crate::references::hash_reference;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

const REFERENCE_BYTES_MAX: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CreditWallet {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub currency: Currency,
    #[n(2)]
    pub amount: Money,
    #[n(3)]
    pub reference: Text,
}

impl Exchange {
    pub(crate) fn credit_wallet(&mut self, caller: Caller, command: &CreditWallet) -> Result<Reply, Reject> {
        let &CreditWallet { user, currency, amount, ref reference } = command;
        let (index, reference_hash) = self.check_credit(user, currency, amount, reference)?;
        self.check_caps(caller, currency, amount)?;
        self.count_moved(caller, currency, amount);
        Ok(self.transfer(index, currency, amount, reference, reference_hash))
    }

    pub(crate) fn check_credit(
        &self,
        user: UserId,
        currency: Currency,
        amount: Money,
        reference: &Text,
    ) -> Result<(UserIndex, u128), Reject> {
        let checked = self.check_transfer(user, amount, reference)?;
        let total = self.ledger.deposited(currency) + amount;
        if total > Money::TOTAL_MAX { Err(Reject::TotalTooLarge) } else { Ok(checked) }
    }

    /// Checks a credit or debit: a valid amount, a user who is neither erased nor frozen, an unused reference.
    pub(crate) fn check_transfer(
        &self,
        user: UserId,
        amount: Money,
        reference: &Text,
    ) -> Result<(UserIndex, u128), Reject> {
        let reference_hash = self.check_reference(amount, reference)?;
        let index = self.find_present(user).ok_or(Reject::UserNotFound)?;
        if self.directory.user(index).frozen {
            return Err(Reject::UserFrozen);
        }
        Ok((index, reference_hash))
    }

    /// Checks for a valid amount and an unused reference; returns the hash of the reference.
    pub(crate) fn check_reference(&self, amount: Money, reference: &Text) -> Result<u128, Reject> {
        if amount <= Money::ZERO {
            return Err(Reject::AmountNotPositive);
        }
        if amount > Money::ORDER_MAX {
            return Err(Reject::AmountTooLarge);
        }
        if reference.is_empty()
            || reference.len() > REFERENCE_BYTES_MAX
            || reference.chars().any(char::is_control)
        {
            return Err(Reject::InvalidField { field: "reference", rule: "1 to 128 printable bytes" });
        }
        let reference_hash = hash_reference(reference);
        if self.references.contains(reference_hash) {
            return Err(Reject::DuplicateReference);
        }
        Ok(reference_hash)
    }

    /// Whether a credit or debit used this reference: each can be used once.
    pub fn has_reference(&self, reference: &str) -> bool {
        self.references.contains(hash_reference(reference))
    }

    /// Posts `amount` from outside to a user; a negative amount is a debit.
    pub(crate) fn transfer(
        &mut self,
        user: UserIndex,
        currency: Currency,
        amount: Money,
        reference: &Text,
        reference_hash: u128,
    ) -> Reply {
        self.use_reference(reference_hash, user.0, currency, amount);
        self.ledger.post(currency, &[(Account::External, -amount), (Account::Free(user), amount)]);
        let id = self.directory.user(user).id;
        self.changes.push(Change::Funds { user: id, currency, amount, reference: reference.clone() });
        let wallet = self.ledger.wallet(user, currency);
        Reply::Wallet { currency, free: wallet.free, held: wallet.held }
    }
}
