//! `SeedPool`: the house puts the first sets into a market's pool, at a price.
//!
//! The whole cash of a seed is the cost of the pool. Left-over shares go to the house's position at no cost. At
//! settlement the pool's shares and their cost join that position, so the house's result in a market is exact: its
//! payout minus its investment.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::{Engine, Status, Venue};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::index::{ListingIndex, UserIndex};
use crate::ledger::Account;
use crate::numbers::{Currency, Money, Price, Shares};
use crate::pool::{Pool, Seed, SeedError};
use crate::reject::Reject;
use crate::reply::Reply;

impl From<SeedError> for Reject {
    fn from(error: SeedError) -> Reject {
        match error {
            SeedError::Empty => Reject::NoWholeSet,
            SeedError::TooLarge => Reject::PoolTooLarge,
            SeedError::OutsideBand => Reject::PoolOutsideBand,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SeedPool {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub currency: Currency,
    #[n(2)]
    pub amount: Money,
    #[n(3)]
    pub price: Price,
}

impl Exchange {
    pub(crate) fn seed_pool(&mut self, caller: Caller, command: &SeedPool) -> Result<Reply, Reject> {
        let SeedPool { market, currency, amount, price } = *command;
        let (listing, sets, seed) = self.check_seed(market, currency, amount, price)?;
        self.check_seed_caps(caller, currency, amount)?;
        self.count_seed(caller, currency, amount);
        self.put_into_pool(listing, sets, seed);
        Ok(Reply::Done)
    }

    pub(crate) fn check_seed(
        &self,
        market: MarketId,
        currency: Currency,
        amount: Money,
        price: Price,
    ) -> Result<(ListingIndex, Shares, Seed), Reject> {
        let (listing, sets) = self.check_pool(market, currency, amount)?;
        if self.catalogue.listing(listing).pool().is_some() {
            return Err(Reject::PoolAlreadySeeded);
        }
        let seed = Pool::seed(sets, price)?;
        self.check_house(sets, currency)?;
        Ok((listing, sets, seed))
    }

    /// The pool that the house may add money to, and the number of whole sets that the money buys.
    pub(crate) fn check_pool(
        &self,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Result<(ListingIndex, Shares), Reject> {
        if amount <= Money::ZERO {
            return Err(Reject::AmountNotPositive);
        }
        let sets = Shares::sets(amount, currency);
        if sets == Shares::ZERO {
            return Err(Reject::NoWholeSet);
        }
        let index = self.catalogue.find_market(market).ok_or(Reject::MarketNotFound)?;
        let market = self.catalogue.market(index);
        let event = self.catalogue.event(market.event);
        if event.engine != Engine::Amm {
            return Err(Reject::UnsupportedEngine);
        }
        if !event.supports(currency) {
            return Err(Reject::UnsupportedCurrency);
        }
        match market.status {
            Status::Draft | Status::Open | Status::Paused => Ok((ListingIndex::new(index, currency), sets)),
            status => Err(Reject::StatusNotAllowed { status }),
        }
    }

    pub(crate) fn check_house(&self, sets: Shares, currency: Currency) -> Result<(), Reject> {
        let (need, have) = (sets.payout(currency), self.ledger.wallet(UserIndex::HOUSE, currency).free);
        if need > have { Err(Reject::InsufficientBalance { need, have }) } else { Ok(()) }
    }

    /// Converts the house's money into sets and adds them to the pool; left-over shares go to the house.
    pub(crate) fn put_into_pool(&mut self, listing: ListingIndex, sets: Shares, seed: Seed) {
        let (currency, cash) = (listing.currency(), sets.payout(listing.currency()));
        self.ledger.post(
            currency,
            &[(Account::Free(UserIndex::HOUSE), -cash), (Account::Collateral(listing), cash)],
        );
        let slot = self.position_slot(UserIndex::HOUSE, listing);
        let position = &mut self.positions[slot];
        position.changed_at = self.now;
        position.yes.buy(seed.left_yes, Money::ZERO);
        position.no.buy(seed.left_no, Money::ZERO);

        let market = self.catalogue.market(listing.market()).id;
        self.catalogue.listing_mut(listing).venue = Venue::Pool(Some(seed.pool));
        let yes_price = self.catalogue.listing(listing).yes_price();
        self.changes.push(Change::PoolSeeded { market, currency, sets, yes_price });
    }
}
