//! `bellwether package-files DIR`, only with the feature `package`: shell completions and manual pages, made from the same
//! description of flags as `--help`. `cargo xtask dist` runs it.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Debug, Args)]
pub struct Options {
    /// The folder to write to; created if it is missing
    folder: PathBuf,
}

/// `command`: the description of the whole executable.
pub fn run(options: &Options, command: Command) -> Result<ExitCode, Box<dyn Error>> {
    fs::create_dir_all(&options.folder)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        // A copy: this completes the description with `help` commands, which would all get manual pages.
        clap_complete::generate_to(shell, &mut command.clone(), "bellwether", &options.folder)?;
    }
    clap_mangen::generate_to(command, &options.folder)?;
    Ok(ExitCode::SUCCESS)
}
