//! All accounts, and the references of credits and debits.
//!
//! Money on hold is not encoded; it is restored with the open orders.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::{Read, Written, check, found, read_list, read_record, write_list};
use crate::catalogue::table::Table;
use crate::ledger::{Accounts, Ledger, Wallet};
use crate::numbers::{Currency, Money, PerCurrency};
use crate::pages::Pages;
use crate::references::References;

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

/// A reference has 16 bytes, or 18 if it is known what used it, which only rules 4 note; those come last.
pub(super) fn write_references<W: Write>(e: &mut Encoder<W>, references: &References) -> Written<W> {
    let References { older, used } = references;
    e.array((older.len() + used.len()) as u64)?;
    for reference in older {
        e.bytes(&reference.to_be_bytes())?;
    }
    for (short, used) in used {
        e.bytes(&[short.as_slice(), used].concat())?;
    }
    e.ok()
}

pub(super) fn read_references(d: &mut Decoder<'_>, references: &mut References) -> Read<()> {
    read_list(d, |d| {
        let bytes = d.bytes()?;
        let is_new = match bytes.split_first_chunk::<10>() {
            Some((short, used)) if bytes.len() == 18 => {
                let used = found(used.try_into().ok(), "a use has 8 bytes")?;
                references.used.insert(*short, used).is_none()
            }
            _ => {
                let bytes = found(bytes.try_into().ok(), "a reference has 16 bytes or 18")?;
                references.older.insert(u128::from_be_bytes(bytes))
            }
        };
        check(is_new, "a reference is unique")
    })
}
