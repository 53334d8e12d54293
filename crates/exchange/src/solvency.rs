//! Liabilities and their backing at one instant: all accounts of a currency, and the shares of each listing.
//!
//! It sums over the whole state, so do not call it while the writer waits. The published form is made elsewhere.

use crate::catalogue::Status;
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Currency, Money, Shares};

/// All accounts of one currency. They sum to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountTotals {
    pub currency: Currency,
    /// All users but the house.
    pub users_free: Money,
    pub users_held: Money,
    pub house_free: Money,
    pub house_held: Money,
    pub fees: Money,
    pub collateral: Money,
    /// Minus the net deposits.
    pub external: Money,
}

impl AccountTotals {
    pub fn sum(&self) -> Money {
        let people = self.users_free + self.users_held + self.house_free + self.house_held;
        people + self.fees + self.collateral + self.external
    }
}

/// Shares of both outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    pub yes: Shares,
    pub no: Shares,
}

/// One market in one currency: the money paid for its sets, and the owners of their shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backing {
    pub listing: ListingIndex,
    pub collateral: Money,
    pub users: Pair,
    pub house: Pair,
    pub pool: Pair,
}

impl Backing {
    /// All outstanding shares.
    pub fn outstanding(&self) -> Pair {
        Pair {
            yes: self.users.yes + self.house.yes + self.pool.yes,
            no: self.users.no + self.house.no + self.pool.no,
        }
    }

    /// Whether there are as many YES as NO shares, and money for all of them.
    pub fn is_backed(&self) -> bool {
        let Pair { yes, no } = self.outstanding();
        yes == no && self.collateral == yes.payout(self.listing.currency())
    }
}

impl Exchange {
    /// The sums of all accounts of `currency`.
    pub fn all_accounts(&self, currency: Currency) -> AccountTotals {
        let ledger = self.ledger.accounts(currency);
        let house = self.ledger.wallet(UserIndex::HOUSE, currency);
        let users = ledger.wallets().skip(UserIndex::HOUSE.slot() + 1);
        AccountTotals {
            currency,
            users_free: users.clone().map(|wallet| wallet.free).sum(),
            users_held: users.map(|wallet| wallet.held).sum(),
            house_free: house.free,
            house_held: house.held,
            fees: ledger.fees(),
            collateral: ledger.collateral_total(),
            external: ledger.external(),
        }
    }

    /// The backing of each listing that is live (neither draft nor final, in a supported currency) or has collateral or
    /// shares.
    pub fn all_backing(&self) -> Vec<Backing> {
        let listings = self.catalogue.listings().map(|(index, _)| self.backing(index));
        listings.filter(|backing| self.has_content(backing)).collect()
    }

    fn has_content(&self, backing: &Backing) -> bool {
        let market = self.catalogue.market(backing.listing.market());
        let is_live = market.status != Status::Draft && !market.status.is_final();
        let is_supported = self.catalogue.event(market.event).supports(backing.listing.currency());
        let has_any = backing.collateral != Money::ZERO || backing.outstanding() != Pair::default();
        (is_live && is_supported) || has_any
    }

    /// The backing of one listing.
    pub fn backing(&self, index: ListingIndex) -> Backing {
        let listing = self.catalogue.listing(index);
        let mut backing = Backing {
            listing: index,
            collateral: self.ledger.collateral(index),
            users: Pair::default(),
            house: Pair::default(),
            pool: listing.pool().map_or(Pair::default(), |pool| Pair { yes: pool.yes, no: pool.no }),
        };
        for slot in &listing.holders {
            let position = &self.positions[*slot];
            let pair =
                if position.user == UserIndex::HOUSE { &mut backing.house } else { &mut backing.users };
            pair.yes += position.yes.total();
            pair.no += position.no.total();
        }
        backing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invariants::stage::{ALICE, BOOK, POOL, healthy};
    use crate::ledger::Account;

    #[test]
    fn all_accounts_of_a_currency_sum_to_zero_and_every_listing_is_backed() {
        let exchange = healthy();
        for currency in Currency::ALL {
            let accounts = exchange.all_accounts(currency);
            assert_eq!(accounts.sum(), Money::ZERO, "{accounts:?}");
            assert_eq!(accounts.external, -exchange.ledger().deposited(currency));
        }
        let backing = exchange.all_backing();
        let listings: Vec<_> = backing.iter().map(|backing| backing.listing).collect();
        let twin = |listing: ListingIndex| ListingIndex::new(listing.market(), Currency::Ngn);
        assert_eq!(listings, [BOOK, twin(BOOK), POOL, twin(POOL)], "settled markets have nothing to show");
        assert!(backing.iter().all(Backing::is_backed), "{backing:?}");
        assert_eq!(backing[0].collateral, Money::whole(100));
        assert_eq!(backing[0].users, Pair { yes: Shares::whole(100), no: Shares::whole(100) });
        assert_eq!(backing[2].pool, Pair { yes: Shares::whole(1_000), no: Shares::whole(1_000) });
    }

    #[test]
    fn a_share_out_of_nowhere_is_not_backed_and_money_out_of_nowhere_does_not_sum_to_zero() {
        let mut exchange = healthy();
        let slot = exchange.directory.user(ALICE).positions[&BOOK];
        exchange.positions[slot].yes.free += Shares::new(1);
        assert!(!exchange.all_backing()[0].is_backed());
        exchange.ledger.spoil(Currency::Usd, Account::Free(ALICE), Money::new(1));
        assert_eq!(exchange.all_accounts(Currency::Usd).sum(), Money::new(1));
        assert_eq!(exchange.all_accounts(Currency::Ngn).sum(), Money::ZERO);
    }
}
