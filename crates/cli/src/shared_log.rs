//! Settings of a log that several nodes share: its address, password and requirements.
//!
//! A password belongs in a file: flags are visible in the process list, in logs and in the shell history.

use std::fs;
use std::path::Path;
use std::time::Duration;

use journal::postgres::is_address;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use server::shared_log::SharedLogSettings;

use crate::settings::SettingsError;

pub fn shared_log(
    url: Option<String>,
    password_file: Option<&Path>,
    replicas: Option<u32>,
    checkpoint_seconds: Option<u32>,
) -> Result<Option<SharedLogSettings>, SettingsError> {
    let Some(url) = url else {
        let given = [
            ("journal-password-file", password_file.is_some()),
            ("require-replicas", replicas.is_some()),
            ("checkpoint-seconds", checkpoint_seconds.is_some()),
        ];
        return match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((flag, _)) => Err(SettingsError::NoJournal { flag }),
            None => Ok(None),
        };
    };
    if !is_address(&url) {
        return Err(SettingsError::Journal);
    }
    let mut settings = SharedLogSettings::new(match password_file {
        Some(file) => with_password(&url, file)?,
        None => url,
    });
    settings.replicas_min = replicas.unwrap_or(settings.replicas_min);
    if let Some(seconds) = checkpoint_seconds {
        if seconds == 0 {
            return Err(SettingsError::NothingAllowed { flag: "checkpoint-seconds" });
        }
        settings.checkpoint_every = Duration::from_secs(u64::from(seconds));
    }
    Ok(Some(settings))
}

/// The URL with the password from a file. A trailing line break is not part of the password.
pub fn with_password(url: &str, file: &Path) -> Result<String, SettingsError> {
    let password =
        fs::read_to_string(file).map_err(|cause| SettingsError::Read { path: file.to_owned(), cause })?;
    let join = if url.contains('?') { '&' } else { '?' };
    let password = utf8_percent_encode(password.trim_end_matches(['\r', '\n']), NON_ALPHANUMERIC);
    Ok(format!("{url}{join}password={password}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Given;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let path = tempfile::NamedTempFile::new().expect("a file");
        fs::write(path.path(), text).expect("a written file");
        path
    }

    #[test]
    fn a_shared_log_has_an_address_and_what_goes_with_it() {
        let file = file("journal = \"postgres://db/bellwether\"\nrequire-replicas = 2\n");
        let given = Given { config: Some(file.path().to_owned()), ..Given::default() };
        let log = given.clone().settle().expect("settings").shared_log.expect("a log");
        assert_eq!((&*log.url, log.replicas_min), ("postgres://db/bellwether", 2));
        let elsewhere = Given { journal: Some("mysql://db".to_owned()), ..given };
        assert!(elsewhere.settle().expect_err("a refusal").to_string().starts_with("journal must begin"));
    }

    #[test]
    fn options_of_a_shared_log_are_refused_without_one() {
        let refusal = |given: Given| given.settle().expect_err("a refusal").to_string();
        let alone = Given { require_replicas: Some(1), ..Given::default() };
        assert_eq!(refusal(alone), "require-replicas means nothing without journal");
        let alone = Given { checkpoint_seconds: Some(1), ..Given::default() };
        assert_eq!(refusal(alone), "checkpoint-seconds means nothing without journal");
        let alone = Given { journal_password_file: Some("x".into()), ..Given::default() };
        assert_eq!(refusal(alone), "journal-password-file means nothing without journal");
    }

    #[test]
    fn a_password_with_any_characters_is_read_from_a_file() {
        let file = file("p@ss/w:rd?&%\u{e9} \n");
        let address = |url| with_password(url, file.path()).expect("a password");
        let encoded = "password=p%40ss%2Fw%3Ard%3F%26%25%C3%A9%20";
        assert_eq!(address("postgres://me@db/x"), format!("postgres://me@db/x?{encoded}"));
        assert_eq!(address("postgres://me@db/x?a=b"), format!("postgres://me@db/x?a=b&{encoded}"));
        let missing =
            with_password("postgres://db/x", Path::new("/nowhere/password")).expect_err("a refusal");
        assert!(missing.to_string().starts_with("/nowhere/password cannot be read"), "{missing}");
    }
}
