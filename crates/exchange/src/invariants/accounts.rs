//! Rules 1 and 2: money is neither created nor lost, and no balance is negative.

use super::{Broken, ensure, rule};
use crate::exchange::Exchange;
use crate::ledger::Accounts;
use crate::numbers::{Currency, Money};

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    Currency::ALL
        .into_iter()
        .try_for_each(|currency| check_currency(exchange.ledger.accounts(currency), currency))
}

fn check_currency(accounts: &Accounts, currency: Currency) -> Result<(), Broken> {
    let wide = |money: Money| i128::from(money.units());
    let mut sum = wide(accounts.external()) + wide(accounts.fees());
    for (user, wallet) in accounts.wallets().enumerate() {
        let is_sound = !wallet.free.is_negative() && !wallet.held.is_negative();
        ensure(is_sound, rule::NOTHING_NEGATIVE, || {
            format!("user {user} has {wallet:?} {}", currency.code())
        })?;
        sum += wide(wallet.free) + wide(wallet.held);
    }
    let mut collateral_sum = 0;
    for (market, collateral) in accounts.collateral().iter() {
        ensure(!collateral.is_negative(), rule::NOTHING_NEGATIVE, || {
            format!("market {market} has collateral {collateral} {}", currency.code())
        })?;
        collateral_sum += wide(*collateral);
    }
    sum += collateral_sum;
    let fees = accounts.fees();
    ensure(!fees.is_negative(), rule::NOTHING_NEGATIVE, || format!("fees are {fees}"))?;
    ensure(sum == 0, rule::ACCOUNTS_SUM_TO_ZERO, || format!("{} is off by {sum} units", currency.code()))?;
    let total = wide(accounts.collateral_total());
    ensure(total == collateral_sum, rule::ACCOUNTS_SUM_TO_ZERO, || {
        format!("the total of collateral is {total}, not {collateral_sum} {}", currency.code())
    })
}
