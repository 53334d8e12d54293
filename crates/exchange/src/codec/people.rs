//! Users and operators with their sessions and keys, login attempts, idempotency records.
//!
//! Counts of open orders and remembered keys are not encoded; they are recounted.

use minicbor::encode::Write;
use minicbor::{Decode, Decoder, Encode, Encoder};

use super::{Read, Written, check, found, read_list, read_record, write_list};
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::idempotency::{IdempotencyKey, IdempotencyMemory, RememberedKey};
use crate::identity::{CONNECTIONS_MAX, Directory, OPERATOR_SESSIONS_MAX, Operator, RESETS_MAX, User};
use crate::time::Time;

pub(super) fn write_directory<W: Write>(e: &mut Encoder<W>, directory: &Directory) -> Written<W> {
    write_list(e, directory.users.iter(), write_user)?;
    e.encode(directory.master_key)?;
    write_list(e, directory.operators.values(), |e, operator| e.encode(operator)?.ok())?;
    for attempts in directory.login_limit.counts() {
        write_list(e, attempts.in_order(), |e, (at, key)| e.array(2)?.encode(at)?.encode(key)?.ok())?;
    }
    Ok(())
}

pub(super) fn read_directory(d: &mut Decoder<'_>, exchange: &mut Exchange) -> Read<()> {
    read_list(d, |d| {
        let user = read_user(d)?;
        let directory = &exchange.directory;
        check(directory.find(user.id).is_none(), "a user is unique")?;
        let known = user.address.and_then(|address| directory.find_by_address(address));
        check(known.is_none(), "an address is unique")?;
        check(directory.find_by_tag(&user.tag).is_none(), "a tag is unique")?;
        for key in user.keys.iter() {
            check(directory.find_by_key(key.id).is_none(), "a key is unique")?;
        }
        for session in user.sessions.iter() {
            check(directory.find_by_session(session.id).is_none(), "a session is unique")?;
        }
        for reset in user.password_resets.iter() {
            check(directory.find_reset(reset.token_hash).is_none(), "a password reset is unique")?;
        }
        // The wallets come with the ledger.
        exchange.directory.add_user(user);
        Ok(())
    })?;
    let first = exchange.directory.users.get(0);
    check(first.is_some_and(|user| user.id == Exchange::HOUSE), "the house is the first user")?;
    exchange.directory.master_key = d.decode()?;
    read_list(d, |d| {
        let operator: Operator = d.decode()?;
        check(
            operator.sessions.len() <= OPERATOR_SESSIONS_MAX,
            "an operator has no more sessions than allowed",
        )?;
        for session in &operator.sessions {
            let found = exchange.directory.find_operator_session(session.token_hash);
            check(found.is_none(), "an operator's session is unique")?;
        }
        exchange.directory.add_operator(operator);
        Ok(())
    })?;
    for attempts in exchange.directory.login_limit.counts_mut() {
        read_list(d, |d| {
            read_record(d, 2)?;
            check(attempts.restore(d.decode()?, d.decode()?), "a login attempt was allowed when it was made")
        })?;
    }
    Ok(())
}

fn write_user<W: Write>(e: &mut Encoder<W>, user: &User) -> Written<W> {
    e.array(15)?;
    e.encode(user.id)?.encode(user.address)?.encode(&user.tag)?.encode(user.row)?;
    e.u32(user.password_version)?.encode(&user.password_resets)?.bool(user.disabled)?.bool(user.frozen)?;
    e.bool(user.erased)?
        .encode(user.created_at)?
        .encode(&*user.sessions)?
        .encode(&*user.keys)?
        .encode(&user.watchlist)?;
    e.encode(user.cancel_at)?.encode(&user.connections)?.ok()
}

fn read_user(d: &mut Decoder<'_>) -> Read<User> {
    read_record(d, 15)?;
    let (id, address) = (d.decode()?, d.decode()?);
    let mut user = User::new(id, d.decode()?, Default::default());
    user.address = address;
    user.row = d.decode()?;
    user.password_version = d.decode()?;
    user.password_resets = d.decode()?;
    check(user.password_resets.len() <= RESETS_MAX, "a user has no more password resets than allowed")?;
    user.disabled = d.decode()?;
    user.frozen = d.decode()?;
    user.erased = d.decode()?;
    user.created_at = d.decode()?;
    user.sessions = d.decode::<Vec<_>>()?.into();
    user.keys = d.decode::<Vec<_>>()?.into();
    user.watchlist = d.decode()?;
    user.cancel_at = d.decode()?;
    user.connections = d.decode()?;
    check(user.connections.len() <= CONNECTIONS_MAX, "a user has no more armed connections than allowed")?;
    let is_gone =
        user.address.is_none() && user.row.is_none() && user.sessions.is_empty() && user.keys.is_empty();
    check(!user.erased || is_gone, "an erased user has no address, row, session or key")?;
    Ok(user)
}

/// A remembered key as it is written.
#[derive(Encode, Decode)]
struct StoredKey {
    #[n(0)]
    key: IdempotencyKey,
    #[n(1)]
    seq: u64,
    #[n(2)]
    user: u32,
    #[n(3)]
    at: Time,
    /// Only under rules 5.
    #[n(4)]
    operator: Option<OperatorId>,
}

pub(super) fn write_memory<W: Write>(e: &mut Encoder<W>, memory: &IdempotencyMemory) -> Written<W> {
    e.array(memory.len() as u64)?;
    for (remembered, operator) in memory.remembered() {
        let RememberedKey { key, seq, user, at } = *remembered;
        e.encode(StoredKey { key, seq, user, at, operator })?;
    }
    Ok(())
}

pub(super) fn read_memory(d: &mut Decoder<'_>, exchange: &mut Exchange) -> Read<()> {
    read_list(d, |d| {
        let StoredKey { key, seq, user, at, operator } = d.decode()?;
        check(exchange.memory.find(&key).is_none(), "an idempotency key is unique")?;
        let is_known = operator.is_none_or(|operator| exchange.directory.operator(operator).is_some());
        check(is_known, "an idempotency key has its operator")?;
        let owner = exchange.directory.users.get_mut(user as usize);
        found(owner, "an idempotency key has its user")?.open_orders.idempotency_keys += 1;
        exchange.memory.remember(RememberedKey { key, seq, user, at }, operator);
        Ok(())
    })
}
