//! `bellwether conformance`: any server of this API against its specification. The checks are in `crates/conformance`;
//! here are the options, the keys, the plan before the first write, and the files of the report.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use clap::Args;
use conformance::{Decimal, Key, Login, Report, RunError, Target, all_checks, is_wanted, plan, unmatched};

use crate::blocking_http::client;
use crate::key_file::{DEMO_FILE, DemoFile, KeyFile, KeyFileError};
use crate::output::say;
use crate::variables::PASSWORD;

/// A server that takes longer to answer has not answered.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
pub struct Options {
    /// Address of the server
    #[arg(long, env = "BELLWETHER_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Address of the streams, with ws:// or wss://, if it is not that of --url
    #[arg(long, value_name = "URL")]
    stream_url: Option<String>,
    /// A JSON file with publicKey and secretKey, as the creation of a key returns it. Without it only public data is read
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Such a file of another account, for trades between the two
    #[arg(long, value_name = "FILE", requires = "key")]
    second_key: Option<PathBuf>,
    /// Log in as this user to check sessions and API keys; the password is in BELLWETHER_PASSWORD
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// Take the address, two keys and a login from the demo in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["key", "second_key", "email"])]
    data: Option<PathBuf>,
    /// The most that orders and mints may bind at a time, in USD; 0 writes nothing
    #[arg(long, value_name = "USD", default_value = "10", value_parser = amount)]
    max_spend: Decimal,
    /// Only checks whose id begins with one of these; separate several with commas
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the report as a page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// List the checks and send nothing
    #[arg(long)]
    list: bool,
}

#[derive(Debug, thiserror::Error)]
enum OptionError {
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    #[error("{0} is not an address that begins with http:// or https://")]
    Address(String),
    #[error("{0} is not an address that begins with ws:// or wss://")]
    StreamAddress(String),
    #[error("--only {0}: no check has an id that begins so; --list has them all")]
    Only(String),
    #[error("--email needs the password in {PASSWORD}")]
    Password,
}

/// The exit code of a wrong argument.
const WRONG_ARGUMENT: u8 = 2;

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    match try_run(options) {
        Err(error) if is_of_arguments(error.as_ref()) => {
            eprintln!("bellwether: {error}");
            Ok(ExitCode::from(WRONG_ARGUMENT))
        }
        result => result,
    }
}

/// Whether other arguments would help.
fn is_of_arguments(error: &(dyn Error + 'static)) -> bool {
    error.is::<OptionError>() || matches!(error.downcast_ref(), Some(RunError::SameAccount))
}

fn try_run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(start) = unmatched(&options.only) {
        return Err(OptionError::Only(start.to_owned()).into());
    }
    if options.list {
        for check in all_checks().iter().filter(|check| is_wanted(&options.only, check.id)) {
            say!("{:<26} {} [{}; {}]", check.id, check.title, check.section, check.source.words());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let target = target(options)?;
    announce(&target);
    let report = conformance::run(&target, &mut |row| say!("{}", Report::row_text(row)))?;
    say!("{}", report.closing_text());
    write_report(options.json.as_deref(), &report.to_json())?;
    write_report(options.html.as_deref(), &report.to_html())?;
    Ok(if report.conforms() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write_report(file: Option<&Path>, text: &str) -> Result<(), String> {
    let Some(file) = file else { return Ok(()) };
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Says what will be written, before anything is.
fn announce(target: &Target) {
    say!("Checking {}.", target.url);
    let plan = plan(target);
    if plan.is_empty() {
        say!("Nothing will be written: only reads, and requests that must be refused.");
        return;
    }
    say!(
        "These checks write. Orders and mints bind at most {} USD at a time; what is bought is not sold again:",
        target.max_spend
    );
    for line in plan {
        say!("  {line}");
    }
}

fn target(options: &Options) -> Result<Target, Box<dyn Error>> {
    let (url, key, second_key, login) = match &options.data {
        Some(folder) => of_demo(folder)?,
        None => {
            let key = |file: &Option<PathBuf>| {
                file.as_deref().map(|file| key(KeyFile::read(file)?, file)).transpose()
            };
            (options.url.clone(), key(&options.key)?, key(&options.second_key)?, login(options)?)
        }
    };
    let url = url.trim_end_matches('/').to_owned();
    if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Err(OptionError::Address(url).into());
    }
    let stream_url = stream_url(options.stream_url.as_deref(), &url)?;
    let client = client(&url, PATIENCE).build()?;
    let (max_spend, only) = (options.max_spend, options.only.clone());
    Ok(Target { url, stream_url, client, key, second_key, login, max_spend, only })
}

/// The address of the streams: the given one, or that of the API with `ws` in place of `http`.
fn stream_url(given: Option<&str>, url: &str) -> Result<String, OptionError> {
    let Some(given) = given else { return Ok(url.replacen("http", "ws", 1)) };
    let given = given.trim_end_matches('/');
    match ["ws://", "wss://"].iter().any(|scheme| given.starts_with(scheme)) {
        true => Ok(given.to_owned()),
        false => Err(OptionError::StreamAddress(given.to_owned())),
    }
}

fn login(options: &Options) -> Result<Option<Login>, OptionError> {
    let Some(email) = options.email.clone() else { return Ok(None) };
    let password = env::var(PASSWORD).map_err(|_| OptionError::Password)?;
    Ok(Some(Login { email, password }))
}

type Given = (String, Option<Key>, Option<Key>, Option<Login>);

/// The address and the credentials of a demo: the keys of two people, and the login of a third.
fn of_demo(folder: &Path) -> Result<Given, OptionError> {
    let (url, [first, second, third]) = DemoFile::read(folder)?;
    let login = Login { email: third.email, password: third.password };
    let file = folder.join(DEMO_FILE);
    Ok((url, Some(key(first.key, &file)?), Some(key(second.key, &file)?), Some(login)))
}

fn key(read: KeyFile, file: &Path) -> Result<Key, OptionError> {
    let (public, secret) = read.pair(file)?;
    Ok(Key { public, secret })
}

fn amount(text: &str) -> Result<Decimal, String> {
    Decimal::parse(text)
        .filter(|amount| *amount >= Decimal::ZERO)
        .ok_or_else(|| "an amount such as 10 or 2.50".to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use conformance::Decimal;

    use super::{amount, key, of_demo, stream_url};
    use crate::key_file::{DEMO_FILE, KeyFile};

    #[test]
    fn an_amount_is_a_plain_number_that_is_not_negative() {
        assert_eq!(amount("2.50"), Ok(Decimal::hundredths(250)));
        assert_eq!(amount("0"), Ok(Decimal::ZERO));
        for refused in ["-1", "1e3", "ten", ""] {
            assert!(amount(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn streams_are_at_the_address_of_the_api_unless_another_is_given() {
        let derived = stream_url(None, "https://http.example").expect("an address");
        assert_eq!(derived, "wss://http.example");
        let given = stream_url(Some("wss://socket.example/"), "https://x.example").expect("an address");
        assert_eq!(given, "wss://socket.example");
        assert!(stream_url(Some("https://socket.example"), "https://x.example").is_err());
    }

    #[test]
    fn a_key_needs_its_secret() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key.json");
        fs::write(&file, r#"{"publicKey":"pk_live_1","secretKey":"sk_live_2"}"#).expect("a file");
        let read = |file| key(KeyFile::read(file)?, file);
        let found = read(&file).expect("a key");
        assert_eq!((found.public.as_str(), found.secret.as_str()), ("pk_live_1", "sk_live_2"));
        assert!(!format!("{found:?}").contains("sk_live_2"));
        fs::write(&file, r#"{"publicKey":"pk_live_1"}"#).expect("a file");
        assert!(read(&file).is_err());
    }

    #[test]
    fn an_error_about_a_demo_names_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = r#"{"email":"a@b","password":"p","publicKey":"pk_live_1"}"#;
        let demo = format!(r#"{{"baseUrl":"http://a","users":[{user},{user},{user}]}}"#);
        fs::write(folder.path().join(DEMO_FILE), demo).expect("a file");
        let error = of_demo(folder.path()).expect_err("the first key has no secret").to_string();
        assert!(error.contains(DEMO_FILE), "{error}");
    }
}
