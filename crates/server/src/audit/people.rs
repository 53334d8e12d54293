//! The people store in a backup, a restore, a verification and a copy. Rows are copied encrypted; only a verification
//! next to the master key decrypts them.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use exchange::Exchange;
use exchange::id::RowId;
use journal::postgres::{Database, Options};

use super::journal_copy::JournalPlace;
use super::verify::VerifyReport;
use crate::people::moving::{self, StoreDifferences};
use crate::people::{PAST, PeopleError, PostgresRows, Rows, SqliteRows};
use crate::secrets::master_key;

/// Opens a people store for changes, while no node uses it.
pub fn open_rows(place: &JournalPlace) -> Result<Box<dyn Rows>, PeopleError> {
    Ok(match place {
        JournalPlace::Folder(folder) => Box::new(SqliteRows::open(folder)?),
        JournalPlace::Database(url) => {
            Box::new(PostgresRows::open(&Database::open(url, Options::default())?)?)
        }
    })
}

/// Starts the copy of a backup, before its frames are copied, so that it includes rows that are replaced meanwhile.
pub(super) fn begin_copy(folder: &Path, target: &Path) -> Result<(), PeopleError> {
    match SqliteRows::open_reading(folder)? {
        Some(rows) => rows.copy_into(target),
        None => Ok(()),
    }
}

/// Finishes the copy of a backup whose state is `exchange`: adds new rows and removes expired ones that no person has.
pub(super) fn end_copy(
    folder: &Path,
    target: &Path,
    exchange: &Exchange,
) -> Result<StoreDifferences, PeopleError> {
    let Some(mut source) = SqliteRows::open_reading(folder)? else {
        return Ok(nothing(exchange));
    };
    let mut copy = SqliteRows::open(target)?;
    moving::copy(&mut source, &mut copy)?;
    level(copy, target, exchange)
}

/// Restores a backup's people store, if it has one, into a folder whose state is `exchange`. With a past state, the
/// store gets the rows that still exist and is marked as incomplete: rows replaced since then are gone. `latest` is the
/// state after all archived frames, so that persons erased after the restored point are erased again.
pub(super) fn restore(
    source: Option<&Path>,
    target: &Path,
    exchange: &Exchange,
    latest: &Exchange,
    is_past: bool,
) -> Result<StoreDifferences, PeopleError> {
    if let Some(source) = source {
        begin_copy(source, target)?;
    }
    if !is_past && !SqliteRows::file(target).try_exists()? {
        return Ok(nothing(exchange));
    }
    let mut copy = SqliteRows::open(target)?;
    if is_past {
        copy.set_once(PAST, &[])?;
    }
    moving::erase_again(&mut copy, latest)?;
    level(copy, target, exchange)
}

/// The comparison of a missing store with a state.
fn nothing(exchange: &Exchange) -> StoreDifferences {
    let missing = crate::people::persons(exchange).map(|(person, _)| person).collect();
    StoreDifferences { missing, ..StoreDifferences::default() }
}

/// Repeats the journal's erasures, removes expired rows that no person has, and leaves one durable file.
fn level(mut copy: SqliteRows, target: &Path, exchange: &Exchange) -> Result<StoreDifferences, PeopleError> {
    moving::erase_again(&mut copy, exchange)?;
    moving::remove_unnamed(&mut copy, exchange)?;
    let compared = moving::compare(&mut copy, exchange)?;
    copy.close_as_one_file()?;
    for path in [SqliteRows::file(target), target.join("people")] {
        File::open(path)?.sync_all()?;
    }
    Ok(compared)
}

/// Copies the rows that the target lacks. Called before and after the frames are copied, so that the copy has both the
/// rows replaced meanwhile and the new ones.
pub(super) fn copy(from: &JournalPlace, to: &mut dyn Rows) -> Result<(), PeopleError> {
    match from {
        JournalPlace::Folder(folder) => match SqliteRows::open_reading(folder)? {
            Some(mut rows) => moving::copy(&mut rows, to),
            None => Ok(()),
        },
        JournalPlace::Database(_) => moving::copy(&mut *open_rows(from)?, to),
    }
}

/// Finishes a copy: repeats the journal's erasures, and compares the result with the state.
pub(super) fn finish_copy(to: &mut dyn Rows, exchange: &Exchange) -> Result<StoreDifferences, PeopleError> {
    moving::erase_again(to, exchange)?;
    moving::compare(to, exchange)
}

/// The rows that existed before a verification read the journal. A serving node may replace rows meanwhile.
#[derive(Debug, Default)]
pub(super) struct EarlierRows(BTreeSet<RowId>);

impl EarlierRows {
    pub(super) fn of(folder: &Path) -> EarlierRows {
        let rows = SqliteRows::open_reading(folder).ok().flatten();
        EarlierRows(rows.and_then(|mut rows| moving::ids(&mut rows).ok()).unwrap_or_default())
    }

    /// Compares a folder's store with the state that the replay gave.
    pub(super) fn verify(self, folder: &Path, exchange: &Exchange, report: &mut VerifyReport) {
        if let Err(error) = self.look(folder, exchange, report) {
            report.problems.push(error.to_string());
        }
    }

    fn look(self, folder: &Path, exchange: &Exchange, report: &mut VerifyReport) -> Result<(), PeopleError> {
        let Some(mut rows) = SqliteRows::open_reading(folder)? else {
            let persons = crate::people::persons(exchange).count();
            return if persons > 0 { Err(PeopleError::Lost { persons }) } else { Ok(()) };
        };
        let compared = moving::compare(&mut rows, exchange)?;
        report.people = compared.rows;
        let directory = exchange.directory();
        let row_of = |person| directory.find(person).and_then(|index| directory.user(index).row);
        let is_past = rows.setting(PAST)?.is_some();
        if is_past {
            report.people_missing = compared.missing.len() as u64;
        }
        for person in compared.missing.into_iter().filter(|_| !is_past) {
            if row_of(person).is_none_or(|row| !self.0.contains(&row)) {
                report.problems.push(PeopleError::Missing(person).to_string());
            }
        }
        for person in compared.not_erased {
            let what = format!("the people store has a row of {person}, who was erased: a start removes it");
            report.doubts.push(what);
        }
        match master_key(&folder.join("master.key")) {
            Ok(Some(master)) if !moving::is_empty(&mut rows)? => {
                moving::open_all(&mut rows, exchange, &master).map(drop)
            }
            // Without the master key only the row ids can be compared.
            _ => Ok(()),
        }
    }
}
