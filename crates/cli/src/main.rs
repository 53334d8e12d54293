//! The executable. `serve` runs the exchange, `demo` runs it with sample users and events, `sandbox` runs a venue to
//! rehearse on, `admin` sends operators' commands, `watch` shows a market, `health` checks readiness, `status` shows
//! the last hour, `check` goes through a checklist, `conformance` checks any server against the specification,
//! `rebuild-history` rebuilds history from the journal, `journal copy` copies a journal between folders and
//! databases, `operator` and `master-key` are for the owner of the machine. `verify`, `replay`, `backup`, `restore`,
//! `archive` and `verify-proof` are for audits and backups.
//!
//! No logic of the exchange here: `service.rs` starts and stops `crates/server`, `settings.rs` reads its configuration.

mod admin;
mod audit;
mod blocking_http;
mod check;
mod conformance;
mod demo;
mod descriptors;
mod export;
mod health;
mod journal;
mod key_file;
mod logging;
mod master_key;
mod mcp;
mod nearest;
mod notify;
mod operator;
mod output;
#[cfg(feature = "package")]
mod package_files;
mod place;
mod progress;
mod rebuild_history;
mod sandbox;
mod serve;
mod service;
mod settings;
mod shared_log;
mod time;
mod variables;
mod watch;

use std::error::Error;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use mimalloc::MiMalloc;

use crate::service::WRONG_SETTINGS;
use crate::settings::SettingsError;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A prediction-market exchange in one executable.
#[derive(Debug, Parser)]
#[command(name = "bellwether", version)]
struct Arguments {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Run the exchange.
    Serve(serve::Options),
    /// Run the exchange with sample events, users and bots.
    Demo(demo::Options),
    /// Run a venue to rehearse on: its own clock, virtual traders, faults on request.
    Sandbox(sandbox::Options),
    /// Rebuild history from the journal; the exchange must not be running.
    RebuildHistory(rebuild_history::Options),
    /// Verify a data folder: every byte, every rule, every snapshot. It may be in use.
    Verify(audit::verify::Options),
    /// Show any past state. The folder may be in use.
    Replay(audit::replay::Options),
    /// Copy a data folder, even while it is in use.
    Backup(audit::backup::Options),
    /// Restore a backup or an archive into an empty folder, up to any moment, and verify it.
    Restore(audit::restore::Options),
    /// Move journal frames older than a verified snapshot into an archive. The exchange may be running.
    Archive(audit::archive::Options),
    /// Copy a journal between a folder and PostgreSQL.
    Journal(journal::Options),
    /// Write events, trades, candles and books as files for research. The exchange may be running.
    Export(export::Options),
    /// Check the proof that an account is in a published root.
    VerifyProof(audit::verify_proof::Options),
    /// Watch a market of a running exchange: its book, its trades and your orders.
    Watch(watch::Options),
    /// Let an agent read and trade as one account, under a cap, over the Model Context Protocol.
    Mcp(mcp::Options),
    /// Check whether an exchange is ready; the exit code is the result.
    Health(health::Options),
    /// Show whether an exchange is ready and what it did in the last hour; the exit code says whether it is.
    Status(admin::overview::StatusOptions),
    /// Check the settings; with --production, go through the checklist before real money is traded.
    Check(check::Options),
    /// Create an operator's token, or a new approver when no other can act.
    Operator(operator::Options),
    /// Replace a compromised master key; the exchange must not be running.
    MasterKey(master_key::Options),
    /// Check any server of this API against its specification; the exit code says whether something differs.
    Conformance(conformance::Options),
    /// Operate a running exchange.
    Admin(admin::Options),
    /// Write shell completions and manual pages, for a package.
    #[cfg(feature = "package")]
    #[command(hide = true)]
    PackageFiles(package_files::Options),
}

fn main() -> ExitCode {
    server::startup::choose_version();
    let arguments = Arguments::parse();
    run(arguments.command).unwrap_or_else(|error| {
        eprintln!("bellwether: {error}");
        if error.is::<SettingsError>() { ExitCode::from(WRONG_SETTINGS) } else { ExitCode::FAILURE }
    })
}

fn run(command: Subcommands) -> Result<ExitCode, Box<dyn Error>> {
    variables::check(&Arguments::command()).map_err(SettingsError::from)?;
    match command {
        Subcommands::Serve(options) => serve::run(options),
        Subcommands::Demo(options) => demo::run(options),
        Subcommands::Sandbox(options) => sandbox::run(options),
        Subcommands::RebuildHistory(options) => rebuild_history::run(&options),
        Subcommands::Verify(options) => audit::verify::run(&options),
        Subcommands::Replay(options) => audit::replay::run(&options),
        Subcommands::Backup(options) => audit::backup::run(&options),
        Subcommands::Restore(options) => audit::restore::run(&options),
        Subcommands::Archive(options) => audit::archive::run(&options),
        Subcommands::Journal(options) => journal::run(&options),
        Subcommands::Export(options) => export::run(&options),
        Subcommands::VerifyProof(options) => audit::verify_proof::run(&options),
        Subcommands::Watch(options) => watch::run(&options),
        Subcommands::Mcp(options) => mcp::run(&options),
        Subcommands::Health(options) => health::run(options),
        Subcommands::Status(options) => admin::overview::run(&options),
        Subcommands::Check(options) => check::run(options),
        Subcommands::Operator(options) => operator::run(&options),
        Subcommands::MasterKey(options) => master_key::run(&options),
        Subcommands::Conformance(options) => conformance::run(&options),
        Subcommands::Admin(options) => admin::run(&options),
        #[cfg(feature = "package")]
        Subcommands::PackageFiles(options) => package_files::run(&options, Arguments::command()),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::Arguments;

    const REFERENCE: &str = include_str!("../../../docs/operating/reference.md");

    /// Flags of all `admin` commands, described once above their table.
    const ADMIN_FLAGS: [&str; 3] = ["url", "token-file", "json"];

    /// Adds the names of a command and its flags that the reference lacks. `path` is the command with its parents.
    fn find_missing(command: &Command, path: &str, missing: &mut Vec<String>) {
        // A hidden command is for the makers of packages.
        for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
            let name = subcommand.get_name();
            let path = if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
            find_missing(subcommand, &path, missing);
        }
        if command.has_subcommands() {
            return;
        }
        let starts = [format!("| `{path}`"), format!("| `{path} ")];
        let is_row = |line: &&str| starts.iter().any(|start| line.starts_with(start));
        let rows: Vec<&str> = REFERENCE.lines().filter(is_row).collect();
        if rows.is_empty() {
            missing.push(path.to_owned());
        }
        for flag in command.get_arguments().filter_map(|argument| argument.get_long()) {
            let is_setting = REFERENCE.contains(&format!("\n| `--{flag}` |"));
            let is_in_row = rows.iter().any(|row| row.contains(&format!("`--{flag}`")));
            if !is_setting && !is_in_row {
                missing.push(format!("{path} --{flag}"));
            }
        }
    }

    #[test]
    fn the_operating_reference_has_every_command_and_flag() {
        let mut missing = Vec::new();
        find_missing(&Arguments::command(), "", &mut missing);
        assert!(missing.is_empty(), "docs/operating/reference.md lacks {missing:?}");
        for flag in ADMIN_FLAGS {
            assert!(REFERENCE.contains(&format!("`--{flag}`")), "{flag}");
        }
    }
}
