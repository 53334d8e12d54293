//! `bellwether restore`.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use server::audit::KeyFile;
use server::audit::restore::restore;

use crate::logging;
use crate::output::say;
use crate::progress::Progress;
use crate::settings::LogFormat;

#[derive(Debug, Args)]
pub struct Options {
    /// A folder that `backup` has made
    from: PathBuf,
    /// The folder to make; it must be empty or missing
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR")]
    data: PathBuf,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(LogFormat::Text, "info")?;
    let mut progress = Progress::new();
    let manifest = restore(&options.from, &options.data, |done, all| progress.tell(done, all))?;
    drop(progress);
    say!(
        "{} is restored up to sequence {}; its state has the digest of the backup, {}.",
        options.data.display(),
        manifest.sequence,
        manifest.state_digest
    );
    if manifest.master_key == KeyFile::NotIncluded {
        let place = options.data.join("master.key");
        say!("The backup has no master.key: put it at {} before the first start.", place.display());
    }
    Ok(ExitCode::SUCCESS)
}
