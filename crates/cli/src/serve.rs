//! `bellwether serve`. Its exit codes tell a supervisor whether a restart may help (docs/operating/reference.md).

use std::error::Error;
use std::fmt::Display;
use std::future::Ready;
use std::process::ExitCode;

use clap::Args;
use server::audit::journal_copy::JournalPlace;
use server::skipping::{self, SkipError, Skipped};

use crate::demo::making;
use crate::logging;
use crate::output::mention;
use crate::service::{Service, WRONG_SETTINGS};
use crate::settings::{Given, Settings};

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    given: Given,
    /// Skip this sequence of the journal permanently. Only for a command that no build can decide
    #[arg(long, value_name = "SEQ")]
    skip_seq: Option<u64>,
}

pub fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let settings = options.given.settle()?;
    let log = logging::start_for_node(&settings)?;
    if making::is_unfinished(&settings.data) {
        let folder = settings.data.display();
        let error = format!("{folder} holds an unfinished demo: start the demo again, or use another folder");
        return Ok(refused(&error, ExitCode::from(WRONG_SETTINGS)));
    }
    if let Some(seq) = options.skip_seq
        && let Err(code) = skip(&settings, seq)
    {
        return Ok(code);
    }
    let service = match Service::start(&settings) {
        Ok(service) => service,
        Err(error) => return Ok(refused(&error, error.exit_code())),
    };
    service.node.app.signals().log_accesses(log.access_lines());
    if service.has_new_operator {
        mention!("First operator's token     {}", settings.operator_token_file.display());
    }
    mention!("Page and public API        {}", service.public_url());
    mention!("Operators' page and API    http://{}", service.admin_address);
    Ok(service.run(|_, _| Vec::<Ready<()>>::new())?)
}

/// Records in the journal that replay skips a sequence; the following start reads that record.
fn skip(settings: &Settings, seq: u64) -> Result<(), ExitCode> {
    let place = match &settings.shared_log {
        Some(log) => JournalPlace::Database(log.url.clone()),
        None => JournalPlace::Folder(settings.data.clone()),
    };
    match skipping::skip(&place, seq) {
        Ok(Skipped::Recorded { at, reason }) => {
            tracing::error!(seq, at, reason, "a command of the journal is skipped from now on");
            Ok(())
        }
        Ok(Skipped::Already) => {
            tracing::warn!(seq, "the journal already skips this command: omit --skip-seq");
            Ok(())
        }
        Err(error @ SkipError::Start(_)) => Err(refused(&error, ExitCode::FAILURE)),
        Err(error) => Err(refused(&error, ExitCode::from(WRONG_SETTINGS))),
    }
}

fn refused(error: &dyn Display, code: ExitCode) -> ExitCode {
    eprintln!("bellwether: {error}");
    code
}
