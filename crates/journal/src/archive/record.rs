//! A journal's record of its archive: the archive's location, and the end of the frames that were moved there.
//!
//! A file journal stores it as the file `archived` in its folder, a log in PostgreSQL as a row of `bellwether_agreed`.
//! It is written after an archive file was read back and before the frames are removed, which distinguishes a journal
//! whose first frames were archived from a journal that lost them. It is text, so that people can read it.

use std::fmt::Write;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::disk::{Disk, read_all, write_all};
use crate::{Error, FrameHash, Head, Sequence};

/// The record's name in the folder of a file journal.
pub(crate) const NAME: &str = "archived";
const UNFINISHED: &str = "archived.tmp";
const TITLE: &str = "bellwether-archived-1";
/// Far larger than any record.
const BYTES_MAX: u64 = 64 << 10;

/// A journal's record of its archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archived {
    /// The location of the archive when the record was last written.
    pub place: String,
    /// The id of the journal or log.
    pub journal: [u8; 16],
    /// The head after the last frame that was moved.
    pub end: Head,
}

impl Archived {
    /// Reads the record in a file journal's folder, if there is one.
    pub fn read(disk: &dyn Disk) -> Result<Option<Archived>, Error> {
        let names = disk.list().map_err(Error::disk("list", "the folder"))?;
        if !names.iter().any(|name| name == NAME) {
            return Ok(None);
        }
        let file = disk.open(NAME).map_err(Error::disk("open", NAME))?;
        let length = file.length().map_err(Error::disk("measure", NAME))?;
        if length > BYTES_MAX {
            return Err(Error::wrong_file(NAME, "is too long for the record of an archive"));
        }
        let mut bytes = vec![0; length as usize];
        read_all(&*file, &mut bytes, 0).map_err(Error::disk("read", NAME))?;
        Archived::parse(&bytes).map(Some)
    }

    /// Replaces the record in a file journal's folder. Returns when it is durable.
    pub(crate) fn write(&self, disk: &dyn Disk) -> Result<(), Error> {
        let names = disk.list().map_err(Error::disk("list", "the folder"))?;
        if names.iter().any(|name| name == UNFINISHED) {
            disk.remove(UNFINISHED).map_err(Error::disk("remove", UNFINISHED))?;
        }
        let file = disk.create(UNFINISHED).map_err(Error::disk("create", UNFINISHED))?;
        let written = write_all(&*file, self.encode()?.as_bytes(), 0).and_then(|()| file.sync_data());
        written.map_err(Error::disk("write", UNFINISHED))?;
        disk.rename(UNFINISHED, NAME).map_err(Error::disk("rename to", NAME))?;
        disk.sync_folder().map_err(Error::disk("sync the folder of", NAME))
    }

    /// The record as text, with a checksum in the last line.
    pub(crate) fn encode(&self) -> Result<String, Error> {
        if self.place.contains(['\n', '\r']) {
            return Err(Error::wrong_file(&self.place, "contains a line break"));
        }
        let Head { next, at, hash } = self.end;
        let journal = HEXLOWER.encode(&self.journal);
        let mut text = format!("{TITLE}\nplace {}\njournal {journal}\n", self.place);
        // Writing to a `String` cannot fail.
        let _ = write!(text, "next {next}\nat {at}\nhash {hash}\n");
        let checksum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "checksum {checksum:08x}");
        Ok(text)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Archived, Error> {
        parse(bytes).ok_or_else(|| Error::wrong_file(NAME, "is not the record of an archive, or was changed"))
    }
}

fn parse(bytes: &[u8]) -> Option<Archived> {
    let text = str::from_utf8(bytes).ok()?;
    let (content, checksum) = text.split_at(text.rfind("checksum ")?);
    if checksum != format!("checksum {:08x}\n", crc32fast::hash(content.as_bytes())) {
        return None;
    }
    let mut lines = content.lines();
    let mut value = |key: &str| lines.next()?.strip_prefix(key);
    value(TITLE)?;
    let place = value("place ")?.to_owned();
    let journal = hexadecimal(value("journal ")?)?;
    let next = Sequence(value("next ")?.parse().ok()?);
    let at = value("at ")?.parse().ok()?;
    let hash = FrameHash(hexadecimal(value("hash ")?)?);
    Some(Archived { place, journal, end: Head { next, hash, at } })
}

fn hexadecimal<const N: usize>(text: &str) -> Option<[u8; N]> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Archived {
        let end = Head { next: Sequence(48_213), hash: FrameHash([0xAB; 32]), at: -5 };
        Archived { place: "/mnt/cold storage/bellwether".to_owned(), journal: [7; 16], end }
    }

    #[test]
    fn a_record_gives_itself_back_and_every_changed_byte_is_found() {
        let text = example().encode().expect("a record");
        assert_eq!(Archived::parse(text.as_bytes()).expect("a record"), example());
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            assert!(Archived::parse(&bytes).is_err(), "byte {place}");
        }
        for length in 0..text.len() {
            assert!(Archived::parse(&text.as_bytes()[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_place_with_the_end_of_a_line_in_its_name_is_refused() {
        let odd = Archived { place: "/mnt/one\nnext 1".to_owned(), ..example() };
        assert!(odd.encode().is_err());
    }
}
