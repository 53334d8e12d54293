//! The formats of an export's files: CSV always, Parquet with the feature `parquet`.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ExportError;
use crate::folder::Readers;
use crate::hashed_file::FileSummary;
use crate::table::{Cell, Table};

pub(crate) use csv::fingerprint;

/// The format of all files of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Csv,
    Parquet,
}

impl Format {
    /// The end of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }

    /// Refuses a format that this build does not have.
    pub const fn check(self) -> Result<(), ExportError> {
        match self {
            Format::Parquet if !cfg!(feature = "parquet") => Err(ExportError::NoParquet),
            Format::Csv | Format::Parquet => Ok(()),
        }
    }

    /// Creates the file of a table.
    pub(crate) fn create(
        self,
        table: Table,
        path: &Path,
        readers: Readers,
    ) -> Result<Box<dyn TableFile>, ExportError> {
        match self {
            Format::Csv => Ok(Box::new(csv::CsvFile::create(table, path, readers)?)),
            #[cfg(feature = "parquet")]
            Format::Parquet => Ok(Box::new(parquet::ParquetFile::create(table, path, readers)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(ExportError::NoParquet),
        }
    }
}

/// A file of one table that is being written.
pub(crate) trait TableFile: fmt::Debug + Send {
    /// Adds a row: a cell for each column, in order.
    fn write(&mut self, row: &[Cell]) -> Result<(), ExportError>;

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<FileSummary, ExportError>;
}
