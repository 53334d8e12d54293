//! The references of credits, debits and moved fees: each is used once, for ever. An exact repeat is told from a clash by what
//! used the reference.
//!
//! They are kept for ever, so little of each is: half a hash under the first rules, and under rules 4 ten bytes of it beside
//! the sequence and a part of the hash of what it moved.

use std::collections::{BTreeMap, BTreeSet};

use crate::command::{Command, CreditWallet, DebitWallet, MoveFees};
use crate::exchange::Exchange;
use crate::numbers::{Currency, Money};
use crate::reject::Reject;

#[derive(Clone, Debug, Default)]
pub(crate) struct References {
    /// Of credits and debits before rules 4: it is not known what used them.
    pub(crate) older: BTreeSet<u128>,
    pub(crate) used: BTreeMap<Short, [u8; 8]>,
}

/// The first bytes of a reference's hash.
pub(crate) type Short = [u8; 10];

/// Bits for the hash of a movement; the others are its sequence.
const MOVEMENT_BITS: u32 = 22;

/// What used a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReferenceUse {
    seq: u64,
    movement: u64,
}

impl ReferenceUse {
    const fn to_bytes(self) -> [u8; 8] {
        (self.seq << MOVEMENT_BITS | self.movement).to_be_bytes()
    }

    const fn of_bytes(bytes: [u8; 8]) -> ReferenceUse {
        let both = u64::from_be_bytes(bytes);
        ReferenceUse { seq: both >> MOVEMENT_BITS, movement: both & ((1 << MOVEMENT_BITS) - 1) }
    }
}

impl References {
    pub(crate) fn contains(&self, reference: u128) -> bool {
        self.older.contains(&reference) || self.used.contains_key(&short(reference))
    }
}

fn short(reference: u128) -> Short {
    let mut short = [0; 10];
    short.copy_from_slice(&reference.to_be_bytes()[..10]);
    short
}

impl Exchange {
    /// Notes a movement of money under its reference.
    pub(crate) fn use_reference(&mut self, reference: u128, account: u32, currency: Currency, amount: Money) {
        if self.since(4) {
            let used = ReferenceUse { seq: self.seq, movement: hash_movement(account, currency, amount) };
            self.references.used.insert(short(reference), used.to_bytes());
        } else {
            self.references.older.insert(reference);
        }
    }

    /// The sequence at which exactly this movement of money was done under its reference. Another one under the same
    /// reference is refused, with the earlier one's sequence.
    pub(crate) fn find_same_movement(&self, command: &Command) -> Result<Option<u64>, Reject> {
        let account = |user| self.directory.find(user).map(|user| user.0);
        let (reference, account, currency, amount) = match command {
            Command::CreditWallet(CreditWallet { user, currency, amount, reference }) => {
                (reference, account(*user), *currency, *amount)
            }
            Command::DebitWallet(DebitWallet { user, currency, amount, reference }) => {
                (reference, account(*user), *currency, -*amount)
            }
            Command::MoveFees(MoveFees { currency, amount, to, reference }) => {
                (reference, Some(MoveFees::account(*to)), *currency, *amount)
            }
            _ => return Ok(None),
        };
        let Some(used) = self.references.used.get(&short(hash_reference(reference))) else { return Ok(None) };
        let ReferenceUse { seq, movement } = ReferenceUse::of_bytes(*used);
        let is_same = account.is_some_and(|account| hash_movement(account, currency, amount) == movement);
        if is_same { Ok(Some(seq)) } else { Err(Reject::ReferenceUsed { seq }) }
    }
}

fn hash_movement(account: u32, currency: Currency, amount: Money) -> u64 {
    let mut bytes = [0; 13];
    bytes[..4].copy_from_slice(&account.to_be_bytes());
    bytes[4] = currency as u8;
    bytes[5..].copy_from_slice(&amount.units().to_be_bytes());
    let mut part = [0; 8];
    part.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
    u64::from_be_bytes(part) >> (64 - MOVEMENT_BITS)
}

pub(crate) fn hash_reference(reference: &str) -> u128 {
    let hash = blake3::hash(reference.as_bytes());
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_be_bytes(half)
}
