//! Compares a people store with a state, copies it, removes surplus rows and rewraps its keys.

use std::collections::BTreeSet;

use api::signing::MasterKey;
use exchange::Exchange;
use exchange::id::{RowId, UserId};
use exchange::time::Time;

use super::entries::StoredEntry;
use super::sealing::WrappingKey;
use super::{LOOKUP_KEY, PUSH_KEY, PeopleError, RowHead, Rows, WRAPPED_UNDER, persons};
use crate::secrets::fingerprint;

const PAGE: usize = 1_000;
const SETTINGS: [&str; 3] = [LOOKUP_KEY, PUSH_KEY, WRAPPED_UNDER];

/// The differences between a store and a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreDifferences {
    pub rows: u64,
    /// Persons whose row is missing.
    pub missing: Vec<UserId>,
    /// Erased persons who still have rows.
    pub not_erased: Vec<UserId>,
    /// Rows that are not a person's current row. They are removed after their expiry.
    pub unnamed: u64,
}

/// Checks that every person has the row that the state names, and counts all other rows.
pub fn compare(rows: &mut dyn Rows, exchange: &Exchange) -> Result<StoreDifferences, PeopleError> {
    let directory = exchange.directory();
    let mut compared = StoreDifferences::default();
    let mut found = BTreeSet::new();
    each(rows, |row| {
        compared.rows += 1;
        let user = directory.find(row.person).map(|index| directory.user(index));
        match user.is_some_and(|user| user.row == Some(row.id)) {
            true => drop(found.insert(row.person)),
            false => compared.unnamed += 1,
        }
        if user.is_some_and(|user| user.erased) && !compared.not_erased.contains(&row.person) {
            compared.not_erased.push(row.person);
        }
        Ok(())
    })?;
    compared.missing =
        persons(exchange).map(|(person, _)| person).filter(|person| !found.contains(person)).collect();
    each_entry(rows, |entry| {
        let user = directory.find(entry.person).map(|index| directory.user(index));
        if user.is_some_and(|user| user.erased) && !compared.not_erased.contains(&entry.person) {
            compared.not_erased.push(entry.person);
        }
        Ok(())
    })?;
    Ok(compared)
}

/// Decrypts every current row and compares its address with the hash in the state. Returns the number of persons
/// checked.
pub fn open_all(rows: &mut dyn Rows, exchange: &Exchange, master: &MasterKey) -> Result<u64, PeopleError> {
    let wrapping = WrappingKey::derive(master);
    let lookup = wrapping.unwrap_lookup(&rows.setting(LOOKUP_KEY)?.unwrap_or_default())?;
    let directory = exchange.directory();
    let mut opened = 0;
    each(rows, |row| {
        let Some(user) = directory.find(row.person).map(|index| directory.user(index)) else { return Ok(()) };
        if user.row == Some(row.id) {
            let known = wrapping.open(row, row.person)?;
            let hash = lookup.hash("address", &[&known.email]);
            if user.address != Some(hash) {
                return Err(PeopleError::Sealed("the address in a row"));
            }
            opened += 1;
        }
        Ok(())
    })?;
    Ok(opened)
}

/// Removes the rows and entries of every person whom the journal names as erased.
pub fn erase_again(rows: &mut dyn Rows, exchange: &Exchange) -> Result<usize, PeopleError> {
    let directory = exchange.directory();
    let mut gone: Vec<RowId> = Vec::new();
    let persons: Vec<UserId> = directory.erased().iter().map(|index| directory.user(*index).id).collect();
    for person in &persons {
        gone.extend(rows.of_person(*person)?.into_iter().map(|head| head.id));
    }
    rows.remove_entries_of(&persons)?;
    rows.erase(&gone)?;
    Ok(gone.len())
}

/// Removes expired rows that are not a person's current row.
pub fn remove_unnamed(rows: &mut dyn Rows, exchange: &Exchange) -> Result<usize, PeopleError> {
    let is_unnamed = |head: &RowHead| !exchange.directory().names_row(head.person, head.id);
    let expired = rows.expired(Time::ZERO, exchange.now())?;
    let unnamed: Vec<RowId> = expired.into_iter().filter(is_unnamed).map(|head| head.id).collect();
    rows.remove(&unnamed)?;
    Ok(unnamed.len())
}

/// Copies the rows and entries that the other store lacks. Keys stay wrapped as they are, so both stores need the same master key.
pub fn copy(from: &mut dyn Rows, to: &mut dyn Rows) -> Result<(), PeopleError> {
    for name in SETTINGS {
        if let Some(value) = from.setting(name)? {
            to.set_once(name, &value)?;
        }
    }
    let known = ids(to)?;
    each(from, |row| if known.contains(&row.id) { Ok(()) } else { to.insert(row) })?;
    let mut known = BTreeSet::new();
    each_entry(to, |entry| {
        known.insert(entry.id);
        Ok(())
    })?;
    each_entry(from, |entry| match known.contains(&entry.id) {
        true => Ok(()),
        false => to.insert_entry(entry, None, None).map(drop),
    })
}

pub fn ids(rows: &mut dyn Rows) -> Result<BTreeSet<RowId>, PeopleError> {
    let mut ids = BTreeSet::new();
    each(rows, |row| {
        ids.insert(row.id);
        Ok(())
    })?;
    Ok(ids)
}

/// Whether a store has neither rows nor a lookup key.
pub fn is_empty(rows: &mut dyn Rows) -> Result<bool, PeopleError> {
    Ok(rows.setting(LOOKUP_KEY)?.is_none() && rows.page(None, 1)?.is_empty())
}

/// Whether a store's keys are wrapped under this master key.
pub fn is_wrapped_under(rows: &mut dyn Rows, master: &MasterKey) -> Result<bool, PeopleError> {
    Ok(rows.setting(WRAPPED_UNDER)?.as_deref() == Some(fingerprint(master).as_bytes()))
}

/// Wraps the lookup key and all rows' keys under a new master key, atomically. Returns the number of rows.
pub fn rewrap(rows: &mut dyn Rows, old: &MasterKey, new: &MasterKey) -> Result<usize, PeopleError> {
    let (unwrapping, wrapping) = (WrappingKey::derive(old), WrappingKey::derive(new));
    let lookup = unwrapping.unwrap_lookup(&rows.setting(LOOKUP_KEY)?.unwrap_or_default())?;
    let mut keys = Vec::new();
    each(rows, |row| {
        keys.push((row.id, unwrapping.rewrap(row, &wrapping)?));
        Ok(())
    })?;
    let mut entries = Vec::new();
    each_entry(rows, |entry| {
        entries.push((entry.id, unwrapping.rewrap_entry(entry, &wrapping)?));
        Ok(())
    })?;
    let mut settings = vec![
        (LOOKUP_KEY, wrapping.wrap_lookup(&lookup)),
        (WRAPPED_UNDER, fingerprint(new).as_bytes().to_vec()),
    ];
    if let Some(push_key) = rows.setting(PUSH_KEY)? {
        settings.push((PUSH_KEY, wrapping.wrap_push_key(&unwrapping.unwrap_push_key(&push_key)?)));
    }
    rows.rewrap(&keys, &entries, &settings)?;
    Ok(keys.len())
}

/// Calls `see` for every row, in order of ids.
fn each(
    rows: &mut dyn Rows,
    mut see: impl FnMut(&super::StoredRow) -> Result<(), PeopleError>,
) -> Result<(), PeopleError> {
    let mut after = None;
    loop {
        let page = rows.page(after, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.id);
        page.iter().try_for_each(&mut see)?;
    }
}

/// Calls `see` for every entry, in order of serials.
fn each_entry(
    rows: &mut dyn Rows,
    mut see: impl FnMut(&StoredEntry) -> Result<(), PeopleError>,
) -> Result<(), PeopleError> {
    let mut after = 0;
    loop {
        let page = rows.entries_after(after, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.serial;
        page.iter().try_for_each(&mut see)?;
    }
}
