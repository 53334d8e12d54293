//! The journal that an offline command works on: a data folder or a database.

use std::path::PathBuf;

use clap::Args;
use journal::postgres::is_address;
use server::audit::journal_copy::JournalPlace;

use crate::settings::SettingsError;
use crate::shared_log::with_password;

#[derive(Clone, Debug, Args)]
pub struct Place {
    /// The data folder
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// The log shared by several nodes, postgres://…
    #[arg(long, env = "BELLWETHER_JOURNAL", value_name = "URL")]
    journal: Option<String>,
    /// A file with the password for the database, so that no URL contains it
    #[arg(long, env = "BELLWETHER_JOURNAL_PASSWORD_FILE", value_name = "FILE")]
    journal_password_file: Option<PathBuf>,
}

impl Place {
    pub fn find(&self) -> Result<JournalPlace, SettingsError> {
        let Some(url) = &self.journal else { return Ok(JournalPlace::Folder(self.data.clone())) };
        if !is_address(url) {
            return Err(SettingsError::Journal);
        }
        Ok(JournalPlace::Database(match &self.journal_password_file {
            Some(file) => with_password(url, file)?,
            None => url.clone(),
        }))
    }
}
