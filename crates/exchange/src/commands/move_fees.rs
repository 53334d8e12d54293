//! `move_fees`: moves collected fees to the house's wallet or out of the exchange. Always a proposal.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::command::FeesTo;
use crate::exchange::Exchange;
use crate::index::UserIndex;
use crate::ledger::Account;
use crate::numbers::{Currency, Money};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct MoveFees {
    #[n(0)]
    pub currency: Currency,
    #[n(1)]
    pub amount: Money,
    #[n(2)]
    pub to: FeesTo,
    #[n(3)]
    pub reference: Text,
}

impl MoveFees {
    /// What stands for a destination where an account is hashed.
    pub(crate) const fn account(to: FeesTo) -> u32 {
        match to {
            FeesTo::House => u32::MAX,
            FeesTo::Outside => u32::MAX - 1,
        }
    }
}

impl Exchange {
    pub(crate) fn move_fees(&mut self, caller: Caller, command: &MoveFees) -> Result<Reply, Reject> {
        let &MoveFees { currency, amount, to, ref reference } = command;
        let reference_hash = self.check_move_fees(currency, amount, reference)?;
        if let Caller::Operator { .. } | Caller::User { .. } = caller {
            return Err(Reject::NeedsProposal);
        }
        self.use_reference(reference_hash, MoveFees::account(to), currency, amount);
        let account = match to {
            FeesTo::House => Account::Free(UserIndex::HOUSE),
            FeesTo::Outside => Account::External,
        };
        self.ledger.post(currency, &[(Account::Fees, -amount), (account, amount)]);
        self.changes.push(Change::FeesMoved { currency, amount, to, reference: reference.clone() });
        Ok(Reply::Done)
    }

    pub(crate) fn check_move_fees(
        &self,
        currency: Currency,
        amount: Money,
        reference: &Text,
    ) -> Result<u128, Reject> {
        let reference_hash = self.check_reference(amount, reference)?;
        let have = self.ledger.accounts(currency).fees();
        if amount > have {
            return Err(Reject::InsufficientBalance { need: amount, have });
        }
        Ok(reference_hash)
    }
}
