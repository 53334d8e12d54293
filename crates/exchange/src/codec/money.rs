//! All accounts, and the references of credits and debits.
//!
//! Money on hold is not encoded; it is restored with the open orders.

use std::collections::BTreeSet;

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::{Read, Written, check, found, read_list, read_record, write_list};
use crate::catalogue::table::Table;
use crate::ledger::{Accounts, Ledger, Wallet};
use crate::numbers::{Currency, Money, PerCurrency};
use crate::pages::Pages;

pub(super) fn write_ledger<W: Write>(e: &mut Encoder<W>, ledger: &Ledger) -> Written<W> {
    for currency in Currency::ALL {
        let accounts = ledger.accounts(currency);
        e.array(4)?.encode(accounts.external())?.encode(accounts.fees())?;
        write_list(e, accounts.wallets(), |e, wallet| {
            e.array(2)?.encode(wallet.free)?.encode(wallet.moved_at)?.ok()
        })?;
        write_list(e, accounts.collateral().values(), |e, collateral| e.encode(collateral)?.ok())?;
    }
    Ok(())
}

/// The decoded accounts of a currency. They become a ledger when the open orders have added their holds.
#[derive(Debug, Default)]
pub(super) struct Balances {
    external: Money,
    fees: Money,
    pub(super) wallets: Pages<Wallet>,
    pub(super) collateral: Table<Money>,
}

impl From<Balances> for Accounts {
    fn from(balances: Balances) -> Accounts {
        Accounts::restored(balances.external, balances.fees, balances.wallets, balances.collateral)
    }
}

/// Decodes the balances of so many users.
pub(super) fn read_balances(d: &mut Decoder<'_>, users: usize) -> Read<PerCurrency<Balances>> {
    let mut all = PerCurrency::<Balances>::default();
    for currency in Currency::ALL {
        let balances = all.get_mut(currency);
        read_record(d, 4)?;
        balances.external = d.decode()?;
        balances.fees = d.decode()?;
        read_list(d, |d| {
            check(balances.wallets.len() < users, "a wallet has its user")?;
            read_record(d, 2)?;
            let (free, moved_at) = (d.decode()?, d.decode()?);
            balances.wallets.push(Wallet { free, held: Money::ZERO, moved_at });
            Ok(())
        })?;
        check(balances.wallets.len() == users, "a user has a wallet")?;
        read_list(d, |d| {
            balances.collateral.push(d.decode()?);
            Ok(())
        })?;
    }
    Ok(all)
}

pub(super) fn write_references<W: Write>(e: &mut Encoder<W>, references: &BTreeSet<u128>) -> Written<W> {
    write_list(e, references.iter(), |e, reference| e.bytes(&reference.to_be_bytes())?.ok())
}

pub(super) fn read_references(d: &mut Decoder<'_>, references: &mut BTreeSet<u128>) -> Read<()> {
    read_list(d, |d| {
        let bytes = found(d.bytes()?.try_into().ok(), "a reference has 16 bytes")?;
        check(references.insert(u128::from_be_bytes(bytes)), "a reference is unique")
    })
}
