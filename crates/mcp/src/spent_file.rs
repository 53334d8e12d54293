//! A file that remembers what was spent when the process ends: a new process with the file continues the old cap.
//!
//! One line for each change, written and synced before it takes effect. A line that was cut off by a crash never took
//! effect: a reservation without its line was not sent, and a return without its line stays counted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::{fmt, io};

use api::Word;
use api::decimal::{Money, Price, Shares};
use api::terms::Currency;
use uuid::Uuid;

use crate::cost::{BuyTerms, FeeRate};

const TITLE: &str = "bellwether-spent-1";

/// A change of what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A BUY, or a mint if it has no terms.
    Reserve {
        cost: Money,
        terms: Option<BuyTerms>,
    },
    Keep {
        order: Uuid,
    },
    Close {
        cost: Money,
    },
    Release,
}

/// The open file, locked for this process.
#[derive(Debug)]
pub(crate) struct SpentFile {
    file: File,
    /// A line may be incomplete, so nothing can follow it.
    is_broken: bool,
}

impl SpentFile {
    /// Opens or creates the file, and returns every change in it with its key.
    pub(crate) fn open(path: &Path, currency: Currency) -> io::Result<(SpentFile, Vec<(String, Change)>)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other("another process uses it"),
            TryLockError::Error(error) => error,
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let title = format!("{TITLE} {currency}\n");
        // Only a title that was cut off by a crash may be replaced: the path may be that of another file.
        if whole == 0 && !title.starts_with(&text) {
            return Err(foreign());
        }
        let changes = read(&text[..whole], currency)?;
        // A line without its end was cut off by a crash.
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut spent = SpentFile::new(file);
        if whole == 0 {
            spent.append(format_args!("{title}"))?;
            sync_folder(path)?;
        }
        Ok((spent, changes))
    }

    /// Appends to a file that is open at its end.
    pub(crate) fn new(file: File) -> SpentFile {
        SpentFile { file, is_broken: false }
    }

    /// Writes a change durably. After a failure nothing more can be written.
    pub(crate) fn record(&mut self, key: &str, change: Change) -> io::Result<()> {
        self.append(format_args!("{}\n", Line { key, change }))
    }

    fn append(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("an earlier line could not be written"));
        }
        let written = self.file.write_all(line.to_string().as_bytes()).and_then(|()| self.file.sync_data());
        self.is_broken = written.is_err();
        written
    }
}

/// Makes a new file's entry in its folder durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

fn invalid(fault: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault.into())
}

fn foreign() -> io::Error {
    invalid("it was not written by this command")
}

struct Line<'a> {
    key: &'a str,
    change: Change,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key;
        match self.change {
            Change::Reserve { cost, terms: None } => write!(formatter, "reserve {key} {} mint", cost.units()),
            Change::Reserve { cost, terms: Some(BuyTerms::Market { amount }) } => {
                write!(formatter, "reserve {key} {} market {}", cost.units(), amount.units())
            }
            Change::Reserve { cost, terms: Some(BuyTerms::Limit { size, price, fee }) } => {
                let (cost, size) = (cost.units(), size.units());
                write!(formatter, "reserve {key} {cost} limit {size} {} {}", price.cents(), fee.0)
            }
            Change::Keep { order } => write!(formatter, "keep {key} {order}"),
            Change::Close { cost } => write!(formatter, "close {key} {}", cost.units()),
            Change::Release => write!(formatter, "release {key}"),
        }
    }
}

fn read(text: &str, currency: Currency) -> io::Result<Vec<(String, Change)>> {
    let mut lines = text.lines();
    match lines.next().map(|title| title.split(' ').collect::<Vec<_>>()).as_deref() {
        None => return Ok(Vec::new()),
        Some([TITLE, word]) if Currency::find(word) == Some(currency) => {}
        Some([TITLE, _]) => return Err(invalid("it counts another currency")),
        Some(_) => return Err(foreign()),
    }
    let numbered = lines.enumerate();
    let read = numbered.map(|(index, line)| {
        read_line(line).ok_or_else(|| invalid(format!("line {} cannot be read", index + 2)))
    });
    read.collect()
}

fn read_line(line: &str) -> Option<(String, Change)> {
    // No number is negative: it would give back more than was counted.
    let units = |text: &str| text.parse::<i64>().ok().filter(|units| *units >= 0);
    let money = |text: &str| units(text).map(Money::from_units);
    let (key, change) = match line.split(' ').collect::<Vec<_>>()[..] {
        ["reserve", key, cost, "mint"] => (key, Change::Reserve { cost: money(cost)?, terms: None }),
        ["reserve", key, cost, "market", amount] => {
            let terms = Some(BuyTerms::Market { amount: money(amount)? });
            (key, Change::Reserve { cost: money(cost)?, terms })
        }
        ["reserve", key, cost, "limit", size, cents, fee] => {
            let size = Shares::from_units(units(size)?);
            let price = Price::from_cents(cents.parse::<u8>().ok().filter(|cents| *cents <= 100)?);
            let terms = Some(BuyTerms::Limit { size, price, fee: FeeRate(fee.parse().ok()?) });
            (key, Change::Reserve { cost: money(cost)?, terms })
        }
        ["keep", key, order] => (key, Change::Keep { order: Uuid::parse_str(order).ok()? }),
        ["close", key, cost] => (key, Change::Close { cost: money(cost)? }),
        ["release", key] => (key, Change::Release),
        _ => return None,
    };
    Some((key.to_owned(), change))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use api::decimal::{Money, Price, Shares};
    use api::terms::Currency;
    use uuid::Uuid;

    use super::{Change, SpentFile};
    use crate::cost::{BuyTerms, FeeRate};

    fn changes() -> Vec<(String, Change)> {
        let cost = Money::from_units(5_100_000);
        let market = BuyTerms::Market { amount: cost };
        let (size, price) = (Shares::from_units(100_000), Price::from_cents(50));
        let limit = BuyTerms::Limit { size, price, fee: FeeRate(200) };
        let all = [
            Change::Reserve { cost, terms: None },
            Change::Reserve { cost, terms: Some(market) },
            Change::Reserve { cost, terms: Some(limit) },
            Change::Keep { order: Uuid::from_u128(7) },
            Change::Close { cost },
            Change::Release,
        ];
        all.into_iter().enumerate().map(|(index, change)| (format!("key{index}"), change)).collect()
    }

    #[test]
    fn every_change_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent");
        let (mut file, before) = SpentFile::open(&path, Currency::Usd).unwrap();
        assert!(before.is_empty());
        for (key, change) in changes() {
            file.record(&key, change).unwrap();
        }
        drop(file);
        assert_eq!(SpentFile::open(&path, Currency::Usd).unwrap().1, changes());
    }

    #[test]
    fn a_line_that_was_cut_off_is_forgotten_and_the_next_one_follows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent");
        drop(SpentFile::open(&path, Currency::Usd).unwrap());
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}reserve a 5 mi")).unwrap();
        let (mut file, before) = SpentFile::open(&path, Currency::Usd).unwrap();
        assert!(before.is_empty());
        file.record("b", Change::Release).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{whole}release b\n"));
    }

    #[test]
    fn a_file_in_use_of_another_currency_or_of_another_form_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent");
        let used = SpentFile::open(&path, Currency::Usd).unwrap();
        assert!(SpentFile::open(&path, Currency::Usd).is_err(), "two processes would have two caps");
        drop(used);
        assert!(SpentFile::open(&path, Currency::Ngn).is_err());
        let whole = fs::read_to_string(&path).unwrap();
        for line in [
            "spend a 5",
            "close a much",
            "close a -5",
            "reserve a -5 mint",
            "reserve a 5 market -5",
            "reserve a 5 limit -1 50 0",
            "reserve a 5 limit 1 101 0",
            "release",
        ] {
            fs::write(&path, format!("{whole}{line}\n")).unwrap();
            assert!(SpentFile::open(&path, Currency::Usd).is_err(), "{line}");
        }
    }

    #[test]
    fn a_file_of_another_purpose_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for text in ["my notes\n", "my notes", "{\"secretKey\":\"sk_a\"}", "bellwether-spent-1 NGN"] {
            fs::write(&path, text).unwrap();
            assert!(SpentFile::open(&path, Currency::Usd).is_err(), "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_title_that_was_cut_off_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent");
        for text in ["", "bellw", "bellwether-spent-1 USD"] {
            fs::write(&path, text).unwrap();
            assert!(SpentFile::open(&path, Currency::Usd).unwrap().1.is_empty());
            assert_eq!(fs::read_to_string(&path).unwrap(), "bellwether-spent-1 USD\n");
        }
    }
}
