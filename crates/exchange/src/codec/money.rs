//! All accounts, and the references of credits and debits.
//!
//! Money on hold is not encoded; it is restored with the open orders.

use std::collections::BTreeSet;

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::{Read, Written, check, found, read_list, read_record, write_list};
use crate::exchange::Exchange;
use crate::ledger::Ledger;
use crate::numbers::Currency;

pub(super) fn write_ledger<W: Write>(e: &mut Encoder<W>, ledger: &Ledger) -> Written<W> {
    for currency in Currency::ALL {
        let accounts = ledger.accounts(currency);
        e.array(4)?.encode(accounts.external)?.encode(accounts.fees)?;
        write_list(e, accounts.wallets.iter(), |e, wallet| {
            e.array(2)?.encode(wallet.free)?.encode(wallet.moved_at)?.ok()
        })?;
        write_list(e, accounts.collateral.values(), |e, collateral| e.encode(collateral)?.ok())?;
    }
    Ok(())
}

/// Decodes the ledger. The users exist already, each with an empty wallet.
pub(super) fn read_ledger(d: &mut Decoder<'_>, exchange: &mut Exchange) -> Read<()> {
    for currency in Currency::ALL {
        let accounts = exchange.ledger.accounts.get_mut(currency);
        read_record(d, 4)?;
        accounts.external = d.decode()?;
        accounts.fees = d.decode()?;
        let mut wallets = accounts.wallets.iter_mut();
        read_list(d, |d| {
            let wallet = found(wallets.next(), "a wallet has its user")?;
            read_record(d, 2)?;
            (wallet.free, wallet.moved_at) = (d.decode()?, d.decode()?);
            Ok(())
        })?;
        check(wallets.next().is_none(), "a user has a wallet")?;
        read_list(d, |d| {
            accounts.collateral.push(d.decode()?);
            Ok(())
        })?;
    }
    Ok(())
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
