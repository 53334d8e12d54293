//! Parquet without Arrow: row groups of a limited size, pages compressed with LZ4. Decimals are 64-bit integers with the
//! logical type DECIMAL(18, places), times are microseconds in UTC.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::TableFile;
use crate::error::ExportError;
use crate::folder::Readers;
use crate::hashed_file::{FileSummary, HashedFile};
use crate::table::{Cell, Column, Kind, Table};

/// Limits of a row group, which is in memory until it is written: its rows, and the bytes of its texts.
const GROUP_ROWS_MAX: usize = 100_000;
const GROUP_BYTES_MAX: usize = 16 << 20;
/// Decimal digits of a number that fits 64 bits.
const PRECISION: i32 = 18;
const UNITS_MAX: u64 = 10_u64.pow(18) - 1;

#[derive(Debug)]
pub(super) struct ParquetFile {
    writer: SerializedFileWriter<HashedFile>,
    columns: Vec<ColumnBuffer>,
    rows: usize,
    text_bytes: usize,
}

/// The values of one column of the row group that is being collected.
#[derive(Debug)]
struct ColumnBuffer {
    column: Column,
    values: Values,
    /// 1 for a value, 0 for a missing one; empty if the column is not optional.
    levels: Vec<i16>,
}

#[derive(Debug)]
enum Values {
    Integers(Vec<i64>),
    Texts(Vec<ByteArray>),
}

impl ParquetFile {
    pub(super) fn create(table: Table, path: &Path, readers: Readers) -> Result<ParquetFile, ExportError> {
        let failed = |error: ParquetError| failure(path, &error);
        let properties = WriterProperties::builder()
            .set_compression(Compression::LZ4_RAW)
            .set_created_by(format!("bellwether {}", env!("CARGO_PKG_VERSION")))
            .build();
        let file = HashedFile::create(path, readers)?;
        let schema = schema(table).map_err(failed)?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(failed)?;
        let columns = table.columns().iter().copied().map(ColumnBuffer::new).collect();
        Ok(ParquetFile { writer, columns, rows: 0, text_bytes: 0 })
    }

    /// Writes the collected rows as a row group.
    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for buffer in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            let levels = buffer.column.is_optional.then_some(&buffer.levels[..]);
            match &buffer.values {
                Values::Integers(values) => writer.typed::<Int64Type>().write_batch(values, levels, None)?,
                Values::Texts(values) => writer.typed::<ByteArrayType>().write_batch(values, levels, None)?,
            };
            writer.close()?;
            buffer.clear();
        }
        group.close()?;
        (self.rows, self.text_bytes) = (0, 0);
        Ok(())
    }
}

impl TableFile for ParquetFile {
    fn write(&mut self, row: &[Cell]) -> Result<(), ExportError> {
        for (buffer, cell) in self.columns.iter_mut().zip(row) {
            self.text_bytes += buffer.push(cell)?;
        }
        self.rows += 1;
        if self.rows >= GROUP_ROWS_MAX || self.text_bytes >= GROUP_BYTES_MAX {
            self.flush().map_err(|error| failure(self.writer.inner().path(), &error))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<FileSummary, ExportError> {
        let path = self.writer.inner().path().to_owned();
        self.flush().map_err(|error| failure(&path, &error))?;
        self.writer.into_inner().map_err(|error| failure(&path, &error))?.finish()
    }
}

impl ColumnBuffer {
    fn new(column: Column) -> ColumnBuffer {
        let values = match column.kind {
            Kind::Text => Values::Texts(Vec::new()),
            Kind::Integer | Kind::Time | Kind::Decimal(_) => Values::Integers(Vec::new()),
        };
        ColumnBuffer { column, values, levels: Vec::new() }
    }

    /// Returns the bytes of a text.
    fn push(&mut self, cell: &Cell) -> Result<usize, ExportError> {
        if self.column.is_optional {
            self.levels.push(i16::from(*cell != Cell::Nothing));
        }
        match (&mut self.values, cell) {
            (_, Cell::Nothing) => {
                assert!(self.column.is_optional, "{} has a value in every row", self.column.name);
            }
            (Values::Integers(values), Cell::Decimal(units)) => {
                if units.unsigned_abs() > UNITS_MAX {
                    return Err(ExportError::TooLarge { column: self.column.name });
                }
                values.push(*units);
            }
            (Values::Integers(values), Cell::Integer(number) | Cell::Time(number)) => values.push(*number),
            (Values::Texts(values), Cell::Text(text)) => {
                values.push(ByteArray::from(text.as_str()));
                return Ok(text.len());
            }
            (Values::Integers(_), Cell::Text(_)) | (Values::Texts(_), _) => {
                panic!("the cell of {} has the type of its column", self.column.name)
            }
        }
        Ok(0)
    }

    fn clear(&mut self) {
        self.levels.clear();
        match &mut self.values {
            Values::Integers(values) => values.clear(),
            Values::Texts(values) => values.clear(),
        }
    }
}

fn schema(table: Table) -> Result<TypePtr, ParquetError> {
    let fields: Result<Vec<TypePtr>, ParquetError> = table.columns().iter().map(field).collect();
    Ok(Arc::new(Type::group_type_builder(table.name()).with_fields(fields?).build()?))
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let of = |physical| Type::primitive_type_builder(column.name, physical).with_repetition(repetition);
    let integer = || of(PhysicalType::INT64);
    let built = match column.kind {
        Kind::Integer => integer(),
        Kind::Text => of(PhysicalType::BYTE_ARRAY).with_logical_type(Some(LogicalType::String)),
        Kind::Time => integer().with_logical_type(Some(LogicalType::timestamp(true, TimeUnit::MICROS))),
        Kind::Decimal(places) => {
            let scale = places as i32;
            integer()
                .with_logical_type(Some(LogicalType::decimal(scale, PRECISION)))
                .with_precision(PRECISION)
                .with_scale(scale)
        }
    };
    Ok(Arc::new(built.build()?))
}

fn failure(path: &Path, error: &ParquetError) -> ExportError {
    ExportError::Parquet { path: path.to_owned(), what: error.to_string() }
}
