//! CSV as RFC 4180 describes it, with a header and lines that end with a line feed. Numbers and times have the texts of
//! the API. A missing value is an empty field, an empty text is quoted.

use std::io::Write;
use std::path::Path;

use api::Timestamp;
use api::decimal::{Money, Percent, Shares};
use sha2::{Digest, Sha256};

use super::TableFile;
use crate::error::ExportError;
use crate::folder::Readers;
use crate::hashed_file::{FileSummary, HashedFile};
use crate::table::{Cell, Kind, Places, Table};

#[derive(Debug)]
pub(super) struct CsvFile {
    table: Table,
    file: HashedFile,
    line: Vec<u8>,
}

impl CsvFile {
    pub(super) fn create(table: Table, path: &Path, readers: Readers) -> Result<CsvFile, ExportError> {
        let mut file = HashedFile::create(path, readers)?;
        let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        writeln!(file, "{}", names.join(",")).map_err(ExportError::file(path))?;
        Ok(CsvFile { table, file, line: Vec::new() })
    }
}

impl TableFile for CsvFile {
    fn write(&mut self, row: &[Cell]) -> Result<(), ExportError> {
        self.line.clear();
        put_line(&mut self.line, self.table, row);
        let written = self.file.write_all(&self.line);
        written.map_err(ExportError::file(self.file.path()))
    }

    fn finish(self: Box<Self>) -> Result<FileSummary, ExportError> {
        self.file.finish()
    }
}

/// A hash of the cells of a row from `first` on: rows with equal ones have equal content.
pub(crate) fn fingerprint(table: Table, row: &[Cell], first: usize) -> [u8; 32] {
    let mut line = Vec::new();
    let columns = table.columns().iter().skip(first);
    for (cell, column) in row.iter().skip(first).zip(columns) {
        put(&mut line, cell, column.kind);
        line.push(b',');
    }
    Sha256::digest(&line).into()
}

fn put_line(line: &mut Vec<u8>, table: Table, row: &[Cell]) {
    debug_assert_eq!(row.len(), table.columns().len(), "{} has a cell for each column", table.name());
    for (index, (cell, column)) in row.iter().zip(table.columns()).enumerate() {
        if index > 0 {
            line.push(b',');
        }
        put(line, cell, column.kind);
    }
    line.push(b'\n');
}

fn put(line: &mut Vec<u8>, cell: &Cell, kind: Kind) {
    match (cell, kind) {
        (Cell::Nothing, _) => {}
        (Cell::Decimal(units), Kind::Decimal(places)) => line.extend(decimal(*units, places).bytes()),
        (Cell::Integer(number) | Cell::Decimal(number), _) => line.extend(number.to_string().bytes()),
        (Cell::Time(micros), _) => line.extend(Timestamp::from_micros(*micros).to_string().bytes()),
        (Cell::Text(text), _) => put_text(line, text),
    }
}

/// The text that the API has for a number with so many places.
fn decimal(units: i64, places: Places) -> String {
    match places {
        Places::Two => Percent::from_units(units).to_string(),
        Places::Four => Shares::from_units(units).to_string(),
        Places::Six => Money::from_units(units).to_string(),
    }
}

fn put_text(line: &mut Vec<u8>, text: &str) {
    let is_plain = !text.is_empty() && !text.contains([',', '"', '\n', '\r']);
    if is_plain {
        line.extend(text.bytes());
        return;
    }
    line.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::{Cell, Table, fingerprint, put_line};

    #[test]
    fn a_line_quotes_only_where_it_must_and_tells_a_missing_value_from_an_empty_text() {
        let row = [
            Cell::Integer(7),
            Cell::Time(1_767_225_600_500_000),
            Cell::Text("a".to_owned()),
            Cell::Text(String::new()),
            Cell::Text("say \"yes\", then\nno".to_owned()),
        ];
        let mut line = Vec::new();
        put_line(&mut line, Table::Rules, &row);
        let expected = "7,2026-01-01T00:00:00.5Z,a,\"\",\"say \"\"yes\"\", then\nno\"\n";
        assert_eq!(String::from_utf8_lossy(&line), expected);
        let mut line = Vec::new();
        let book = ["m", "USD", "bid"].map(|text| Cell::Text(text.to_owned()));
        let row = [Cell::Integer(1), Cell::Nothing].into_iter().chain(book);
        let row: Vec<Cell> = row.chain([Cell::Decimal(40), Cell::Decimal(1_000_001)]).collect();
        put_line(&mut line, Table::BookChanges, &row);
        assert_eq!(String::from_utf8_lossy(&line), "1,,m,USD,bid,0.4,100.0001\n");
    }

    #[test]
    fn a_fingerprint_leaves_out_the_first_cells_and_nothing_else() {
        let row = |sequence: i64, rules: &str| {
            let texts = ["e", "h", rules].map(|text| Cell::Text(text.to_owned()));
            [Cell::Integer(sequence), Cell::Time(sequence)].into_iter().chain(texts).collect::<Vec<Cell>>()
        };
        let of = |row: &[Cell]| fingerprint(Table::Rules, row, 2);
        assert_eq!(of(&row(1, "a")), of(&row(2, "a")));
        assert_ne!(of(&row(1, "a")), of(&row(1, "b")));
    }
}
