//! `debit_wallet`: pays money out. Only free money can be debited, not money held by orders.
//!
//! The rules on amounts and references are those of `credit_wallet`; a reference is unique across both.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::index::UserIndex;
use crate::numbers::{Currency, Money};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebitWallet {
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
    pub(crate) fn debit_wallet(&mut self, caller: Caller, command: &DebitWallet) -> Result<Reply, Reject> {
        let &DebitWallet { user, currency, amount, ref reference } = command;
        let (index, reference_hash) = self.check_debit(user, currency, amount, reference)?;
        self.check_caps(caller, currency, amount)?;
        self.count_moved(caller, currency, amount);
        Ok(self.transfer(index, currency, -amount, reference, reference_hash))
    }

    pub(crate) fn check_debit(
        &self,
        user: UserId,
        currency: Currency,
        amount: Money,
        reference: &Text,
    ) -> Result<(UserIndex, u128), Reject> {
        let (index, reference_hash) = self.check_transfer(user, amount, reference)?;
        let have = self.ledger.wallet(index, currency).free;
        if amount > have {
            return Err(Reject::InsufficientBalance { need: amount, have });
        }
        Ok((index, reference_hash))
    }
}
