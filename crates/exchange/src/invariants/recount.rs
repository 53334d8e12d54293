//! A second ledger, computed only from the changes that the exchange reports.
//!
//! Every posting has a `Change`. Their sum must equal every account exactly: a posting that is missing, duplicated or
//! wrong shows here even if all accounts still balance. Money on hold counts as the user's.

use std::collections::BTreeMap;

use super::{Broken, ensure};
use crate::change::{Change, MatchType, Party, SetsChange, Trade};
use crate::command::FeesTo;
use crate::exchange::Exchange;
use crate::id::{MarketId, UserId};
use crate::index::ListingIndex;
use crate::numbers::{Currency, Money, PerCurrency};
use crate::order::{OrderRecord, Side};

pub const LEDGER_IS_WHAT_WAS_REPORTED: &str = "1 every account is the sum of what was reported";

#[derive(Clone, Debug, Default)]
struct RecountedAccounts {
    external: Money,
    fees: Money,
    wallets: BTreeMap<UserId, Money>,
    collateral: BTreeMap<MarketId, Money>,
}

/// Accounts computed from changes. Starts empty, like an exchange.
#[derive(Clone, Debug, Default)]
pub struct Recount {
    accounts: PerCurrency<RecountedAccounts>,
}

impl Recount {
    /// Starts with the accounts of an existing state, which are taken as correct.
    pub fn of(exchange: &Exchange) -> Recount {
        let mut recount = Recount::default();
        for currency in Currency::ALL {
            let ledger = exchange.ledger.accounts(currency);
            let counted = recount.accounts.get_mut(currency);
            (counted.external, counted.fees) = (ledger.external(), ledger.fees());
            for (index, user) in exchange.directory.users() {
                counted.wallets.insert(user.id, exchange.ledger.wallet(index, currency).total());
            }
            for (index, market) in exchange.catalogue.markets() {
                let collateral = exchange.ledger.collateral(ListingIndex::new(index, currency));
                counted.collateral.insert(market.id, collateral);
            }
        }
        recount
    }

    /// Adds the changes of one `apply`.
    pub fn follow(&mut self, changes: &[Change]) {
        let mut before: Option<&Change> = None;
        for change in changes {
            match change {
                Change::Funds { user, currency, amount, .. } => {
                    self.accounts.get_mut(*currency).external -= *amount;
                    self.pay(*user, *currency, *amount);
                }
                Change::FeesMoved { currency, amount, to, .. } => {
                    self.accounts.get_mut(*currency).fees -= *amount;
                    match to {
                        FeesTo::House => self.pay(Exchange::HOUSE, *currency, *amount),
                        FeesTo::Outside => self.accounts.get_mut(*currency).external += *amount,
                    }
                }
                Change::Trade(trade) => self.trade(trade),
                Change::Sets(sets) => self.sets(sets),
                // The order that moved a pool is reported just before.
                Change::PoolMoved { .. } => {
                    if let Some(Change::Order { record, .. }) = before {
                        self.pool_trade(record);
                    }
                }
                Change::PoolSeeded { market, currency, sets, .. } => {
                    let cash = sets.payout(*currency);
                    self.pay(Exchange::HOUSE, *currency, -cash);
                    self.back(*market, *currency, cash);
                }
                Change::Settled(settled) => {
                    self.pay(settled.user, settled.currency, settled.payout);
                    self.back(settled.market, settled.currency, -settled.payout);
                }
                Change::EventRetired(retired) => {
                    let markets = retired.markets.iter().map(|retired| retired.market.id);
                    markets.for_each(|market| self.forget(market));
                }
                _ => {}
            }
            before = Some(change);
        }
    }

    fn trade(&mut self, trade: &Trade) {
        let Trade { market, currency, size, taker_fee, .. } = *trade;
        let cash = |party: &Party| {
            let value = size.value_at(party.price.into(), currency);
            match party.side {
                Side::Buy => -value,
                Side::Sell => value,
            }
        };
        self.pay(trade.taker.user, currency, cash(&trade.taker) - taker_fee);
        self.pay(trade.maker.user, currency, cash(&trade.maker));
        self.accounts.get_mut(currency).fees += taker_fee;
        match trade.match_type {
            MatchType::Direct => {}
            MatchType::Mint => self.back(market, currency, size.payout(currency)),
            MatchType::Merge => self.back(market, currency, -size.payout(currency)),
        }
    }

    fn sets(&mut self, sets: &SetsChange) {
        let cash = match sets.side {
            Side::Buy => sets.cash,
            Side::Sell => -sets.cash,
        };
        self.pay(sets.user, sets.currency, -cash);
        self.back(sets.market, sets.currency, cash);
    }

    fn pool_trade(&mut self, record: &OrderRecord) {
        let (value, fee) = (record.terms.value, record.terms.fee);
        let into_pool = match record.terms.side {
            Side::Buy => value,
            Side::Sell => -value,
        };
        self.pay(record.user, record.currency, -into_pool - fee);
        self.back(record.market, record.currency, into_pool);
        self.accounts.get_mut(record.currency).fees += fee;
    }

    fn pay(&mut self, user: UserId, currency: Currency, amount: Money) {
        *self.accounts.get_mut(currency).wallets.entry(user).or_default() += amount;
    }

    fn back(&mut self, market: MarketId, currency: Currency, amount: Money) {
        *self.accounts.get_mut(currency).collateral.entry(market).or_default() += amount;
    }

    /// A market left memory. A non-zero collateral is kept, so that `check` finds it.
    fn forget(&mut self, market: MarketId) {
        for currency in Currency::ALL {
            let collateral = &mut self.accounts.get_mut(currency).collateral;
            if collateral.get(&market) == Some(&Money::ZERO) {
                collateral.remove(&market);
            }
        }
    }

    /// Compares every account of the ledger with the computed one.
    pub fn check(&self, exchange: &Exchange) -> Result<(), Broken> {
        Currency::ALL.into_iter().try_for_each(|currency| self.check_currency(exchange, currency))
    }

    fn check_currency(&self, exchange: &Exchange, currency: Currency) -> Result<(), Broken> {
        let (counted, ledger) = (self.accounts.get(currency), exchange.ledger.accounts(currency));
        let same = |name: &dyn Fn() -> String, found: Money, wanted: Money| {
            ensure(found == wanted, LEDGER_IS_WHAT_WAS_REPORTED, || {
                format!("{} {}: {found}, the changes sum to {wanted}", currency.code(), name())
            })
        };
        same(&|| "external".to_owned(), ledger.external(), counted.external)?;
        same(&|| "fees".to_owned(), ledger.fees(), counted.fees)?;
        for (market, wanted) in &counted.collateral {
            if exchange.catalogue.find_market(*market).is_none() {
                same(&|| format!("collateral of market {market}"), Money::ZERO, *wanted)?;
            }
        }
        for (index, user) in exchange.directory.users() {
            let wanted = counted.wallets.get(&user.id).copied().unwrap_or_default();
            same(
                &|| format!("of user {}", user.id),
                exchange.ledger.wallet(index, currency).total(),
                wanted,
            )?;
        }
        for (index, market) in exchange.catalogue.markets() {
            let wanted = counted.collateral.get(&market.id).copied().unwrap_or_default();
            let found = exchange.ledger.collateral(ListingIndex::new(index, currency));
            same(&|| format!("collateral of market {}", market.id), found, wanted)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::{ALICE, BOB, BOOK, healthy, limit, place};
    use super::super::{check_all, rule};
    use super::*;
    use crate::ledger::Account;
    use crate::numbers::Shares;
    use crate::order::Outcome;

    /// Bob has taken ten shares from Alice, with a fee; a recount followed.
    fn traded() -> (Exchange, Recount) {
        let mut exchange = healthy();
        let mut recount = Recount::of(&exchange);
        place(&mut exchange, ALICE, limit(20, Outcome::Yes, Side::Sell, Shares::whole(10), 55));
        recount.follow(exchange.changes());
        place(&mut exchange, BOB, limit(21, Outcome::Yes, Side::Buy, Shares::whole(10), 55));
        recount.follow(exchange.changes());
        (exchange, recount)
    }

    #[test]
    fn a_ledger_that_posted_everything_is_what_was_reported() {
        let (exchange, recount) = traded();
        assert_eq!(recount.check(&exchange), Ok(()));
        assert!(exchange.ledger.accounts(Currency::Usd).fees() > Money::ZERO, "the trade has a fee");
    }

    /// Each case undoes one posting of the last trade, wholly or in part. The accounts still sum to zero.
    #[test]
    fn a_missing_posting_is_found_even_where_all_accounts_balance() {
        let fee = Money::new(110_000);
        let value = Money::new(5_500_000);
        let plants: [(&str, &[(Account, Money)]); 3] = [
            ("the fee", &[(Account::Fees, -fee), (Account::Free(BOB), fee)]),
            ("the price", &[(Account::Free(ALICE), -value), (Account::Free(BOB), value)]),
            ("a credit", &[(Account::Free(BOB), -value), (Account::External, value)]),
        ];
        for (what, legs) in plants {
            let (mut exchange, recount) = traded();
            exchange.ledger.post(Currency::Usd, legs);
            assert_eq!(check_all(&exchange), Ok(()), "{what}: a single state does not show it");
            let broken = recount.check(&exchange).expect_err(what);
            assert_eq!(broken.rule, LEDGER_IS_WHAT_WAS_REPORTED, "{what}: {broken}");
        }
    }

    #[test]
    fn a_posting_for_one_account_alone_is_found_by_both() {
        let (mut exchange, recount) = traded();
        exchange.ledger.spoil(Currency::Usd, Account::Collateral(BOOK), -Money::new(1));
        assert_eq!(check_all(&exchange).expect_err("a hole").rule, rule::ACCOUNTS_SUM_TO_ZERO);
        recount.check(&exchange).expect_err("a hole");
    }
}
