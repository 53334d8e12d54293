//! The pictures in a backup, a restore, a verification, an archive and a copy. Every picture is compared with its hash;
//! a damaged one is not copied and counts as missing.

use std::collections::BTreeSet;
use std::path::Path;

use exchange::Exchange;
use journal::postgres::{Database, Options};

use super::AuditError;
use super::journal_copy::JournalPlace;
use super::verify::VerifyReport;
use crate::applied::{Applied, Observer};
use crate::pictures::address::PictureHash;
use crate::pictures::naming::{named_by, named_in};
use crate::pictures::stored::StoredPicture;
use crate::pictures::{FolderPictures, PictureError, PictureStore, PostgresPictures};

/// The pictures that a state and the accepted commands after it name.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedPictures(BTreeSet<PictureHash>);

impl NamedPictures {
    pub(super) fn of(exchange: &Exchange) -> NamedPictures {
        NamedPictures(named_in(exchange))
    }
}

impl Observer for NamedPictures {
    fn applied(&mut self, applied: &Applied<'_>) {
        if applied.result.is_ok() {
            self.0.extend(named_by(&applied.request.command));
        }
    }
}

/// The extent of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CopiedPictures {
    pub(super) pictures: u64,
    /// Named pictures that the copy lacks.
    pub(super) missing: u64,
}

/// Opens the pictures of a journal.
pub(super) fn open(place: &JournalPlace) -> Result<Box<dyn PictureStore>, AuditError> {
    Ok(match place {
        JournalPlace::Folder(folder) => Box::new(FolderPictures::of(folder)),
        JournalPlace::Database(url) => {
            Box::new(PostgresPictures::open(&Database::open(url, Options::default())?)?)
        }
    })
}

/// Copies all undamaged pictures, and names those that are named in the source or by a command.
pub(super) fn copy(
    from: &mut dyn PictureStore,
    to: &mut dyn PictureStore,
    named: &NamedPictures,
) -> Result<CopiedPictures, PictureError> {
    let pictures = copy_those(from, to, |_| true)?;
    let found = to.name(&named.0)?;
    Ok(CopiedPictures { pictures, missing: (named.0.len() - found.len()) as u64 })
}

pub(super) fn copy_folder(
    from: &Path,
    to: &Path,
    named: &NamedPictures,
) -> Result<CopiedPictures, PictureError> {
    copy(&mut FolderPictures::of(from), &mut FolderPictures::of(to), named)
}

/// Restores the pictures of all sources: a backup, an archive or both.
pub(super) fn restore<'a>(
    sources: impl Iterator<Item = &'a Path>,
    target: &Path,
    named: &NamedPictures,
) -> Result<CopiedPictures, PictureError> {
    let mut target = FolderPictures::of(target);
    for source in sources {
        copy(&mut FolderPictures::of(source), &mut target, named)?;
    }
    let found = target.name(&named.0)?;
    Ok(CopiedPictures {
        pictures: target.list()?.len() as u64,
        missing: (named.0.len() - found.len()) as u64,
    })
}

/// Copies the named pictures that an archive lacks. Returns how many were copied.
pub(super) fn archive(from: &mut dyn PictureStore, archive: &Path) -> Result<u64, PictureError> {
    let mut to = FolderPictures::of(archive);
    let kept: BTreeSet<PictureHash> = to.list()?.into_iter().map(|(hash, _)| hash).collect();
    copy_those(from, &mut to, |(hash, is_named)| *is_named && !kept.contains(hash))
}

fn copy_those(
    from: &mut dyn PictureStore,
    to: &mut dyn PictureStore,
    is_wanted: impl Fn(&(PictureHash, bool)) -> bool,
) -> Result<u64, PictureError> {
    let mut copied = 0;
    let mut named = BTreeSet::new();
    for (hash, is_named) in from.list()?.into_iter().filter(is_wanted) {
        // A running node may have swept an unnamed picture meanwhile.
        let Some(content) = from.get(hash)? else { continue };
        if StoredPicture::read(hash, content.clone()).is_none() {
            continue;
        }
        to.put(hash, &content)?;
        copied += 1;
        if is_named {
            named.insert(hash);
        }
    }
    to.name(&named)?;
    Ok(copied)
}

/// Compares every picture of a folder with its hash, and looks for those that commands name.
pub(super) fn verify(folder: &Path, named: &NamedPictures, report: &mut VerifyReport) {
    if let Err(error) = look(&mut FolderPictures::of(folder), named, report) {
        report.problems.push(error.to_string());
    }
}

fn look(
    store: &mut dyn PictureStore,
    named: &NamedPictures,
    report: &mut VerifyReport,
) -> Result<(), PictureError> {
    let mut missing = named.0.clone();
    for (hash, _) in store.list()? {
        let Some(content) = store.get(hash)? else { continue };
        missing.remove(&hash);
        match StoredPicture::read(hash, content) {
            Some(_) => report.pictures += 1,
            None => report.problems.push(PictureError::Damaged(hash).to_string()),
        }
    }
    let lost = |hash: PictureHash| format!("picture {hash} is missing: a command names it");
    report.problems.extend(missing.into_iter().map(lost));
    Ok(())
}
