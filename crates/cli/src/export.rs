//! `bellwether export`: public data of a journal as CSV or Parquet files, for research and backtests.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use api::Timestamp;
use clap::{Args, ValueEnum};
use export::{ExportOptions, ExportReport, PrivateAccess, Selection, Table, check_operator};
use server::admin::access::read_token;
use server::audit::journal_copy::JournalPlace;
use server::audit::observing::JournalReplay;
use uuid::Uuid;

use crate::logging;
use crate::output::say;
use crate::place::Place;
use crate::progress::Progress;
use crate::settings::LogFormat;
use crate::time::read_time;

#[derive(Debug, Args)]
pub struct Options {
    /// The folder of the files: empty, or with an export to continue
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    place: Place,
    /// The archive, if it was moved
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    archive: Option<PathBuf>,
    /// The format of the files
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// One market; may be repeated
    #[arg(long, value_name = "ID")]
    market: Vec<Uuid>,
    /// All events of a series, by its slug; may be repeated
    #[arg(long, value_name = "SLUG")]
    series: Vec<String>,
    /// The first instant to include
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    from: Option<Timestamp>,
    /// The last instant to include
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    to: Option<Timestamp>,
    /// Requests of a part; a killed export continues after its last finished part
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    part_sequences: u64,
    /// Seconds of the journal's time between snapshots of all books
    #[arg(long, value_name = "N", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..))]
    snapshot_seconds: u64,
    /// Also orders and the users of trades; needs --token-file
    #[arg(long, requires = "token_file")]
    private: bool,
    /// A file with the token of an operator of this venue, for --private
    #[arg(long, value_name = "FILE", requires = "private")]
    token_file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Parquet,
}

impl From<Format> for export::Format {
    fn from(format: Format) -> export::Format {
        match format {
            Format::Csv => export::Format::Csv,
            Format::Parquet => export::Format::Parquet,
        }
    }
}

/// Reads the journal only; it may be in use.
pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, tracing::Level::INFO)?;
    let place = options.place.find()?;
    let format = export::Format::from(options.format);
    let selection = Selection {
        markets: options.market.iter().copied().collect(),
        series: options.series.iter().cloned().collect(),
        from: options.from,
        to: options.to,
    };
    format.check()?;
    selection.check()?;
    let private = match &options.token_file {
        Some(file) => Some(private_access(options, &place, file)?),
        None => None,
    };
    let chosen = ExportOptions {
        folder: options.folder.clone(),
        format,
        selection,
        part_sequences: options.part_sequences,
        snapshot_seconds: options.snapshot_seconds,
        private,
    };
    let mut replay = JournalReplay::open(&place, options.archive.as_deref())?;
    let mut progress = Progress::named("exporting the journal");
    let report = export::export(&mut replay, &chosen, |done, all| progress.report(done, all))?;
    drop(progress);
    show(&report, &chosen);
    Ok(ExitCode::SUCCESS)
}

/// Checks the token in a file against the venue's last state. Nothing is written before this check.
fn private_access(
    options: &Options,
    place: &JournalPlace,
    file: &Path,
) -> Result<PrivateAccess, Box<dyn Error>> {
    let token = read_token(file)?.ok_or_else(|| format!("there is no token in {}", file.display()))?;
    let replay = JournalReplay::open(place, options.archive.as_deref())?;
    let mut progress = Progress::named("reading the operators");
    let exchange = replay.into_last_state(|done, all| progress.report(done, all))?;
    drop(progress);
    let access = check_operator(&exchange, &token)?;
    say!("Private data for operator {}.", access.operator());
    Ok(access)
}

fn show(report: &ExportReport, options: &ExportOptions) {
    let folder = options.folder.display();
    let (added, last) = (report.parts_added, report.manifest.last_sequence());
    say!("{folder} has everything up to sequence {last}; parts added: {added}.");
    for table in Table::ALL.into_iter().filter(|table| options.private.is_some() || !table.is_private()) {
        say!("{:16}{:>12} rows", table.name(), report.manifest.rows(table));
    }
}
